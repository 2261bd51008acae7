import type { FindQuery, Query, Scope } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import { textMatcher } from "../regex/matcher.ts";
import type { Ground } from "./ground.ts";

/** Why a search is ripgrep's and not the index's, or null. Asked by `search-tree.ts`, before the index is. */
export function whyNotIndexed(query: Query, ground: Ground): string | null {
  const why = whyNotInScope(query, ground);
  if (why !== null) return why;
  if (query.mode !== "files") return "the matches of every file are asked for";
  if (query.binary !== "ripgrep" || query.reportBinary) return "binary files are told in another way";
  if (query.order === "none") return "no order is asked for";
  const matcher = textMatcher(query.pattern);
  return matcher.kind === "undecided" ? `only ripgrep decides: ${matcher.why}` : null;
}

/** The same of a find. */
export function whyNotListed(query: FindQuery, ground: Ground): string | null {
  if (query.order === "none") return "no order is asked for";
  if (query.maxFileSize !== null) return "sizes are limited";
  const typed = query.types.length > 0 || query.typeGlobs.length > 0;
  if (typed && query.kinds === "folders") return "folders have no type";
  return whyNotInScope(query, ground);
}

/** The index holds what a walk finds that is told nothing else. */
function whyNotInScope(scope: Scope, { index }: Ground): string | null {
  if (scope.engine === "ripgrep") return "asked for";
  if (index === undefined) return "there is no index";
  if (index.current() === undefined) return index.why();
  if (scope.ignore === "off") return "ignore rules are off";
  if (scope.ignore === "everywhere") return "ignore rules count outside of repositories too";
  if (!scope.hidden) return "hidden files are left out";
  if (scope.links !== "skip") return "links are followed";
  if (DEFAULTS.vcsFolders.some((folder) => !scope.exclude.includes(folder))) {
    return "version control folders are asked for";
  }
  if (
    scope.targets.some(({ kind, path }) => kind !== "folder" || path.startsWith("/") || path.startsWith(".."))
  )
    return "a place outside the index is asked for";
  return null;
}
