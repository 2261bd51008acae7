import type { FilePath } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import { type Invocation, searchArgv } from "./argv.ts";
import { type Piece, pieceReader } from "./pieces.ts";
import { recordReader } from "./records.ts";
import { type Run, run } from "./run.ts";
import type { Stdin } from "./stdin.ts";

/**
 * Searches with ripgrep: a stream of files with their undecoded matches, as they are found. A text given on stdin is
 * a file that ripgrep calls `<stdin>`.
 */

export interface SearchRun extends Run<Piece> {
  /** Files opened and searched; null when ripgrep did not get to say. */
  readonly searched: () => number | null;
}

export interface SearchOptions {
  readonly operands: readonly string[] | { readonly stdin: Stdin };
  readonly nameGlobs: readonly string[];
  /** Have ripgrep say what it leaves out. */
  readonly explain: boolean;
  /** Not even which files are too large. @default false */
  readonly silent?: boolean | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Asked once for each file with a match, before anything of it is kept. */
  readonly wanted: (file: FilePath) => boolean;
}

export function searchRun(query: Query, options: SearchOptions): SearchRun {
  const stdin = "stdin" in options.operands ? options.operands.stdin : undefined;
  const fixed: Omit<Invocation, "singleThread"> = {
    operands: "stdin" in options.operands ? "stdin" : options.operands,
    nameGlobs: options.nameGlobs,
    explain: options.explain,
    silent: options.silent,
  };
  let searched: () => number | null = () => null;
  const pieces = run<Piece>({
    argv: (singleThread) => searchArgv(query, { ...fixed, singleThread }),
    cwd: query.root,
    env: options.env,
    stdin,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    reader: (push) => {
      const reader = pieceReader((piece) => push(piece, piece.records.length + 256), {
        wanted: options.wanted,
        keepRecords: query.mode === "content",
      });
      searched = reader.searched;
      const records = recordReader(reader.record);
      // ripgrep prints a summary when it gets to the end, with errors on the way or without.
      return { feed: records.feed, complete: () => reader.searched() !== null };
    },
  });
  return {
    ...pieces,
    [Symbol.asyncIterator]: () => pieces[Symbol.asyncIterator](),
    searched: () => searched(),
  };
}
