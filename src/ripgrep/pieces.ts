import { HELD_PER_FILE } from "../model/limits.ts";
import type { FilePath } from "../model/match.ts";
import { type RawPath, readPath } from "./paths.ts";

/**
 * Gathers the records of one file into a piece. Records are held until ripgrep has said whether the file
 * is binary, and stay undecoded until somebody wants them. Only a file whose records outgrow what may be
 * held comes in several pieces.
 */

export interface Piece {
  readonly file: FilePath;
  /** Whole match and context records, one after the other, each ended by a newline. */
  readonly records: Buffer;
  /** Matching lines, as ripgrep counts them for the whole file; 0 in a piece that is not the last. */
  readonly lines: number;
  readonly last: boolean;
  /** ripgrep met a NUL byte. */
  readonly binary: boolean;
  /** A record was too long to hold and lost its text. */
  readonly elided: boolean;
}

export interface PieceReader {
  readonly record: (record: Buffer) => void;
  /** Files opened and searched, once ripgrep has said so in its last record. */
  readonly searched: () => number | null;
}

interface EndData {
  readonly binary_offset: number | null;
  readonly stats: { readonly matched_lines: number };
}

const NEWLINE = Buffer.from("\n");
const ELIDED = Buffer.from('"submatches":[],"elided":');

export function pieceReader(
  onPiece: (piece: Piece) => void,
  options: { readonly wanted: (file: FilePath) => boolean; readonly keepRecords: boolean },
): PieceReader {
  let file: FilePath | null = null;
  let parts: Buffer[] = [];
  let held = 0;
  let elided = false;
  let searched: number | null = null;

  const release = (lines: number, last: boolean, binary: boolean): void => {
    if (file !== null) {
      onPiece({ file, records: Buffer.concat(parts), lines, last, binary, elided });
    }
    parts = [];
    held = 0;
    elided = false;
  };

  const hold = (record: Buffer): void => {
    if (file === null || !options.keepRecords) return;
    if (record.subarray(-64).includes(ELIDED)) elided = true;
    parts.push(record, NEWLINE);
    held += record.length + 1;
    if (held > HELD_PER_FILE) release(0, false, false);
  };

  return {
    searched: () => searched,
    record: (record) => {
      // Records start with {"type":"…" — all but the summary, which ends with it.
      switch (record[9]) {
        case 0x6d: // match
        case 0x63: // context
          hold(record);
          return;
        case 0x62: {
          // begin
          const { data } = JSON.parse(record.toString()) as { data: { path: RawPath } };
          const begun = readPath(data.path);
          file = options.wanted(begun) ? begun : null;
          return;
        }
        case 0x65: {
          // end
          if (file === null) return;
          const { data } = JSON.parse(record.toString()) as { data: EndData };
          release(data.stats.matched_lines, true, data.binary_offset !== null);
          file = null;
          return;
        }
        default: {
          const parsed = JSON.parse(record.toString()) as {
            type?: string;
            data?: { stats: { searches: number } };
          };
          if (parsed.type === "summary") searched = parsed.data?.stats.searches ?? null;
        }
      }
    },
  };
}
