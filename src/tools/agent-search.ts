import { absence } from "../engine/absence.ts";
import { planScope } from "../engine/plan.ts";
import type { Ground } from "../engine/ground.ts";
import type { SearchPage } from "../model/agent-page.ts";
import type { Excerpt } from "../model/excerpt.ts";
import {
  ABSENCE_TIME_AGENT,
  AGENT_MATCHES_IN_ONE,
  AGENT_MATCHES_OF_MANY,
  PAGE_MATCHES,
} from "../model/limits.ts";
import type { Notice } from "../model/notice.ts";
import type { Mode, Query } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import { readPattern } from "../regex/read.ts";
import { searchTimeLimit } from "../ripgrep/time-limit.ts";
import { extracts } from "../shape/extracts.ts";
import { roundRobin } from "../shape/round-robin.ts";
import { selectorFrom } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { agentScope } from "./agent-scope.ts";
import { throwIfAborted } from "./answer.ts";
import { openCandidates } from "./candidates.ts";
import { openArchives } from "./open-archives.ts";
import { isSingle, readPlaces } from "./places.ts";
import { isTellable } from "./tellable.ts";
import { typeFilter } from "./type-filter.ts";
import { type Candidate, held, type View } from "./view.ts";

/**
 * The search that every agent's tool is made of: a page of files with their first matches, on the ground of a
 * session. Folders are walked by ripgrep; files, archive members and URLs are searched one by one. What is shown
 * of a file comes from the bytes that its tag stands for.
 */

export interface AgentSearch {
  readonly pattern: string;
  /** @default all that the session may see */
  readonly paths: string | readonly string[] | undefined;
  readonly literal: boolean;
  readonly insensitive: boolean;
  readonly multiline: boolean;
  readonly gitignore: boolean;
  readonly types: readonly string[];
  readonly mode: Mode;
  /** Lines around a match; the session's own settings where it is not given. */
  readonly context: number | undefined;
  readonly skip: number;
  readonly limit: number;
}

export async function agentSearch(
  session: Session,
  request: AgentSearch,
  ground: Ground,
): Promise<SearchPage> {
  const started = performance.now();
  throwIfAborted(ground.signal);
  const archives = openArchives(session, ground.signal);
  try {
    const reading = readPattern({
      pattern: request.pattern,
      literal: request.literal,
      word: DEFAULTS.search.word,
      case: request.insensitive ? "insensitive" : "sensitive",
      multiline: request.multiline,
      dotAll: DEFAULTS.search.dotAll,
    });
    const { places, missing, unusable } = await readPlaces(session, archives, request.paths, ground.signal);
    const single = await isSingle(places, archives);
    const cap = single ? AGENT_MATCHES_IN_ONE : AGENT_MATCHES_OF_MANY;
    const around = {
      before: request.context ?? session.settings.contextBefore,
      after: request.context ?? session.settings.contextAfter,
    };
    const query: Query = {
      ...agentScope(session, places, {
        types: request.types,
        hidden: true,
        gitignore: request.gitignore,
        maxFileSize: session.settings.maxFileSize,
      }),
      pattern: reading.pattern,
      mode: request.mode,
      before: 0,
      after: 0,
      order: "path",
      binary: "ripgrep",
      reportBinary: false,
      page: { skipFiles: 0, maxFiles: null, maxMatches: null, maxPerFile: cap },
      timeoutMs: searchTimeLimit(ground.env),
    };
    const plan = planScope(query);
    const wantsType = await typeFilter(request.types, ground.env);
    const candidates = openCandidates({
      session,
      ground,
      query,
      plan,
      places,
      archives,
      around,
      cap,
      wantsType,
    });
    const skip = single ? 0 : request.skip;
    const page = await takePage(candidates, { skip, limit: request.limit }, (view) =>
      held(view, cap, around),
    );
    const allotted = roundRobin(
      page.taken.map(({ view }) => Math.min(view.matches.length, cap)),
      PAGE_MATCHES,
    );
    throwIfAborted(ground.signal);
    const account = candidates.account();
    const nothing = page.total === 0 && !account.partial && query.ignore !== "off";
    const excluded = nothing
      ? await absence(query, {
          ground: { ...ground, guard: candidates.guard },
          excluded: await candidates.excluded(),
          timeoutMs: ABSENCE_TIME_AGENT,
          confirm: candidates.confirm,
          mayQuote: (file) => isTellable(session, file),
        })
      : [];
    return {
      mode: request.mode,
      scope: places.map(({ label }) => label),
      single,
      skip,
      excerpts: page.taken.map((taken, at) => excerptOf(taken, allotted[at] ?? 0, around, request.mode)),
      totalFiles: account.partial ? null : page.total,
      more: page.more,
      missing,
      notices: [
        ...reading.notices,
        ...unusable.map(({ message }): Notice => ({ code: "PATH_SKIPPED", message })),
        ...account.notices,
        ...excluded,
      ],
      skipped: account.skipped,
      partial: account.partial,
      engine: plan.engine,
      engineWhy: plan.why,
      elapsedMs: Math.round(performance.now() - started),
    };
  } finally {
    await archives.close();
  }
}

/** Of a candidate only what is needed: the rest of it may hold the file. */
interface Taken extends Pick<Candidate, "file" | "selector"> {
  readonly view: View;
}

/** The files of the page, looked at; those behind it are only counted. A file that no longer matches is no file. */
async function takePage(
  candidates: AsyncIterable<Candidate>,
  { skip, limit }: { readonly skip: number; readonly limit: number },
  hold: (view: View) => View,
): Promise<{ readonly taken: readonly Taken[]; readonly total: number; readonly more: boolean }> {
  const taken: Taken[] = [];
  let total = 0;
  for await (const candidate of candidates) {
    if (total >= skip && taken.length < limit) {
      const view = await candidate.view();
      if (view === null) continue;
      taken.push({ file: candidate.file, selector: candidate.selector, view: hold(view) });
    }
    total += 1;
  }
  return { taken, total, more: total > skip + taken.length };
}

function excerptOf(
  { file, selector, view }: Taken,
  allotted: number,
  around: { readonly before: number; readonly after: number },
  mode: Mode,
): Excerpt {
  const rest = view.matches[allotted]?.line ?? null;
  return {
    file,
    tag: view.version?.tag ?? null,
    extracts: extracts(view.matches.slice(0, allotted), view.lineAt, around, rest),
    matches: mode === "content" ? allotted : mode === "count" ? view.lines : 1,
    rest,
    selectorFrom: (line) => selectorFrom(selector, line),
    show: (lines) => view.version?.show(lines),
  };
}
