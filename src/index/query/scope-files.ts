import { SCOPES_KNOWN } from "../../model/limits.ts";
import { type NameShapes, nameShapes, saysNothing, shapesOfAny } from "../../regex/glob-shape.ts";
import { remember } from "../../regex/recent.ts";
import { comparePaths } from "../../workspace/path-order.ts";
import type { AskedScope } from "../ask.ts";
import type { Entry } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import type { FolderSet } from "../folder-set.ts";
import type { NameText } from "../name-list.ts";
import type { PathKey } from "../path-key.ts";
import { addBits, type Bits, countBits, emptyBits, intersect, nextBit, removeBit } from "./bits.ts";
import { scopeFilter, startOf } from "./scope-filter.ts";
import { markShaped, type Range } from "./shaped.ts";

/**
 * The files and folders of a scope. What globs say of names is looked up, and only what is left is put to
 * `scope-filter.ts`, which has the last word. Those of the last few scopes are remembered until a name comes or goes:
 * agents ask for the same globs and types again and again. Asked by `cursor.ts` and `listed.ts`.
 */

export interface ScopeFiles {
  /** By rank. */
  readonly ranks: Bits;
  readonly count: number;
}

/** null: all of them. */
export function scopeFiles(scope: AskedScope, table: FileTable): ScopeFiles | null {
  if (isWhole(scope)) return null;
  return FILES.of(table, scope, () => {
    const ranks = ranksOf(scope, table);
    return { ranks, count: countBits(ranks) };
  });
}

/** By path. */
export function scopeFolders(scope: AskedScope, folders: FolderSet): readonly PathKey[] {
  return FOLDERS.of(folders, scope, () => {
    const wanted = scopeFilter(scope);
    return Array.from(folders.values())
      .filter((key) => wanted(key, "folder"))
      .sort(comparePaths);
  });
}

/** What is known of the last scopes that a tree's files or folders were asked for, as long as none comes or goes. */
interface Known<Owner, T> {
  readonly of: (owner: Owner, scope: AskedScope, make: () => T) => T;
}

function knownOf<Owner extends { readonly version: number }, T extends object>(): Known<Owner, T> {
  const byOwner = new WeakMap<Owner, { readonly version: number; readonly scopes: Map<string, T> }>();
  return {
    of: (owner, { targets, include, includeNames, exclude, names }, make) => {
      const before = byOwner.get(owner);
      const { version } = owner;
      const { scopes } = before?.version === version ? before : { scopes: new Map<string, T>() };
      byOwner.set(owner, { version, scopes });
      const key = JSON.stringify([targets, include, includeNames, exclude, names]);
      const value = scopes.get(key) ?? make();
      remember(scopes, key, value, SCOPES_KNOWN);
      return value;
    },
  };
}

const FILES: Known<FileTable, ScopeFiles> = knownOf();
const FOLDERS: Known<FolderSet, readonly PathKey[]> = knownOf();

function isWhole({ targets, include, exclude, names }: AskedScope): boolean {
  return (
    include.length + exclude.length + names.length === 0 &&
    targets.some((target) => target.glob === null && startOf(target) === "")
  );
}

function ranksOf(scope: AskedScope, table: FileTable): Bits {
  const entries = table.byPath();
  const marked = emptyBits(entries.length);
  const unsure: NameShapes["sure"][] = [];
  const mark = (shapes: NameShapes | null, range: Range, among: Bits): void => {
    if (shapes?.sure !== "all") unsure.push(shapes?.sure ?? "nothing");
    if (shapes === null || saysNothing(shapes)) addBits(among, ...range);
    else markShaped(table.names(), shapes.any, range, among);
  };
  for (const target of scope.targets) {
    mark(target.glob === null ? EVERYTHING : nameShapes(target.glob), table.range(startOf(target)), marked);
  }
  for (const globs of [scope.include, scope.names]) {
    if (globs.length === 0) continue;
    const own = emptyBits(entries.length);
    mark(shapesOfAny(globs), [0, entries.length], own);
    intersect(marked, own);
  }
  const isFolders = scope.targets.length === 1 && unsure.length === 1 && unsure[0] === "folder";
  if (scope.exclude.length === 0 && unsure.length === 0) return marked;
  const wanted = scopeFilter(scope);
  if (scope.exclude.length === 0 && isFolders) keepByFolder(marked, entries, table.names(), wanted);
  else keepWanted(marked, entries, wanted);
  return marked;
}

const EVERYTHING = nameShapes("**");

type Wanted = ReturnType<typeof scopeFilter>;

function keepWanted(marked: Bits, entries: readonly Entry[], wanted: Wanted): void {
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    if (!wanted(entries[at]?.key ?? "", "file")) removeBit(marked, at);
  }
}

/** The same where one file speaks for all that are left of its folder: most of these stand together. */
function keepByFolder(marked: Bits, entries: readonly Entry[], { turns }: NameText, wanted: Wanted): void {
  let answer = false;
  let turn = 0;
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    if (turn <= at) {
      answer = wanted(entries[at]?.key ?? "", "file");
      turn = at + 1;
      while (turn < turns.length && turns[turn] === 0) turn += 1;
    }
    if (!answer) removeBit(marked, at);
  }
}
