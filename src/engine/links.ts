import { realpath, stat } from "node:fs/promises";
import { dirname, parse, sep } from "node:path";
import { LINKS_AT_ONCE, NAMES_PER_CHILD } from "../model/limits.ts";
import type { Scope, Target } from "../model/query.ts";
import { aborted } from "../ripgrep/child.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { pathBelow } from "../workspace/real-path.ts";
import { onDisk } from "../workspace/targets.ts";
import { filesLeft, leftOut as leftOutOf } from "./exclusions.ts";
import type { Ground } from "./ground.ts";
import { askedLeftOut, type LeftOut, pathIn, toldLeftOut, type Walked } from "./left-out.ts";
import type { Ledger } from "./ledger.ts";
import { hiddenFolders } from "./link-rules.ts";
import { holdsLinks, type LinkWalk, linkWalk, type Met } from "./link-walk.ts";
import { comparePaths } from "../workspace/path-order.ts";
import { rulesAbove } from "./rules-above.ts";

/**
 * Follows the links of a scope to folders, each folder once: one that the walk comes to by its own name is shown under
 * that name only, any other under the first link by path. ripgrep is never told to follow links, which would take it
 * through a link to `/`: every link that may be followed becomes an operand, together with others where neither
 * changes what the other shows. Search and find tell of each run, and then ask for links until there are none.
 */

export interface Links {
  /** A run over these targets begins. `silent`: it will not say what it leaves out, so that must be asked. */
  readonly begin: (targets: readonly Target[], explains: "explains" | "silent", timeMs: number) => Begun;
  /** The next links to follow, in one run; null when there is none, or no time. */
  readonly next: (timeMs: number) => Promise<Followed | null>;
  /** Ends what goes on. */
  readonly stop: () => void;
}

export interface Begun {
  /** The run has ended; what it left out, unless it was silent. */
  readonly end: (ignored: readonly Ignored[], timeMs: number) => Promise<void>;
}

export interface Followed {
  readonly targets: readonly Target[];
  /** Whether a path below one of the links is not shown under another name. */
  readonly isNew: (path: string) => boolean;
}

/** A folder that was walked, with what was left out of it. */
interface Area extends Walked {
  readonly leftOut: LeftOut;
}

/** A link to a folder. */
interface FolderLink extends Met {
  /** Where it leads. */
  readonly leadsTo: string;
}

const NO_LINKS: Links = {
  begin: () => ({ end: async () => {} }),
  next: async () => null,
  stop: () => {},
};

