/**
 * Errors name the tools that help, as our own dialect calls them. Other dialects have other names for them, and what
 * none of their tools does is not offered. Called around the tools of those dialects.
 */
import { ToolError } from "../model/errors.ts";

/** What stands in a hint, and what is said instead. */
export type Words = readonly (readonly [RegExp, string])[];

export async function inWords<T>(words: Words, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ToolError ? translated(words, cause) : cause;
  }
}

function translated(words: Words, error: ToolError): ToolError {
  const { code, message, hint, excerpt } = error;
  if (hint === undefined) return error;
  const told = words.reduce((text, [from, to]) => text.replace(from, to), hint);
  if (told === hint) return error;
  return new ToolError(code, message, {
    hint: told,
    cause: error,
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}
