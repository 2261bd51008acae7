import { type Exclusion, listExclusions } from "../engine/exclusions.ts";
import type { Guard } from "../engine/guard.ts";
import { openLedger } from "../engine/ledger.ts";
import type { Ground } from "../engine/ground.ts";
import { textSearcher } from "../engine/search-text.ts";
import { ABSENCE_TIME_AGENT, LOOKING_SHARE } from "../model/limits.ts";
import type { Notice } from "../model/notice.ts";
import type { Plan } from "../model/plan.ts";
import type { Query } from "../model/query.ts";
import type { EngineUsed, Skipped } from "../model/summary.ts";
import type { Around } from "../shape/extracts.ts";
import type { Session } from "../workspace/session.ts";
import { fileKey } from "../workspace/targets.ts";
import type { OpenArchives } from "./open-archives.ts";
import type { Place } from "./places.ts";
import { tellable } from "./tellable.ts";
import { textCandidates } from "./text-candidates.ts";
import type { Candidate } from "./view.ts";
import { guardOf, type Walk, walkCandidates } from "./walk-candidates.ts";

/** Every file of a scope that matches, once: those of its folders by path, then what was named by itself, as given. */

export interface Candidates extends AsyncIterable<Candidate> {
  readonly guard: Guard;
  /** What the ignore rules left out of its folders; complete when the iteration has ended. */
  readonly excluded: () => Promise<readonly Exclusion[]>;
  /** Whether a file matches and may be shown, looked at on its descriptor. */
  readonly confirm: Walk["confirm"];
  /**
   * Whether the time is up for looking at what was found: what is left of a search's time, and some more where the
   * search itself took it all. Once it is, the answer says so.
   */
  readonly isOver: () => boolean;
  /** Who found them; known once the iteration has begun. */
  readonly used: () => EngineUsed;
  /** Whether they are found only as they are asked for: whoever has enough need not know how many there are. */
  readonly lazy: () => boolean;
  /** What was left out and why; complete when the iteration has ended. */
  readonly account: () => Account;
}

export interface Account {
  readonly notices: readonly Notice[];
  readonly skipped: Skipped;
  readonly partial: boolean;
}

export interface CandidateOptions {
  readonly session: Session;
  readonly ground: Ground;
  /** Of the folders. */
  readonly query: Query;
  readonly plan: Plan;
  readonly places: readonly Place[];
  readonly archives: OpenArchives;
  readonly around: Around;
  /** Matches shown of a file. */
  readonly cap: number;
  /** What is shown gets a tag, for an edit. */
  readonly tags: boolean;
  /** Of the members of an archive. */
  readonly wants: (path: string) => boolean;
}

export function openCandidates(options: CandidateOptions): Candidates {
  const { session, query, plan, places, archives, around, wants, tags } = options;
  const guard = guardOf(session);
  const deadline = performance.now() + query.timeoutMs;
  const ground: Ground = { ...options.ground, guard, explain: true, deadline };
  // A file too large to hold gets its context from ripgrep, and a selector looks behind any cap.
  const asked = { ...query, ...around, page: { ...query.page, maxPerFile: null } };
  // What is on the page is shown, also when the time was up before.
  const timeless = { ...ground, deadline: undefined };
  const viewer = textSearcher(asked, timeless);
  const bareSearcher = textSearcher({ ...asked, before: 0, after: 0 }, timeless);
  const searcher = textSearcher(asked, ground);
  const matches = options.cap + 1;
  const ledger = openLedger();
  const walk = walkCandidates({
    session,
    ground,
    query,
    plan,
    searcher: viewer,
    bareSearcher,
    matches,
    around,
    tags,
  });
  const singles = places.filter((place) => place.kind !== "folder");

  async function* all(): AsyncGenerator<Candidate> {
    if (query.targets.length > 0) yield* walk;
    yield* textCandidates(singles, query.targets.length === 0 ? "nothing else" : "folders too", {
      session,
      archives,
      searcher,
      ledger,
      query,
      ground,
      matches,
      wants,
      around,
      tags,
    });
  }

  return {
    guard,
    excluded: async () => (await walk.excluded()) ?? listExclusions(query, ground, ABSENCE_TIME_AGENT),
    used: () => (query.targets.length > 0 ? walk.used() : { engine: plan.engine, engineWhy: plan.why }),
    lazy: () => query.mode !== "count" && query.targets.length > 0 && walk.used().engine === "index",
    confirm: walk.confirm,
    isOver: () => {
      const over = performance.now() > deadline + query.timeoutMs * LOOKING_SHARE;
      if (over) ledger.timedOut();
      return over;
    },
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>();
      for await (const candidate of all()) {
        const key = fileKey(candidate.file);
        if (seen.has(key)) continue;
        seen.add(key);
        yield candidate;
      }
    },
    account: () => {
      const [walked, named] = [walk.ledger.read(), ledger.read()];
      return {
        notices: [...tellable(session, walked.notices), ...named.notices],
        skipped: {
          binary: walked.skipped.binary + named.skipped.binary,
          tooLarge: walked.skipped.tooLarge + named.skipped.tooLarge,
          unreadable: walked.skipped.unreadable + named.skipped.unreadable,
          denied: walked.skipped.denied + named.skipped.denied,
        },
        partial: walked.partial || named.partial,
      };
    },
  };
}