export function linksOf(scope: Scope, given: Ground, ledger: Ledger): Links {
  if (scope.links !== "once") return NO_LINKS;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ...(given.signal === undefined ? [] : [given.signal])]);
  const ground: Ground = { ...given, signal };
  const names = plainNames(scope.exclude);
  const areas: Area[] = [];
  let pending: FolderLink[] = [];
  /** The folders that were walked, by where they really are. */
  const taken = new Set<string>();

  const isSkipped = (real: string): boolean =>
    names.has(real.slice(real.lastIndexOf(sep) + 1)) || taken.has(real);

  const timeUp = (end: number): boolean => {
    if (signal.aborted) throw aborted(signal);
    if (performance.now() < end) return false;
    ledger.timedOut();
    return true;
  };

  const begin: Links["begin"] = (targets, explains, timeMs) => {
    let ended = false;
    const without = (exclude: readonly string[]): Scope => ({
      ...scope,
      exclude: [...scope.exclude, ...exclude],
    });
    const asked = askedLeftOut({
      leftOut: (exclude) => leftOutOf(without(exclude), targets, ground, timeMs),
      files: (exclude) => filesLeft(without(exclude), targets, ground, timeMs),
    });
    const isOver = (): boolean => ended || signal.aborted;
    const look = async (): Promise<Look> => {
      const walked = await walkedFolders(scope, targets);
      const walk = linkWalk(walked, isSkipped);
      const found: FolderLink[] = [];
      await walk.ahead(isOver);
      const resolved = await resolveLinks(walk.links, found, isOver);
      const isWhole = walk.isThrough() && resolved === walk.links.length;
      if (explains === "silent" && isWhole) await learn(asked, walked, found, walk.waiting());
      return { walked, walk, found, resolved, isWhole };
    };
    const looking = look();
    // What goes wrong is told at the end of the run, if there is one.
    looking.catch(() => {});

    return {
      end: async (ignored, leftMs) => {
        ended = true;
        const end = performance.now() + leftMs;
        const { walked, walk, found, resolved, isWhole } = await looking;
        const isEnough = isWhole && walk.waiting().every((folder) => isHidden(asked, folder));
        const leftOut: LeftOut =
          explains === "explains"
            ? toldLeftOut(ignored)
            : isEnough
              ? asked
              : toldLeftOut(await leftOutOf(scope, targets, ground, leftMs));
        const isLate = (): boolean => signal.aborted || performance.now() >= end;
        await walk.rest(leftOut, isLate);
        await resolveLinks(walk.links.slice(resolved), found, isLate);
        timeUp(end);
        for (const folder of walked) {
          areas.push({ ...folder, leftOut });
          taken.add(folder.real);
        }
        pending = [...pending, ...found.filter((link) => !isHidden(leftOut, link))];
        pending.sort((one, other) => comparePaths(one.path, other.path));
      },
    };
  };

  /** Whether a folder was walked by its own name, or through another link. */
  const isWalked = async ({ leadsTo }: FolderLink): Promise<boolean> => {
    for (const area of areas) {
      const path = pathIn(area, leadsTo);
      if (path === null) continue;
      if (path === area.path) return true;
      await area.leftOut.learnHeld(area, [path]);
      await area.leftOut.learn(area, [path]);
      if (!area.leftOut.covers(area, path)) return true;
    }
    return false;
  };

  const mayFollow = ({ path, leadsTo }: FolderLink): boolean =>
    !isRoot(leadsTo) && ground.guard?.withholdsLink({ path }) !== true;

  /** Links for which it was asked whether a rule for folders hides them. */
  const ruled = new Map<string, "shown" | "hidden" | "unknown">();
  /** Asked for all links of a folder at once. */
  const ruleFor = async (link: FolderLink, timeMs: number): Promise<void> => {
    const folder = dirname(link.real);
    const beside = pending.filter((other) => dirname(other.real) === folder && mayFollow(other));
    const asked = [link, ...beside.filter(({ path }) => !ruled.has(path))] as const;
    const hidden = await hiddenFolders(scope, asked, ground, timeMs);
    for (const { path } of asked)
      ruled.set(path, hidden === null ? "unknown" : hidden.has(path) ? "hidden" : "shown");
  };

  const isFollowed = async (link: FolderLink, timeMs: number): Promise<boolean> => {
    if (await isWalked(link)) return false;
    if (!mayFollow(link)) {
      ledger.denied(1);
      return false;
    }
    if (!ruled.has(link.path)) await ruleFor(link, timeMs);
    if (ruled.get(link.path) !== "unknown") return ruled.get(link.path) === "shown";
    const message = "is a link beside too many others, and was not followed";
    ledger.notice({ code: "UNREADABLE", path: link.path, message });
    ledger.unreadable(1);
    return false;
  };

  const rules = rulesAbove();
  /** What links that go into one run have in common; null for one that goes alone. */
  const companyOf = ({ leadsTo }: FolderLink): string | null => {
    // Links in it come before those behind it, and may lead to the same folders.
    if (holdsLinks(leadsTo, isSkipped)) return null;
    return scope.ignore === "off" ? "" : rules.shared(leadsTo);
  };

  const next: Links["next"] = async (timeMs) => {
    const end = performance.now() + timeMs;
    const together: FolderLink[] = [];
    let company: string | null = null;
    for (let link = pending.shift(); link !== undefined; link = pending.shift()) {
      if (timeUp(end)) return null;
      if (!(await isFollowed(link, end - performance.now()))) continue;
      const its = companyOf(link);
      if (together.length === 0) company = its;
      else if (its !== company || together.some((other) => overlap(link, other))) {
        pending.unshift(link);
        break;
      }
      together.push(link);
      if (company === null || together.length === NAMES_PER_CHILD) break;
    }
    if (together.length === 0) return null;
    const walkedBefore = together.flatMap(({ path, leadsTo }) =>
      areas.flatMap(({ real }) => pathIn({ path, real: leadsTo }, real) ?? []),
    );
    return {
      targets: together.map(({ path }) => ({ path, kind: "folder", glob: null })),
      isNew: (path) => !walkedBefore.some((one) => path === one || path.startsWith(`${one}/`)),
    };
  };

  return { begin, next, stop: () => stopping.abort() };
}

