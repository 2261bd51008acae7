import { lstat } from "node:fs/promises";
import { findEntries } from "../engine/find.ts";
import { findTree } from "../engine/find-tree.ts";
import { compareFiles } from "../engine/order.ts";
import { planScope } from "../engine/plan.ts";
import type { Ground } from "../engine/ground.ts";
import type { Guard } from "../engine/guard.ts";
import type { Ledger } from "../engine/ledger.ts";
import { knownLeftOut } from "../engine/in-time.ts";
import type { FindPage } from "../model/agent-page.ts";
import { ToolError } from "../model/errors.ts";
import { ABSENCE_TIME_AGENT, PAGE_PATHS } from "../model/limits.ts";
import type { Entry, FilePath } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { FindQuery, IgnoreRules, Links } from "../model/query.ts";
import { searchTimeLimit } from "../ripgrep/time-limit.ts";
import type { Session } from "../workspace/session.ts";
import { isStillThere, stillThere } from "../workspace/still-there.ts";
import { fileKey, onDisk } from "../workspace/targets.ts";
import { agentScope } from "./agent-scope.ts";
import { throwIfAborted } from "./answer.ts";
import { type GlobBelow, type GlobPlaces, neverEntered, readGlob } from "./glob-place.ts";
import { chooseMembers, memberFile, type OpenArchives, openArchives } from "./open-archives.ts";
import { isSingle, type Place, type Places, readPlaces } from "./places.ts";
import { tellable } from "./tellable.ts";
import { take } from "./view.ts";
import { guardOf } from "./walk-candidates.ts";

/**
 * The find that every agent's tool is made of: a page of files and folders, newest first, on the ground of a
 * session. Folders are walked by ripgrep's rules; a file, a member of an archive or a URL that was named is itself.
 */

export interface AgentFind {
  readonly sought: Sought;
  readonly kinds: FindQuery["kinds"];
  readonly hidden: boolean;
  readonly ignore: IgnoreRules;
  /** Globs of what is left out, unless it is named as a place to look in. */
  readonly exclude: readonly string[];
  readonly links: Links;
  /** null: all of them. */
  readonly limit: number | null;
  readonly skip: number;
  /** @default as long as a search */
  readonly timeoutMs: number | undefined;
}

/** What to look for: entries as `places.ts` reads them, all there is without any; or a glob below one folder. */
export type Sought = { readonly paths: string | readonly string[] | undefined } | GlobBelow;

export async function agentFind(session: Session, request: AgentFind, given: Ground): Promise<FindPage> {
  const started = performance.now();
  throwIfAborted(given.signal);
  const archives = openArchives(session, given.signal);
  try {
    const timeoutMs = request.timeoutMs ?? searchTimeLimit(given.env);
    const { places, missing, unusable, wants } = await readSought(session, archives, request.sought, given);
    refuseSelectors(places);
    const guard = guardOf(session);
    const ground: Ground = { ...given, guard, onFound: confirming(session, given.onFound) };
    const query: FindQuery = {
      ...agentScope(session, places, {
        hidden: request.hidden,
        ignore: request.ignore,
        exclude: request.exclude,
        links: request.links,
      }),
      kinds: request.kinds,
      order: "mtime",
      limit: pageOf(request, places, wants),
      skip: 0,
      timeoutMs,
    };
    const plan = planScope(query);
    const found = findTree(query, plan, ground);
    const entries = new Map<string, Entry>();
    if (query.targets.length > 0) {
      for await (const some of found) {
        for (const entry of some) if (wants?.(entry) !== false) entries.set(fileKey(entry), entry);
      }
    }
    const own = new Set<string>();
    for (const place of places) {
      if (place.kind === "folder") continue;
      for (const entry of await named(session, archives, place, { guard, ledger: found.ledger })) {
        entries.set(fileKey(entry), entry);
        own.add(fileKey(entry));
      }
    }
    const all = [...entries.values()].sort(
      (one, other) => other.mtimeMs - one.mtimeMs || compareFiles(one, other),
    );
    // An abort ends the walk too, and must not look like a time-out.
    throwIfAborted(given.signal);
    const ledger = found.ledger.read();
    // Those of an index that are on no page were counted, and not told.
    const total = query.limit === null ? all.length : ledger.files;
    const listed = all.slice(request.skip, request.skip + (request.limit ?? Number.POSITIVE_INFINITY));
    // An index tells names as they are, and the policy has judged them by where they are now.
    const page =
      found.used().engine === "index" && own.size === 0 ? listed : await confirmed(session, listed, own);
    const hidden =
      all.length === 0 && !ledger.partial
        ? [...excluded(request), ...(await ignored(session, query, ground, wants))]
        : [];
    return {
      scope: places.map(({ label }) => label),
      exact: (await isSingle(places, archives)) || isWholeArchive(places),
      skip: request.skip,
      entries: page,
      found: total,
      timeoutMs,
      totalFiles: ledger.partial ? null : total,
      more: total > request.skip + listed.length,
      missing,
      notices: [
        ...unusable.map(({ message }): Notice => ({ code: "PATH_SKIPPED", message })),
        ...tellable(session, ledger.notices),
        ...hidden,
      ],
      skipped: ledger.skipped,
      partial: ledger.partial,
      ...found.used(),
      elapsedMs: Math.round(performance.now() - started),
    };
  } finally {
    await archives.close();
  }
}

