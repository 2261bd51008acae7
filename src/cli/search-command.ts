/**
 * `quarry search`: asks the library and prints the answer as it comes, for people or as JSON lines.
 * Called by `run`; returns the exit code: 0 with matches, 1 without, 2 if the work ended before any was found.
 */
import { searchClosing } from "../format/closing.ts";
import { countJson, fileJson, matchJson, searchSummaryJson } from "../format/json-lines.ts";
import { matchText } from "../format/match-text.ts";
import { countText, fileText } from "../format/path-text.ts";
import { searchStats } from "../format/stats-text.ts";
import { LINE_CHARACTERS } from "../model/limits.ts";
import type { CountHit, FileHit, Match } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { SearchSummary } from "../model/summary.ts";
import { ABSENCE_TIME } from "../model/limits.ts";
import { explainAbsence } from "../tools/absence.ts";
import { search } from "../tools/search.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { printClosing } from "./closing-lines.ts";
import { commandHelp } from "./help.ts";
import { type Io, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";
import { pour } from "./pour.ts";
import { searchRequest, type TypedSearch } from "./search-request.ts";

/** How an answer is printed, part by part. */
interface Printer {
  readonly match: (match: Match) => string;
  readonly file: (hit: FileHit) => string;
  readonly count: (hit: CountHit) => string;
  readonly close: (summary: SearchSummary) => Promise<void>;
}

export async function searchCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("search", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("search"));
    return 0;
  }
  const request = searchRequest(typed, io.cwd);
  const printer = typed.on("json") ? jsonPrinter(out) : peoplePrinter(typed, request, io, out);
  const summary = await answer({ ...request, signal: out.ended }, out, printer);
  await printer.close(summary);
  if (summary.files > 0) return 0;
  // As with ripgrep: what could not be read may hold what was not found.
  return summary.partial || summary.skipped.unreadable > 0 ? 2 : 1;
}

function answer(request: TypedSearch, out: Output, printer: Printer): Promise<SearchSummary> {
  const { mode } = request;
  if (mode === "files") return pour(search({ ...request, mode }), out, printer.file);
  if (mode === "count") return pour(search({ ...request, mode }), out, printer.count);
  return pour(search({ ...request, mode }), out, printer.match);
}

function jsonPrinter(out: Output): Printer {
  return {
    match: matchJson,
    file: fileJson,
    count: countJson,
    close: (summary) => out.write(searchSummaryJson(summary)),
  };
}

function peoplePrinter(typed: Typed, request: TypedSearch, io: Io, out: Output): Printer {
  const color = typed.choice("color");
  const style = stdoutStyle(io, color);
  const all = typed.on("all");
  const { add, remarks } = matchText({
    style,
    lineLimit: all ? null : LINE_CHARACTERS,
    gaps: request.before + request.after > 0,
  });
  return {
    match: add,
    file: (hit) => fileText(style, hit),
    count: (hit) => countText(style, hit),
    close: async (summary) =>
      printClosing(io, out, {
        notices: [...summary.notices, ...(await receipt(summary, { ...request, signal: out.ended }))],
        stats: typed.on("stats") ? searchStats(summary) : [],
        last: searchClosing(summary, { mode: request.mode, skip: request.skipFiles, remarks }),
        afterResults: summary.files > 0,
        all,
        color,
      }),
  };
}

/** What the ignore rules left out is looked at only where nothing was found, and only for people: it takes time. */
function receipt(summary: SearchSummary, request: TypedSearch): Promise<Notice[]> {
  if (summary.totalFiles !== 0) return Promise.resolve([]);
  const left = (request.timeoutMs ?? Number.POSITIVE_INFINITY) - summary.elapsedMs;
  return explainAbsence(request, Math.max(1, Math.min(ABSENCE_TIME, left)));
}