interface Look {
  readonly walked: readonly Walked[];
  readonly walk: LinkWalk;
  readonly found: FolderLink[];
  /** How many of the links were looked behind. */
  readonly resolved: number;
  /** Nothing is left to look at, but for what waits. */
  readonly isWhole: boolean;
}

/**
 * Asks about the links, the folders that they lead to and those that wait. Where a folder is in the walk by its own
 * name, which nearly all are, nothing need be known about the link.
 */
async function learn(
  asked: LeftOut,
  walked: readonly Walked[],
  found: readonly FolderLink[],
  waiting: readonly Met[],
): Promise<void> {
  const led = (folder: Walked, { leadsTo }: FolderLink): string[] => {
    const path = pathIn(folder, leadsTo);
    return path === null || path === folder.path ? [] : [path];
  };
  for (const folder of walked) {
    await asked.learnHeld(
      folder,
      found.flatMap((link) => led(folder, link)),
    );
  }
  const isHeld = (link: FolderLink): boolean =>
    walked.some(
      (folder) =>
        folder.real === link.leadsTo ||
        led(folder, link).some((path) => asked.covers(folder, path) === false),
    );
  const unsure = found.filter((link) => !isHeld(link));
  for (const folder of walked) {
    const here = [...unsure, ...waiting].filter((met) => met.walked === folder).map(({ path }) => path);
    await asked.learn(folder, [...here, ...unsure.flatMap((link) => led(folder, link))]);
  }
}

function isHidden(leftOut: LeftOut, { walked, path }: Met): boolean {
  return leftOut.covers(walked, path) === true;
}

/** One of them leads to where the other does, or below. */
function overlap(one: FolderLink, other: FolderLink): boolean {
  return pathBelow(one.leadsTo, other.leadsTo) !== null || pathBelow(other.leadsTo, one.leadsTo) !== null;
}

/** Never entered, whatever the policy says. */
function isRoot(path: string): boolean {
  return parse(path).root === path;
}

async function walkedFolders({ root }: Scope, targets: readonly Target[]): Promise<Walked[]> {
  const walked: Walked[] = [];
  for (const path of new Set(targets.flatMap(({ kind, path }) => (kind === "folder" ? [path] : [])))) {
    const real = await realpath(onDisk(root, path)).catch(() => null);
    if (real !== null) walked.push({ path, real });
  }
  return walked;
}

/** Adds those of the links that lead to folders, and says how many it looked behind. */
async function resolveLinks(
  links: readonly Met[],
  found: FolderLink[],
  isOver: () => boolean,
): Promise<number> {
  let from = 0;
  for (; from < links.length && !isOver(); from += LINKS_AT_ONCE) {
    const some = links.slice(from, from + LINKS_AT_ONCE).map(folderBehind);
    for (const link of await Promise.all(some)) if (link !== null) found.push(link);
  }
  return Math.min(from, links.length);
}

async function folderBehind(link: Met): Promise<FolderLink | null> {
  try {
    const isFolder = (await stat(link.real)).isDirectory();
    return isFolder ? { ...link, leadsTo: await realpath(link.real) } : null;
  } catch {
    return null;
  }
}

/** Of globs, those that are nothing but the name of what they leave out. */
function plainNames(globs: readonly string[]): ReadonlySet<string> {
  return new Set(globs.flatMap((glob) => /^([^\\*?[\]{}!/]+)\/?$/.exec(glob)?.[1] ?? []));
}
