/**
 * Prints results as they come, each when the reader has room for it, and returns what the answer says of
 * itself. Called by `search` and `find`. When writing fails the iteration is left, which ends the work below.
 */
import type { Output } from "./output.ts";

interface Answer<T, S> extends AsyncIterable<T> {
  readonly summary: Promise<S>;
}

export async function pour<T, S>(answer: Answer<T, S>, out: Output, text: (result: T) => string): Promise<S> {
  for await (const result of answer) await out.write(text(result));
  return answer.summary;
}
