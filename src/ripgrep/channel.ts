/**
 * A queue between a producer that pushes and a consumer that pulls, bounded by weight: it tells the
 * producer when to hold back and when to go on. One consumer.
 */

export interface Channel<T> extends AsyncIterable<T> {
  readonly push: (item: T, weight: number) => void;
  /** No more items; with an error, what is still queued is dropped and the consumer gets the error. */
  readonly close: (error?: unknown) => void;
}

export interface ChannelOptions {
  readonly bound: number;
  readonly onFull: () => void;
  readonly onRoom: () => void;
  /** The consumer went away, or took everything. */
  readonly onDone: () => void;
}

export function channel<T>(options: ChannelOptions): Channel<T> {
  let queue: { item: T; weight: number }[] = [];
  let head = 0;
  let weight = 0;
  let full = false;
  let closed = false;
  let failure: { error: unknown } | null = null;
  let wake: () => void = () => {};

  return {
    push: (item, itemWeight) => {
      if (closed) return;
      queue.push({ item, weight: itemWeight });
      weight += itemWeight;
      if (!full && weight > options.bound) {
        full = true;
        options.onFull();
      }
      wake();
    },
    close: (error) => {
      if (closed) return;
      closed = true;
      if (error !== undefined) {
        failure = { error };
        queue = [];
        head = 0;
      }
      wake();
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const next = queue[head];
          if (next !== undefined) {
            head++;
            if (head === queue.length) {
              queue = [];
              head = 0;
            }
            weight -= next.weight;
            if (full && weight <= options.bound / 2) {
              full = false;
              options.onRoom();
            }
            yield next.item;
            continue;
          }
          if (failure !== null) throw failure.error;
          if (closed) return;
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      } finally {
        closed = true;
        options.onDone();
      }
    },
  };
}
