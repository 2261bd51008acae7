/** Queries for the rooms behind `tools/`, with everything filled in but what a test is about. */
import { planScope } from "../../src/engine/plan.ts";
import { findEntries } from "../../src/engine/find.ts";
import { searchFiles } from "../../src/engine/search.ts";
import type { Entry, Match } from "../../src/model/match.ts";
import type { Pattern, Query, Scope } from "../../src/model/query.ts";
import type { FindRequest, SearchRequest } from "../../src/model/request.ts";
import { normaliseFind, normaliseSearch } from "../../src/tools/normalise.ts";

export const SCOPE: Scope = {
  root: "/",
  targets: [],
  include: [],
  includeNames: false,
  exclude: [],
  types: [],
  typeGlobs: [],
  ignore: "on",
  hidden: false,
  links: "skip",
  maxFileSize: null,
  engine: "auto",
};

export const PATTERN: Pattern = {
  source: "needle",
  text: "needle",
  syntax: "rust",
  case: "sensitive",
  word: false,
  multiline: false,
  dotAll: false,
};

export const QUERY: Query = {
  ...SCOPE,
  pattern: PATTERN,
  mode: "content",
  before: 0,
  after: 0,
  order: "path",
  binary: "ripgrep",
  reportBinary: false,
  page: { skipFiles: 0, maxFiles: null, maxMatches: null, maxPerFile: null },
  timeoutMs: 20_000,
};

type Ledger = ReturnType<ReturnType<typeof searchFiles>["ledger"]["read"]>;

/** A search in an environment of its own: `search()` has only that of the process. */
export async function searchIn(
  env: NodeJS.ProcessEnv,
  request: SearchRequest,
): Promise<{ readonly matches: Match[]; readonly ledger: Ledger; readonly codes: string[] }> {
  const { query } = await normaliseSearch(request, env);
  const found = searchFiles(query, planScope(query), { env, signal: request.signal });
  const matches: Match[] = [];
  for await (const file of found) {
    for await (const chunk of file.chunks()) matches.push(...chunk);
  }
  const ledger = found.ledger.read();
  return { matches, ledger, codes: ledger.notices.map(({ code }) => code) };
}

/** A find in an environment of its own. */
export async function findIn(
  env: NodeJS.ProcessEnv,
  request: FindRequest,
): Promise<{ readonly entries: Entry[]; readonly ledger: Ledger; readonly codes: string[] }> {
  const { query } = await normaliseFind(request);
  const found = findEntries(query, planScope(query), { env, signal: request.signal });
  const entries: Entry[] = [];
  for await (const entry of found) entries.push(entry);
  const ledger = found.ledger.read();
  return { entries, ledger, codes: ledger.notices.map(({ code }) => code) };
}

/** Everything of a stream. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function* stream<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}
