import { SCOPES_KNOWN } from "../../model/limits.ts";
import { type NameShapes, nameShapes, saysNothing, shapesOfAny } from "../../regex/glob-shape.ts";
import { remember } from "../../regex/recent.ts";
import type { AskedScope } from "../ask.ts";
import type { Named, NameText } from "../name-list.ts";
import { addBits, type Bits, countBits, emptyBits, intersect, nextBit, removeBit } from "./bits.ts";
import { scopeFilter, startOf } from "./scope-filter.ts";
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
  if (isWhole(scope)) return null;
  return known(named, scope, () => {
    const ranks = ranksOf(scope, named, kind);
    return { ranks, count: countBits(ranks) };
  });
}

/** Of the last scopes that files or folders were asked for, as long as none of them comes or goes. */
const KNOWN = new WeakMap<Named, { readonly version: number; readonly scopes: Map<string, InScope> }>();

function known(
  named: Named,
  { targets, include, includeNames, exclude, names }: AskedScope,
  make: () => InScope,
): InScope {
  const before = KNOWN.get(named);
  const { version } = named;
  const { scopes } = before?.version === version ? before : { scopes: new Map<string, InScope>() };
  KNOWN.set(named, { version, scopes });
  const key = JSON.stringify([targets, include, includeNames, exclude, names]);
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
  if (scope.exclude.length === 0 && unsure.length === 0) return marked;
  const filter = scopeFilter(scope);
  const wanted: Wanted = (at) => filter(entries[at]?.key ?? "", kind);
  if (scope.exclude.length === 0 && isFolders) keepByFolder(marked, named.names(), wanted);
  else keepWanted(marked, wanted);
  return marked;
}

const EVERYTHING = nameShapes("**");

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
