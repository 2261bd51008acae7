/** Bytes in memory as the archive file that the readers of this room want. Called by whoever rewrites archives. */
import type { ArchiveFile } from "./archive-file.ts";
import { ARCHIVE_LIMITS, REWRITTEN } from "./limits.ts";

export function memoryArchive(bytes: Buffer, name: string, signal: AbortSignal | undefined): ArchiveFile {
  return {
    file: {
      read: async (into, offset, length, position) => ({
        bytesRead: bytes.copy(into, offset, position, position + length),
      }),
    },
    size: bytes.length,
    name,
    limits: { ...ARCHIVE_LIMITS, total: REWRITTEN },
    signal,
  };
}

/** The bytes that a rewriting leaves out, and what it puts in; nothing else of the archive changes. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly put?: Buffer;
}

/** The pieces of `bytes` up to `end` with the splices made, which do not overlap. */
export function spliced(bytes: Buffer, end: number, splices: readonly Splice[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    pieces.push(bytes.subarray(at, splice.start));
    if (splice.put !== undefined) pieces.push(splice.put);
    at = splice.end;
  }
  pieces.push(bytes.subarray(at, end));
  return pieces;
}
