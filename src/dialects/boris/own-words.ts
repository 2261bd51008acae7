/** What Boris's tools are called in errors. Called around grep, view, str_replace and create_file. */
import { inWords, type Words } from "../words.ts";

const WORDS: Words = [
  [/\bfind looks for names/, "glob looks for names"],
  [/, or search for the whole pattern as literal text/, ""],
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

export function inOwnWords<T>(work: () => Promise<T>): Promise<T> {
  return inWords(WORDS, work);
}
