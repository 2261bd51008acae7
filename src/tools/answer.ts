import { ToolError } from "../model/errors.ts";
import { aborted } from "../ripgrep/child.ts";

/**
 * The shape of every answer of the library: a stream of hits that runs while it is iterated, and a summary
 * that is there when the stream has ended. Stopping early ends the work below; an abort always rejects.
 */

export interface Answer<T, S> extends AsyncIterable<T> {
  /**
   * Settles when the iteration ends: with its end, with an early stop, or with its error. Awaited before the
   * answer is iterated, it reads it to its end by itself.
   */
  readonly summary: Promise<S>;
  /** Everything at once. */
  readonly collect: () => Promise<{ readonly hits: T[]; readonly summary: S }>;
}

interface Prepared<T, S> {
  readonly hits: AsyncIterable<T>;
  readonly summary: () => S;
}

export function answer<T, S>(
  request: { readonly signal?: AbortSignal | undefined },
  prepare: (started: number) => Promise<Prepared<T, S>>,
): Answer<T, S> {
  let resolve: (summary: S) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const outcome = new Promise<S>((...settle) => ([resolve, reject] = settle));
  // Whoever iterates gets the error from the iteration; the summary alone must not bring the process down.
  outcome.catch(() => {});
  let taken = false;

  async function* iterate(): AsyncGenerator<T> {
    let prepared: Prepared<T, S> | null = null;
    try {
      const { signal } = objectOnly(request);
      throwIfAborted(signal);
      prepared = await prepare(performance.now());
      for await (const hit of prepared.hits) {
        throwIfAborted(signal);
        yield hit;
      }
      throwIfAborted(signal);
      resolve(prepared.summary());
    } catch (error) {
      reject(error);
      throw error;
    } finally {
      // Left early: the work below has been ended by now.
      if (prepared !== null) resolve(prepared.summary());
    }
  }

  /** Nobody reads it, so it is read over. */
  const settled = (): Promise<S> => {
    if (!taken) result.collect().catch(() => {});
    return outcome;
  };

  const result: Answer<T, S> = {
    summary: {
      then: (onSummary, onError) => settled().then(onSummary, onError),
      catch: (onError) => settled().catch(onError),
      finally: (onSettled) => settled().finally(onSettled),
      [Symbol.toStringTag]: "Promise",
    },
    collect: async () => {
      const hits: T[] = [];
      for await (const hit of result) hits.push(hit);
      return { hits, summary: await outcome };
    },
    [Symbol.asyncIterator]: () => {
      if (taken) {
        throw new ToolError("INVALID_INPUT", "An answer can be iterated once", {
          hint: "Ask again, or collect()",
        });
      }
      taken = true;
      return iterate();
    },
  };
  return result;
}

/** A caller in JavaScript may have given anything. */
function objectOnly<T>(request: T): T {
  if (typeof request === "object" && request !== null) return request;
  throw new ToolError("INVALID_INPUT", "A request must be an object", {
    hint: 'Such as { pattern: "text" }',
  });
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}
