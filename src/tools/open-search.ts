import { absence } from "../engine/absence.ts";
import type { Ground } from "../engine/ground.ts";
import { planScope } from "../engine/plan.ts";
import { ABSENCE_TIME_AGENT } from "../model/limits.ts";
import type { Notice } from "../model/notice.ts";
import type { BinaryTest, Mode, Order, Query } from "../model/query.ts";
import { readPattern } from "../regex/read.ts";
import { searchTimeLimit } from "../ripgrep/time-limit.ts";
import type { Around } from "../shape/extracts.ts";
import type { Session } from "../workspace/session.ts";
import { type AgentScope, agentScope } from "./agent-scope.ts";
import { type Candidates, openCandidates } from "./candidates.ts";
import type { OpenArchives } from "./open-archives.ts";
import { isSingle, type Place, readPlaces } from "./places.ts";
import { isTellable } from "./tellable.ts";
import { memberFilter } from "./member-filter.ts";

/**
 * What every agent's search begins with, whatever its page looks like: the pattern is read, the places are looked
 * at, and the files that match stand ready to be looked at one by one. Called by `agent-search.ts` and
 * `agent-grep.ts`.
 */

export interface AskedSearch {
  readonly pattern: string;
  readonly literal: boolean;
  readonly insensitive: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  /** @default all that the session may see */
  readonly paths: string | readonly string[] | undefined;
  readonly scope: AgentScope;
  readonly mode: Mode;
  readonly order: Order;
  readonly binary: BinaryTest;
  readonly around: Around;
  readonly tags: boolean;
  /** Files that will be looked at, at most; null: all that match. */
  readonly files: number | null;
  /** Matches shown of a file, by itself or among others. */
  readonly cap: { readonly ofOne: number; readonly ofMany: number };
}

export interface OpenSearch {
  readonly places: readonly Place[];
  readonly missing: readonly string[];
  readonly single: boolean;
  readonly cap: number;
  readonly candidates: Candidates;
  /** What there is to say before anything was searched. */
  readonly notices: readonly Notice[];
  /** For an answer without matches: where else the pattern is. */
  readonly whyNothing: () => Promise<readonly Notice[]>;
}

export async function openSearch(
  session: Session,
  archives: OpenArchives,
  asked: AskedSearch,
  ground: Ground,
): Promise<OpenSearch> {
  const { pattern, literal, insensitive, multiline, dotAll, mode, order, binary, around, tags } = asked;
  const reading = readPattern({
    pattern,
    literal,
    word: false,
    case: insensitive ? "insensitive" : "sensitive",
    multiline,
    dotAll,
  });
  ground.index?.current()?.prepare(reading.pattern);
  const { places, missing, unusable } = await readPlaces(session, archives, asked.paths, ground);
  const single = await isSingle(places, archives);
  const cap = single ? asked.cap.ofOne : asked.cap.ofMany;
  const query: Query = {
    ...agentScope(session, places, asked.scope),
    pattern: reading.pattern,
    mode,
    before: 0,
    after: 0,
    order,
    binary,
    reportBinary: false,
    page: {
      skipFiles: 0,
      maxFiles: asked.files,
      maxMatches: null,
      maxPerFile: Number.isFinite(cap) ? cap : null,
    },
    timeoutMs: searchTimeLimit(ground.env),
  };
  const plan = planScope(query);
  const wants = await memberFilter(query, ground.env);
  const candidates = openCandidates({
    session,
    ground,
    query,
    plan,
    places,
    archives,
    around,
    cap,
    wants,
    tags,
  });
  return {
    places,
    missing,
    single,
    cap,
    candidates,
    notices: [
      ...reading.notices,
      ...unusable.map(({ message }): Notice => ({ code: "PATH_SKIPPED", message })),
    ],
    whyNothing: async () =>
      query.ignore === "off"
        ? []
        : absence(query, {
            ground: { ...ground, guard: candidates.guard },
            excluded: await candidates.excluded(),
            timeoutMs: ABSENCE_TIME_AGENT,
            confirm: candidates.confirm,
            mayQuote: (file) => isTellable(session, file),
          }),
  };
}
