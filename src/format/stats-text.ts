/** What a search or a find did, for `--stats`: one line each, before the closing line. Called by the command line. */
import type { FindSummary, SearchSummary } from "../model/summary.ts";
import { grouped } from "./count.ts";

type Row = readonly [name: string, value: string];

export function searchStats(summary: SearchSummary): string[] {
  return lines([
    ["files considered", known(summary.considered)],
    ["files searched", known(summary.searched)],
    ["files with matches", known(summary.totalFiles)],
    ["matching lines", known(summary.totalLines)],
    ["skipped, binary", grouped(summary.skipped.binary)],
    ...common(summary),
  ]);
}

export function findStats(summary: FindSummary): string[] {
  return lines([["paths found", known(summary.totalEntries)], ...common(summary)]);
}

function common({ skipped, engine, engineWhy, elapsedMs }: SearchSummary | FindSummary): Row[] {
  return [
    ["skipped, too large", grouped(skipped.tooLarge)],
    ["skipped, unreadable", grouped(skipped.unreadable)],
    ["engine", `${engine}: ${engineWhy}`],
    ["elapsed", `${grouped(Math.round(elapsedMs))} ms`],
  ];
}

function lines(rows: readonly Row[]): string[] {
  return rows.map(([name, value]) => `${name.padEnd(20)} ${value}`);
}

function known(number: number | null): string {
  return number === null ? "not known" : grouped(number);
}
