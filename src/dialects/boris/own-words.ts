/**
 * Errors name the tools that help, as our own dialect calls them. Here they have other names, and what one of them
 * does not do is not offered. Called around grep, view, str_replace and create_file.
 */
import { ToolError } from "../../model/errors.ts";

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bfind looks for names/, "glob looks for names"],
  [
    /\bwrite replaces a whole file: name (.*), or use edit for/s,
    "create_file replaces a whole file: name $1, or use str_replace for",
  ],
  [
    /\bUse edit with the tag that read gives for its cells/,
    "Use str_replace on its cells, as view shows them",
  ],
  [/\bedit can still change/, "str_replace can still change"],
  [
    /^write changes rows of databases that are there; make it with sqlite3 first$/,
    "Rows of databases are not written here",
  ],
];

export async function inOwnWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ToolError ? translated(cause) : cause;
  }
}

function translated(error: ToolError): ToolError {
  const { code, message, hint, excerpt } = error;
  if (hint === undefined) return error;
  const told = WORDS.reduce((text, [from, to]) => text.replace(from, to), hint);
  if (told === hint) return error;
  return new ToolError(code, message, {
    hint: told,
    cause: error,
    ...(excerpt === undefined ? {} : { excerpt }),
  });
}
