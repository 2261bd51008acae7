import type { Ground } from "../engine/ground.ts";
import type { SearchPage } from "../model/agent-page.ts";
import type { Excerpt } from "../model/excerpt.ts";
import { AGENT_MATCHES_IN_ONE, AGENT_MATCHES_OF_MANY, PAGE_MATCHES } from "../model/limits.ts";
import type { Mode } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import { roundRobin } from "../shape/round-robin.ts";
import { selectorFrom } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { throwIfAborted } from "./answer.ts";
import { openArchives } from "./open-archives.ts";
import { openSearch } from "./open-search.ts";
import { type Taken, takePage } from "./take-page.ts";
import { type HeldView, held } from "./view.ts";

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
    const around = {
      before: request.context ?? session.settings.contextBefore,
      after: request.context ?? session.settings.contextAfter,
    };
    const search = await openSearch(
      session,
      archives,
      {
        ...request,
        dotAll: DEFAULTS.search.dotAll,
        scope: {
          types: request.types,
          ignore: request.gitignore ? DEFAULTS.scope.ignore : "off",
          maxFileSize: session.settings.maxFileSize,
        },
        order: "path",
        binary: "ripgrep",
        around,
        tags: true,
        files: request.skip + request.limit,
        cap: { ofOne: AGENT_MATCHES_IN_ONE, ofMany: AGENT_MATCHES_OF_MANY },
      },
      ground,
    );
    const { places, missing, single, cap, candidates } = search;
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
    const nothing = page.total === 0 && !account.partial;
    return {
      mode: request.mode,
      scope: places.map(({ label }) => label),
      single,
      skip,
      excerpts: page.taken.map((taken, at) => excerptOf(taken, allotted[at] ?? 0, request.mode)),
      totalFiles: account.partial ? null : page.total,
      more: page.more,
      missing,
      notices: [...search.notices, ...account.notices, ...(nothing ? await search.whyNothing() : [])],
      skipped: account.skipped,
      partial: account.partial,
      ...candidates.used(),
      elapsedMs: Math.round(performance.now() - started),
    };
  } finally {
    await archives.close();
  }
}

function excerptOf({ file, selector, view }: Taken<HeldView>, allotted: number, mode: Mode): Excerpt {
  const rest = view.matches[allotted]?.line ?? null;
  return {
    file,
    tag: view.version?.tag ?? null,
    extracts: view.extracts(allotted),
    matches: mode === "content" ? allotted : mode === "count" ? view.lines : 1,
    rest,
    selectorFrom: (line) => selectorFrom(selector, line),
    show: (lines) => view.version?.show(lines),
  };
}
