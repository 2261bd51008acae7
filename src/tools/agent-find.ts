import { lstat } from "node:fs/promises";
import { findEntries } from "../engine/find.ts";
import { compareFiles } from "../engine/order.ts";
import { planScope } from "../engine/plan.ts";
import type { Ground } from "../engine/ground.ts";
import type { Guard } from "../engine/guard.ts";
import type { Ledger } from "../engine/ledger.ts";
import type { FindPage } from "../model/agent-page.ts";
import { ToolError } from "../model/errors.ts";
import { ABSENCE_TIME_AGENT } from "../model/limits.ts";
import type { Entry, FilePath } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { FindQuery } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import type { Session } from "../workspace/session.ts";
import { below, fileKey, onDisk } from "../workspace/targets.ts";
import { agentScope } from "./agent-scope.ts";
import { throwIfAborted } from "./answer.ts";
import { chooseMembers, memberFile, type OpenArchives, openArchives } from "./open-archives.ts";
import { isSingle, type Place, readPlaces } from "./places.ts";
import { tellable } from "./tellable.ts";
import { take } from "./view.ts";
import { guardOf } from "./walk-candidates.ts";

/**
 * The find that every agent's tool is made of: a page of files and folders, newest first, on the ground of a
 * session. Folders are walked by ripgrep's rules; a file, a member of an archive or a URL that was named is itself.
 */

export interface AgentFind {
  /** @default all that the session may see */
  readonly paths: string | readonly string[] | undefined;
  readonly hidden: boolean;
  readonly gitignore: boolean;
  readonly limit: number;
  readonly skip: number;
  readonly timeoutMs: number;
}

export async function agentFind(session: Session, request: AgentFind, given: Ground): Promise<FindPage> {
  const started = performance.now();
  throwIfAborted(given.signal);
  const archives = openArchives(session, given.signal);
  try {
    const { places, missing, unusable } = await readPlaces(session, archives, request.paths, given.signal);
    refuseSelectors(places);
    const guard = guardOf(session);
    const ground: Ground = { ...given, guard };
    const query: FindQuery = {
      ...agentScope(session, places, {
        hidden: request.hidden,
        ignore: request.gitignore ? DEFAULTS.scope.ignore : "off",
      }),
      kinds: "all",
      order: "mtime",
      limit: null,
      skip: 0,
      timeoutMs: request.timeoutMs,
    };
    const plan = planScope(query);
    const found = findEntries(query, plan, ground);
    const entries = new Map<string, Entry>();
    if (query.targets.length > 0) {
      for await (const entry of found) entries.set(fileKey(entry), entry);
    }
    for (const place of places) {
      if (place.kind === "folder") continue;
      for (const entry of await named(session, archives, place, { guard, ledger: found.ledger }))
        entries.set(fileKey(entry), entry);
    }
    const all = [...entries.values()].sort(
      (one, other) => other.mtimeMs - one.mtimeMs || compareFiles(one, other),
    );
    // An abort ends the walk too, and must not look like a time-out.
    throwIfAborted(given.signal);
    const ledger = found.ledger.read();
    const listed = all.slice(request.skip, request.skip + request.limit);
    const page = await confirmed(session, query, listed);
    const hidden = all.length === 0 && !ledger.partial ? await ignored(query, ground) : [];
    return {
      scope: places.map(({ label }) => label),
      exact: (await isSingle(places, archives)) || isWholeArchive(places),
      skip: request.skip,
      entries: page,
      found: all.length,
      totalFiles: ledger.partial ? null : all.length,
      more: all.length > request.skip + listed.length,
      missing,
      notices: [
        ...unusable.map(({ message }): Notice => ({ code: "PATH_SKIPPED", message })),
        ...tellable(session, ledger.notices),
        ...hidden,
      ],
      skipped: ledger.skipped,
      partial: ledger.partial,
      engine: plan.engine,
      engineWhy: plan.why,
      elapsedMs: Math.round(performance.now() - started),
    };
  } finally {
    await archives.close();
  }
}

/**
 * What of the page is still there and may be seen: a link on the way to a folder may have been turned elsewhere
 * between the check and the walk.
 */
async function confirmed(session: Session, { targets }: FindQuery, page: readonly Entry[]): Promise<Entry[]> {
  if (targets.length === 0) return [...page];
  const kinds = await Promise.all(
    page.map(({ path, pathBytes }) =>
      session.policy.check(onDisk(session.root, path, pathBytes)).then(
        ({ kind }) => kind,
        () => null,
      ),
    ),
  );
  // What was named by itself is no path of the walk.
  const walked = ({ path }: Entry): boolean => targets.some((target) => below(target, path) !== null);
  return page.filter((entry, at) => kinds[at] !== null || !walked(entry));
}

/** Found as the file that it is. */
function isWholeArchive(places: readonly Place[]): boolean {
  const [place] = places;
  return places.length === 1 && place?.kind === "archive" && place.label === place.archive;
}

/** What was named by itself; of an archive, the members that were asked for. */
async function named(
  { root }: Session,
  archives: OpenArchives,
  place: Exclude<Place, { kind: "folder" }>,
  { guard, ledger }: { readonly guard: Guard; readonly ledger: Ledger },
): Promise<Entry[]> {
  const isWithheld = (file: FilePath, kind: Entry["kind"]): boolean => {
    const withheld = guard.withholds(file, kind);
    if (withheld) ledger.denied(1);
    return withheld;
  };
  if (place.kind === "archive" && place.label !== place.archive) {
    const archive = await archives.open(place.archive);
    const chosen = chooseMembers(archive, place.member);
    const members = archive.members.filter((member) =>
      chosen?.kind === "one"
        ? member === chosen.member
        : (chosen?.wants(member) ?? false) && !isWithheld(memberFile(place.archive, member), member.kind),
    );
    return members.map(({ path, kind, mtimeMs }) => ({
      path: `${place.archive}:${path}`,
      kind,
      mtimeMs: mtimeMs ?? 0,
    }));
  }
  const path =
    place.kind === "resource" ? (place.resource.kind === "file" ? place.resource.path : null) : place.label;
  const info = path === null ? null : await lstat(onDisk(root, path)).catch(() => null);
  return [{ path: place.label, kind: "file", mtimeMs: info?.mtimeMs ?? 0 }];
}

/** Lines have no meaning for names, and a range that is dropped in silence would be taken for granted. */
function refuseSelectors(places: readonly Place[]): void {
  const selected = places.find((place) => place.kind !== "folder" && place.selector !== null);
  if (selected === undefined) return;
  throw new ToolError("SELECTOR_INVALID", `find takes no line range: ${selected.label}`, {
    hint: "Leave the range out",
  });
}

const NAMED = 3;

/** For an answer without paths: is there something that the ignore rules left out? */
async function ignored(asked: FindQuery, ground: Ground): Promise<Notice[]> {
  if (asked.ignore === "off" || asked.targets.length === 0) return [];
  const query: FindQuery = { ...asked, ignore: "off", order: "none", timeoutMs: ABSENCE_TIME_AGENT };
  const found = findEntries(query, planScope(query), { ...ground, onFound: undefined });
  const entries = await take(found, NAMED + 1);
  if (entries.length === 0) return [];
  const names = entries.slice(0, NAMED).map(({ path }) => path);
  const more = entries.length > NAMED ? ", and more" : "";
  return [{ code: "EXCLUDED", message: `Ignore rules leave out what matches: ${names.join(", ")}${more}` }];
}
