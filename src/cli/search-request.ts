/**
 * From what was typed to what `search()` is asked: pattern and paths told apart, flags that exclude each other
 * refused, the page for people filled in. Pure; called by the search command.
 */
import { ToolError } from "../model/errors.ts";
import { PAGE_FILES, PAGE_MATCHES, PAGE_MATCHES_PER_FILE } from "../model/limits.ts";
import type { Case, Mode } from "../model/query.ts";
import type { SearchRequest } from "../model/request.ts";
import type { Typed } from "./arguments.ts";
import { checkPage, scopeRequest } from "./scope-request.ts";

export interface TypedSearch extends SearchRequest {
  readonly mode: Mode;
  readonly before: number;
  readonly after: number;
  readonly skipFiles: number;
}

export function searchRequest(typed: Typed, root: string): TypedSearch {
  const { pattern, paths } = patternAndPaths(typed);
  checkPage(typed);
  const mode = typed.choice("mode") ?? "content";
  const around = typed.integer("context") ?? 0;
  const paged = !typed.on("json") && !typed.on("all");
  const capped = paged && mode === "content";
  return {
    ...scopeRequest(typed, root, paths),
    pattern,
    literal: typed.on("fixed-strings"),
    word: typed.on("word-regexp"),
    case: caseOf(typed),
    multiline: typed.on("multiline") || typed.on("multiline-dotall"),
    dotAll: typed.on("multiline-dotall"),
    before: typed.integer("before-context") ?? around,
    after: typed.integer("after-context") ?? around,
    mode,
    order: typed.choice("sort"),
    maxFiles: typed.integer("limit") ?? (paged ? PAGE_FILES : undefined),
    skipFiles: typed.integer("skip") ?? 0,
    maxMatches: capped ? PAGE_MATCHES : undefined,
    maxPerFile: capped ? PAGE_MATCHES_PER_FILE : undefined,
    reportBinary: typed.on("binary"),
  };
}

function patternAndPaths(typed: Typed): { pattern: string; paths: readonly string[] } {
  const patterns = typed.list("regexp");
  const given = patterns.length > 0 ? patterns : typed.positionals.slice(0, 1);
  const [pattern] = given;
  if (pattern === undefined) {
    throw new ToolError("INVALID_INPUT", "There is no pattern", {
      hint: "Write quarry search PATTERN [PATH...]; quarry help search has examples",
    });
  }
  if (given.length > 1) {
    throw new ToolError("INVALID_INPUT", `There are ${given.length} patterns where one is taken`, {
      hint: "Join them into one as -e 'one|other'",
    });
  }
  return { pattern, paths: patterns.length > 0 ? typed.positionals : typed.positionals.slice(1) };
}

function caseOf(typed: Typed): Case {
  const [ignore, smart] = [typed.on("ignore-case"), typed.on("smart-case")];
  if (ignore && smart) {
    throw new ToolError("INVALID_INPUT", "-i and -S exclude each other", { hint: "Leave one of them out" });
  }
  if (ignore) return "insensitive";
  return smart ? "smart" : "sensitive";
}
