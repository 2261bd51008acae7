import { SCOPES_KNOWN } from "../../model/limits.ts";
import { type NameShapes, nameShapes, saysNothing, shapesOfAny } from "../../regex/glob-shape.ts";
import { remember } from "../../regex/recent.ts";
import type { Terms } from "../../workspace/judge.ts";
import type { AskedScope } from "../ask.ts";
import type { Named, NameText } from "../name-list.ts";
import { splitKey } from "../path-key.ts";
import { addBits, type Bits, countBits, emptyBits, fullBits, intersect, nextBit, removeBit } from "./bits.ts";
import { namePolicy } from "./name-policy.ts";
import { namedBy } from "./named-by.ts";
import { leavesOut, scopeFilter, startOf } from "./scope-filter.ts";
import { markShaped, type Range } from "./shaped.ts";

/**
 * The files and folders of a scope. What globs say of names is looked up, and only what is left is put to
 * `scope-filter.ts`, which has the last word. Those of the last few scopes are remembered until a name comes or goes:
 * agents ask for the same globs and types again and again. Asked by `cursor.ts` and `listed.ts`.
 */

export interface InScope {
  /** Places by path. */
  readonly ranks: Bits;
  readonly count: number;
}

/** null: all of them. */
export function scopeFiles(scope: AskedScope, files: Named): InScope | null {
  return inScope(scope, files, "file");
}

export function scopeFolders(scope: AskedScope, folders: Named): InScope | null {
  return inScope(scope, folders, "folder");
}

type Kind = "file" | "folder";

function inScope(scope: AskedScope, named: Named, kind: Kind): InScope | null {
  const { withheld, ...open } = scope;
  if (withheld !== undefined) {
    return known(named, scope, () => allowed(inScope(open, named, kind), withheld, named, kind));
  }
  if (isWhole(scope)) return null;
  return known(named, scope, () => {
    const ranks = ranksOf(scope, named, kind);
    return { ranks, count: countBits(ranks) };
  });
}

/** Those that the session may see. */
function allowed(among: InScope | null, terms: Terms, named: Named, kind: Kind): InScope {
  const entries = named.byPath();
  const ranks = among === null ? fullBits(entries.length) : among.ranks.slice();
  const { withholds, isSaidByGlobs } = namePolicy(terms);
  const isSeen: Wanted = (at) => {
    const key = entries[at]?.key ?? "";
    return (isSaidByGlobs && ASCII.test(key)) || !withholds(key, kind);
  };
  if (!(isSaidByGlobs && areAscii(named))) keepWanted(ranks, isSeen);
  return { ranks, count: countBits(ranks) };
}

/** No name is composed of several letters. */
function areAscii(named: Named): boolean {
  const { text, turns } = named.names();
  const folders = named.byPath().filter((_, at) => turns[at] === 1);
  return ASCII.test(text) && folders.every(({ key }) => ASCII.test(key));
}

const ASCII = /^[\0-\x7f]*$/;

/** Of the last scopes that files or folders were asked for, as long as none of them comes or goes. */
const KNOWN = new WeakMap<Named, { readonly version: number; readonly scopes: Map<string, InScope> }>();

function known(
  named: Named,
  { targets, include, includeNames, exclude, names, withheld }: AskedScope,
  make: () => InScope,
): InScope {
  const before = KNOWN.get(named);
  const { version } = named;
  const { scopes } = before?.version === version ? before : { scopes: new Map<string, InScope>() };
  KNOWN.set(named, { version, scopes });
  const key = JSON.stringify([targets, include, includeNames, exclude, names, withheld]);
  const value = scopes.get(key) ?? make();
  remember(scopes, key, value, SCOPES_KNOWN);
  return value;
}

function isWhole({ targets, include, exclude, names }: AskedScope): boolean {
  return (
    include.length + exclude.length + names.length === 0 &&
    targets.some((target) => target.glob === null && startOf(target) === "")
  );
}

function ranksOf(scope: AskedScope, named: Named, kind: Kind): Bits {
  const entries = named.byPath();
  const marked = emptyBits(entries.length);
  const unsure: NameShapes["sure"][] = [];
  const mark = (shapes: NameShapes | null, range: Range, among: Bits): void => {
    if (shapes?.sure !== "all") unsure.push(shapes?.sure ?? "nothing");
    if (shapes === null || saysNothing(shapes)) addBits(among, ...range);
    else markShaped(named.names(), shapes.any, range, among);
  };
  for (const target of scope.targets) {
    mark(target.glob === null ? EVERYTHING : nameShapes(target.glob), named.range(startOf(target)), marked);
  }
  for (const globs of [scope.include, scope.names]) {
    if (globs.length === 0) continue;
    const own = emptyBits(entries.length);
    mark(shapesOfAny(globs), [0, entries.length], own);
    intersect(marked, own);
  }
  const isFolders = scope.targets.length === 1 && unsure.length === 1 && unsure[0] === "folder";
  const [start, ...others] = new Set(scope.targets.map(startOf));
  const isDropped = start !== undefined && others.length === 0;
  if (isDropped && scope.exclude.length > 0) dropLeftOut(marked, scope.exclude, start, named, kind);
  const exclude = isDropped ? [] : scope.exclude;
  if (exclude.length === 0 && unsure.length === 0) return marked;
  const filter = scopeFilter({ ...scope, exclude });
  const wanted: Wanted = (at) => filter(entries[at]?.key ?? "", kind);
  if (exclude.length === 0 && isFolders) keepByFolder(marked, named.names(), wanted);
  else keepWanted(marked, wanted);
  return marked;
}

const EVERYTHING = nameShapes("**");

/** What a walk from one folder leaves out: what has such a name, and what lies in a folder that has. */
function dropLeftOut(
  marked: Bits,
  exclude: readonly string[],
  start: string,
  named: Named,
  kind: Kind,
): void {
  const entries = named.byPath();
  const own = namedBy(exclude, named, kind, named.range(start));
  for (let at = nextBit(own, 0); at !== -1; at = nextBit(own, at + 1)) removeBit(marked, at);
  const isLeftOut = leavesOut(exclude);
  keepByFolder(marked, named.names(), (at) => {
    const { folder } = splitKey(entries[at]?.key ?? "");
    // The folder that is walked is entered, whatever its name.
    return folder === "" || folder.length < start.length || !isLeftOut(folder, "folder", start.length);
  });
}

/** Of a place by path. */
type Wanted = (at: number) => boolean;

function keepWanted(marked: Bits, wanted: Wanted): void {
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    if (!wanted(at)) removeBit(marked, at);
  }
}

/** The same where one speaks for all that are left of its folder: most of these stand together. */
function keepByFolder(marked: Bits, { turns }: NameText, wanted: Wanted): void {
  let answer = false;
  let turn = 0;
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    if (turn <= at) {
      answer = wanted(at);
      turn = at + 1;
      while (turn < turns.length && turns[turn] === 0) turn += 1;
    }
    if (!answer) removeBit(marked, at);
  }
}
