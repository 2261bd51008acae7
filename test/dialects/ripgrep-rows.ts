/**
 * What ripgrep prints, read back row by row. It prints its own layout; only a NUL byte is put before each separator, so
 * that a path, a number and a text can be told apart whatever they hold. Paths are latin1, one character a byte.
 */
import { oneRow } from "../../src/format/escape.ts";
import { rg, withoutDot } from "../differential/rg.ts";

export interface PrintedRow {
  readonly path: string;
  /** Null where ripgrep was not asked for numbers. */
  readonly line: number | null;
  readonly hit: boolean;
  /** A gap stands before it. */
  readonly gap: boolean;
  /** Without its end, and as an answer spells it. */
  readonly text: string;
  /** Everything behind the path. */
  readonly rest: string;
}

const MARKED = [
  "--color=never",
  "--no-heading",
  "-H",
  "--field-match-separator=\\x00:",
  "--field-context-separator=\\x00-",
];
const ROW = /^([^\0]*)\0([:-])(?:(\d+)\0[:-])?(.*)$/s;
/** ripgrep's word on a file that turned out to be binary. */
const BINARY = /: (?:WARNING: stopped searching binary file after|binary file) match/;

export async function printedRows(root: string, args: readonly string[]): Promise<PrintedRow[]> {
  const output = (await rg(root, [...MARKED, ...args])).toString("latin1");
  const rows: PrintedRow[] = [];
  let gap = false;
  let begun = "";
  for (const piece of output.split("\n").slice(0, -1)) {
    // The name of a file may hold a newline.
    const row = `${begun}${piece}`;
    begun = "";
    if (row === "--") gap = true;
    else if (!row.includes("\0") && !BINARY.test(row)) begun = `${row}\n`;
    else if (row.includes("\0")) {
      rows.push(readRow(row, gap));
      gap = false;
    }
  }
  return rows;
}

function readRow(row: string, gap: boolean): PrintedRow {
  const [, path = "", sign = "", number, raw = ""] = ROW.exec(row) ?? [];
  const text = oneRow(decoded(raw).replace(/\r$/, ""));
  return {
    path: withoutDot(path),
    line: number === undefined ? null : Number(number),
    hit: sign === ":",
    gap,
    text,
    rest: `${sign}${number === undefined ? "" : `${number}${sign}`}${text}`,
  };
}

/** What `-l` lists, or `-c` with its numbers. */
export async function printedFiles(
  root: string,
  args: readonly string[],
): Promise<{ readonly path: string; readonly count: number }[]> {
  const output = (await rg(root, ["-0", ...args])).toString("latin1");
  const shape = args.includes("-c") ? /([^\0]*)\0(\d+)\n/g : /([^\0]*)\0()/g;
  return [...output.matchAll(shape)].map(([, path = "", count]) => ({
    path: withoutDot(path),
    count: Number(count),
  }));
}

export function decoded(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString();
}
