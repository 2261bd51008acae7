/** What a search did, for `--stats`: one line each, before the closing line. Called by the command line. */
import type { SearchSummary } from "../model/summary.ts";
import { grouped } from "./count.ts";

export function statsLines(summary: SearchSummary): string[] {
  const { skipped } = summary;
  const rows: [string, string][] = [
    ["files considered", known(summary.considered)],
    ["files searched", known(summary.searched)],
    ["files with matches", known(summary.totalFiles)],
    ["matching lines", known(summary.totalLines)],
    ["skipped, binary", grouped(skipped.binary)],
    ["skipped, too large", grouped(skipped.tooLarge)],
    ["skipped, unreadable", grouped(skipped.unreadable)],
    ["engine", summary.engine],
    ["elapsed", `${grouped(Math.round(summary.elapsedMs))} ms`],
  ];
  return rows.map(([name, value]) => `${name.padEnd(20)} ${value}`);
}

function known(number: number | null): string {
  return number === null ? "not known: the work ended early" : grouped(number);
}
