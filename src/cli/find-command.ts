/**
 * `quarry find`: lists files and folders, one a line or as JSON lines. Called by `run`; returns the exit
 * code: 0 with entries, 1 without, 2 if the work ended before any was found.
 */
import { findClosing } from "../format/closing.ts";
import { findStats } from "../format/stats-text.ts";
import { entryJson, findSummaryJson } from "../format/json-lines.ts";
import { entryText } from "../format/path-text.ts";
import { PAGE_PATHS } from "../model/limits.ts";
import type { FindRequest } from "../model/request.ts";
import { find } from "../tools/find.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { printClosing } from "./closing-lines.ts";
import { commandHelp } from "./help.ts";
import { type Io, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";
import { pour } from "./pour.ts";
import { checkPage, scopeRequest } from "./scope-request.ts";

const KINDS = { file: "files", dir: "folders", all: "all" } as const;

export async function findCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("find", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("find"));
    return 0;
  }
  const request = findRequest(typed, io.cwd);
  const color = typed.choice("color");
  const style = stdoutStyle(io, color);
  const json = typed.on("json");
  const answer = find({ ...request, signal: out.ended });
  const summary = await pour(answer, out, (entry) => (json ? entryJson(entry) : entryText(style, entry)));
  if (json) {
    await out.write(findSummaryJson(summary));
  } else {
    await printClosing(io, out, {
      notices: summary.notices,
      stats: typed.on("stats") ? findStats(summary) : [],
      last: findClosing(summary, request.skip),
      afterResults: summary.entries > 0,
      all: typed.on("all"),
      color,
    });
  }
  if (summary.entries > 0) return 0;
  return summary.partial ? 2 : 1;
}

function findRequest(typed: Typed, root: string): FindRequest & { readonly skip: number } {
  checkPage(typed);
  const paged = !typed.on("json") && !typed.on("all");
  return {
    ...scopeRequest(typed, root, typed.positionals),
    kinds: KINDS[typed.choice("kind") ?? "all"],
    order: typed.choice("sort"),
    limit: typed.integer("limit") ?? (paged ? PAGE_PATHS : undefined),
    skip: typed.integer("skip") ?? 0,
  };
}
