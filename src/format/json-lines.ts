/**
 * Answers as JSON, one object a line: for programs, and for agents that prefer data. Called by the command
 * line with `--json`. The shapes are public: fields are added, never renamed. Every object stays on one line
 * for any reader and harmless on a terminal, because what could break that is written as `\uXXXX`.
 */
import type { CountHit, Entry, FileHit, FilePath, Match } from "../model/match.ts";
import type { FindSummary, SearchSummary } from "../model/summary.ts";

export function matchJson(match: Match): string {
  return line({
    type: "match",
    path: match.path,
    line: match.line,
    text: match.text,
    submatches: match.submatches,
    before: match.before,
    after: match.after,
    pathBytes: match.pathBytes,
    invalidUtf8: match.invalidUtf8,
    elidedBytes: match.elidedBytes,
  });
}

export function fileJson(hit: FileHit): string {
  return line({ type: "file", ...pathFields(hit) });
}

export function countJson(hit: CountHit): string {
  return line({ type: "count", ...pathFields(hit), count: hit.count });
}

export function entryJson(entry: Entry): string {
  const type = entry.kind === "folder" ? "dir" : "file";
  return line({ type, ...pathFields(entry), mtimeMs: entry.mtimeMs });
}

export function searchSummaryJson(summary: SearchSummary): string {
  const { files, matches, engine, partial, skipped, notices, elapsedMs, ...rest } = summary;
  return line({ type: "summary", files, matches, engine, partial, skipped, notices, elapsedMs, ...rest });
}

export function findSummaryJson(summary: FindSummary): string {
  const { entries, engine, partial, skipped, notices, elapsedMs, ...rest } = summary;
  return line({ type: "summary", entries, engine, partial, skipped, notices, elapsedMs, ...rest });
}

function pathFields(hit: FilePath): FilePath {
  return hit.pathBytes === undefined ? { path: hit.path } : { path: hit.path, pathBytes: hit.pathBytes };
}

/** What JSON lets stand in a string although a terminal obeys it, or some reader takes it for a line's end. */
const RAW = /[\x7f-\x9f\p{Bidi_C}\u2028\u2029]/gu;

/** Any object on one line, ending in a newline. Fields that are undefined are left out. */
export function line(object: object): string {
  const json = JSON.stringify(object);
  const escaped = json.replace(RAW, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${escaped}\n`;
}
