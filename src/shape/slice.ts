/** Hands out a part of a stream, and stops pulling when it is full and it is known whether there is more. */

export interface SliceTally {
  count: number;
  more: boolean;
}

export async function* slice<T>(
  items: AsyncIterable<T>,
  limits: { readonly skip: number; readonly limit: number | null },
  tally: SliceTally,
): AsyncGenerator<T> {
  let at = 0;
  for await (const item of items) {
    if (at++ < limits.skip) continue;
    if (limits.limit !== null && tally.count >= limits.limit) {
      tally.more = true;
      return;
    }
    tally.count++;
    yield item;
  }
}
