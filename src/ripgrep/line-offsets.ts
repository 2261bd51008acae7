import type { Query } from "../model/query.ts";
import { offsetsArgv } from "./argv.ts";
import { type Run, run } from "./run.ts";

/** Where in a text on stdin the matching lines begin, in bytes: the shortest answer that ripgrep can give. */

export interface OffsetOptions {
  readonly bytes: Buffer;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function lineOffsetRun(query: Query, { bytes, ...options }: OffsetOptions): Run<readonly number[]> {
  return run<readonly number[]>({
    argv: (singleThread) => offsetsArgv(query, singleThread),
    cwd: query.root,
    stdin: bytes,
    ...options,
    reader: (push) => ({
      feed: offsetReader((offsets) => push(offsets, offsets.length * 8)),
      complete: (code) => code === 0 || code === 1,
    }),
  });
}

const NEWLINE = 0x0a;

/** Rows of `OFFSET:text`, in any chunking; the text is of no interest. */
function offsetReader(onOffsets: (offsets: readonly number[]) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const rows = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const offsets: number[] = [];
    let from = 0;
    for (let end = rows.indexOf(NEWLINE); end !== -1; end = rows.indexOf(NEWLINE, from)) {
      offsets.push(Number.parseInt(rows.toString("latin1", from, Math.min(end, from + 20)), 10));
      from = end + 1;
    }
    rest = Buffer.from(rows.subarray(from));
    if (offsets.length > 0) onOffsets(offsets);
  };
}
