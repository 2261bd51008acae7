/** Rows of Boris's grep that are too long to be shown whole: a part of the line, around its first match. */
import { expect } from "vitest";
import { rg, withoutDot } from "../differential/rg.ts";
import { latin1 } from "../differential/scope.ts";
import { type ExpectedPage, lineOf, walkFlags } from "./boris-grep-oracle.ts";
import type { GrepCall } from "./grep-calls.ts";
import type { PrintedRow } from "./ripgrep-rows.ts";

const LONGEST = 2_000;

/** The lines of the page with those of the answer in the place of the long ones, once these are found to be right. */
export async function shortened(
  call: GrepCall,
  { lines, rows }: ExpectedPage,
  answered: readonly string[],
): Promise<readonly string[]> {
  if (!rows.some((row) => row !== null && row.hit && isLong(row))) {
    return lines.map((line, at) => shortenedLine(call, line, rows[at] ?? null, answered[at] ?? "", null));
  }
  const matches = await firstMatches(call);
  return lines.map((line, at) => {
    const row = rows[at] ?? null;
    const match = row?.hit === true ? (matches.get(`${row.path}:${row.line}`) ?? "") : null;
    return shortenedLine(call, line, row, answered[at] ?? "", match);
  });
}

function isLong({ text }: PrintedRow): boolean {
  return text.length > LONGEST;
}

/** `match`: what must be seen of it. */
function shortenedLine(
  call: GrepCall,
  line: string,
  row: PrintedRow | null,
  answered: string,
  match: string | null,
): string {
  if (row === null || !isLong(row)) return line;
  const head = lineOf(call, row, "");
  const [, before, part = "", after] = /^(…?)(.*?)(…?)$/s.exec(answered.slice(head.length)) ?? [];
  expect(part.length).toBeGreaterThanOrEqual(LONGEST - 1);
  expect(part.length).toBeLessThanOrEqual(LONGEST);
  expect(row.text).toContain(part);
  expect(before === "").toBe(row.text.startsWith(part));
  expect(after === "").toBe(row.text.endsWith(part));
  if (match === null) expect(before).toBe("");
  else expect(part).toContain(match);
  return `${head}${before}${part}${after}`;
}

/** The beginning of the first match in each line, by path and line. */
async function firstMatches(call: GrepCall): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const output = (await rg(call.root, ["--json", ...walkFlags(call)])).toString();
  for (const record of output.split("\n").slice(0, -1)) {
    const { type, data } = JSON.parse(record) as MatchRecord;
    if (type !== "match" || data.path.text === undefined || data.lines.text === undefined) continue;
    const path = latin1(withoutDot(data.path.text));
    const bytes = Buffer.from(data.lines.text);
    for (const { start, end } of data.submatches.toReversed()) {
      const line = data.line_number + newlines(bytes.subarray(0, start));
      for (const [at, part] of bytes.subarray(start, end).toString().split("\n").entries()) {
        // A match may be a part of a letter.
        const text = part.split("\ufffd")[0] ?? "";
        if (part !== "") found.set(`${path}:${line + at}`, text.slice(0, LONGEST / 2));
      }
    }
  }
  return found;
}

interface MatchRecord {
  readonly type: string;
  readonly data: {
    readonly path: { readonly text?: string };
    readonly lines: { readonly text?: string };
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

function newlines(bytes: Buffer): number {
  return bytes.toString("latin1").split("\n").length - 1;
}