interface ReadSought extends Places {
  /** Of what the walk finds. */
  readonly wants: GlobPlaces["wants"];
}

async function readSought(
  session: Session,
  archives: OpenArchives,
  sought: Sought,
  ground: Ground,
): Promise<ReadSought> {
  if ("pattern" in sought) return { ...(await readGlob(session, sought)), missing: [], unusable: [] };
  return { ...(await readPlaces(session, archives, sought.paths, ground)), wants: null };
}

/** So many are needed of the walk; null: all, since others come among them. */
function pageOf(
  { skip, limit }: AgentFind,
  places: readonly Place[],
  wants: GlobPlaces["wants"],
): number | null {
  const alone = wants === null && places.every(({ kind }) => kind === "folder");
  return alone && limit !== null ? skip + limit : null;
}

/** What of the page is still there and may be seen; what was named by itself is no path of the walk. */
async function confirmed(
  { root, policy }: Session,
  page: readonly Entry[],
  own: ReadonlySet<string>,
): Promise<Entry[]> {
  const there = await stillThere(
    policy,
    page.map(({ path, pathBytes }) => onDisk(root, path, pathBytes)),
  );
  return page.filter((entry, at) => there[at] === true || own.has(fileKey(entry)));
}

/** Whoever waits is told paths too, of those that were found first, and only counts the others. */
function confirming({ root, policy }: Session, onFound: Ground["onFound"]): Ground["onFound"] {
  if (onFound === undefined) return undefined;
  let told = 0;
  return (file, kind) => {
    if (told < PAGE_PATHS && !isStillThere(policy, onDisk(root, file.path, file.pathBytes))) return;
    told += 1;
    onFound(file, kind);
  };
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

function excluded({ sought, exclude }: AgentFind): Notice[] {
  return "pattern" in sought ? neverEntered(sought, exclude) : [];
}

/** For an answer without paths: is there something that the ignore rules left out? */
async function ignored(
  { root, policy }: Session,
  asked: FindQuery,
  ground: Ground,
  wants: GlobPlaces["wants"],
): Promise<Notice[]> {
  if (asked.ignore === "off" || asked.targets.length === 0) return [];
  // Nothing is left out of the tree at all.
  const index = ground.index?.current();
  const left = index === undefined ? null : await knownLeftOut(index, ground);
  if (left?.length === 0 && asked.ignore === "on") return [];
  const query: FindQuery = { ...asked, ignore: "off", order: "none", timeoutMs: ABSENCE_TIME_AGENT };
  const found = findEntries(query, planScope(query), { ...ground, onFound: undefined });
  const mayName = (entry: Entry): boolean =>
    wants?.(entry) !== false && isStillThere(policy, onDisk(root, entry.path, entry.pathBytes));
  const entries = await take(found, NAMED + 1, mayName);
  if (entries.length === 0) return [];
  const names = entries.slice(0, NAMED).map(({ path }) => path);
  const more = entries.length > NAMED ? ", and more" : "";
  return [{ code: "EXCLUDED", message: `Ignore rules leave out what matches: ${names.join(", ")}${more}` }];
}
