import { statSync } from "node:fs";
import type { Entry } from "../../model/match.ts";
import { comparePaths } from "../../workspace/path-order.ts";
import type { AskedFind, AskedScope, ListedPage } from "../ask.ts";
import type { Entry as Indexed } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import type { FolderSet } from "../folder-set.ts";
import type { Keyed } from "../name-list.ts";
import { keyOnDisk, type PathKey, pathOfKey } from "../path-key.ts";
import { hasBit, listBits, nextBit } from "./bits.ts";
import { type InScope, scopeFiles, scopeFolders } from "./scope-files.ts";

/** The answer to a question for names: all that match are counted, the first of them told. Called by `keeper.ts`. */
export function listedPage(
  root: string,
  { scope, kinds, order, limit }: AskedFind,
  table: FileTable,
  folders: FolderSet,
): ListedPage {
  const byAge = order === "mtime";
  const most = limit ?? Number.POSITIVE_INFINITY;
  const files = kinds === "folders" ? NO_FILES : filesOf(table, scopeFiles(scope, table), byAge, most);
  const within = kinds === "files" ? [] : foldersOf(root, scope, folders, byAge);
  return { entries: merged(root, files.first, within, byAge, most), total: files.total + within.length };
}

interface Item extends Keyed {
  /** 0 where it makes no difference. */
  readonly mtimeMs: number;
}

const byPath = (one: Keyed, other: Keyed): number => comparePaths(one.key, other.key);
const newestFirst = (one: Item, other: Item): number => other.mtimeMs - one.mtimeMs || byPath(one, other);

/** All that are wanted, in order. */
function foldersOf(root: string, scope: AskedScope, folders: FolderSet, byAge: boolean): readonly Item[] {
  const all = folders.byPath();
  const wanted = scopeFolders(scope, folders);
  const keys =
    wanted === null ? all : Array.from(listBits(wanted.ranks, wanted.count), (at) => all[at] as Keyed);
  const items = keys.map(({ key }): Item => ({ key, mtimeMs: byAge ? modified(root, key) : 0 }));
  return byAge ? items.sort(newestFirst) : items;
}

function entryOf(key: PathKey, kind: Entry["kind"], mtimeMs: number): Entry {
  const { path, pathBytes } = pathOfKey(key);
  return pathBytes === undefined ? { path, kind, mtimeMs } : { path, pathBytes, kind, mtimeMs };
}

interface FirstFiles {
  readonly first: readonly Indexed[];
  readonly total: number;
}

const NO_FILES: FirstFiles = { first: [], total: 0 };

/** The first of those that are wanted, in order, and how many there are. */
function filesOf(table: FileTable, wanted: InScope | null, byAge: boolean, most: number): FirstFiles {
  const entries = byAge ? table.byAge() : table.byPath();
  if (wanted === null) return { first: entries.slice(0, most), total: entries.length };
  const first = byAge ? newest(table, wanted, most) : firstByPath(entries, wanted, most);
  return { first, total: wanted.count };
}

function firstByPath(byPath: readonly Indexed[], { ranks }: InScope, most: number): readonly Indexed[] {
  const first: Indexed[] = [];
  for (let at = nextBit(ranks, 0); at !== -1 && first.length < most; at = nextBit(ranks, at + 1)) {
    const entry = byPath[at];
    if (entry !== undefined) first.push(entry);
  }
  return first;
}

/** Of many files the newest are soon met among all, of few they are soon chosen. */
function newest(table: FileTable, wanted: InScope, most: number): readonly Indexed[] {
  const byAge = table.byAge();
  const { ranks, count } = wanted;
  if (count * count >= most * byAge.length) {
    const first: Indexed[] = [];
    for (const entry of byAge) {
      if (first.length >= most) break;
      if (hasBit(ranks, entry.rank)) first.push(entry);
    }
    return first;
  }
  const byPath = table.byPath();
  const ages = listBits(ranks, count).map((rank) => byPath[rank]?.age ?? 0);
  return Array.from(ages.sort().subarray(0, most)).flatMap((age) => byAge[age] ?? []);
}

/** Of both, which are in order, the first. Only folders that are told are looked at on disk. */
function merged(
  root: string,
  files: readonly Indexed[],
  folders: readonly Item[],
  byAge: boolean,
  most: number,
): readonly Entry[] {
  const first: Entry[] = [];
  const isBefore = byAge ? newestFirst : byPath;
  let [file, folder] = [0, 0];
  while (first.length < most) {
    const [one, other] = [files[file], folders[folder]];
    if (one !== undefined && (other === undefined || isBefore(one, other) < 0)) {
      first.push(entryOf(one.key, "file", one.mtimeMs));
      file += 1;
    } else if (other !== undefined) {
      first.push(entryOf(other.key, "folder", byAge ? other.mtimeMs : modified(root, other.key)));
      folder += 1;
    } else break;
  }
  return first;
}

/** 0 for what is gone. */
function modified(root: string, key: PathKey): number {
  try {
    return statSync(keyOnDisk(root, key), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
