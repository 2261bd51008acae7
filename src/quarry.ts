/** Quarry: code search for coding agents. What is exported here is the public interface of the library. */

export { ToolError } from "./model/errors.ts";
export type { ErrorCode } from "./model/errors.ts";
export type { CountHit, Entry, FileHit, FilePath, Line, Match } from "./model/match.ts";
export type { Notice, NoticeCode } from "./model/notice.ts";
export type { BinaryTest, Case, IgnoreRules, Mode, Order } from "./model/query.ts";
export { DEFAULTS } from "./model/request.ts";
export type { FindRequest, SearchRequest } from "./model/request.ts";
export type { EngineName, FindSummary, SearchSummary, Skipped } from "./model/summary.ts";
export { fileTypes } from "./ripgrep/version.ts";
export { explainAbsence } from "./tools/absence.ts";
export { find } from "./tools/find.ts";
export type { FindResult } from "./tools/find.ts";
export { search } from "./tools/search.ts";
export type { Hit, SearchResult } from "./tools/search.ts";
