import { statSync } from "node:fs";
import type { Entry } from "../../model/match.ts";
import { comparePaths } from "../../workspace/path-order.ts";
import type { AskedFind, ListedPage } from "../ask.ts";
import type { Entry as Indexed } from "../entry.ts";
import type { FileTable } from "../file-table.ts";
import type { FolderSet } from "../folder-set.ts";
import { keyOnDisk, type PathKey, pathOfKey } from "../path-key.ts";
import { hasBit, listBits, nextBit } from "./bits.ts";
import { type ScopeFiles, scopeFiles, scopeFolders } from "./scope-files.ts";

/** The answer to a question for names: all that match are counted, the first of them told. Called by `keeper.ts`. */

interface Item {
  readonly key: PathKey;
  readonly mtimeMs: number;
}

export function listedPage(
  root: string,
  { scope, kinds, order, limit }: AskedFind,
  table: FileTable,
  folders: FolderSet,
): ListedPage {
  const byAge = order === "mtime";
  const most = limit ?? Number.POSITIVE_INFINITY;
  const files = kinds === "folders" ? NO_FILES : filesOf(table, scopeFiles(scope, table), byAge, most);
  const within = kinds === "files" ? [] : scopeFolders(scope, folders);
  const found = within.map((key): Item => ({ key, mtimeMs: byAge ? modified(root, key) : 0 }));
  const compare = (one: Item, other: Item): number =>
    (byAge ? other.mtimeMs - one.mtimeMs : 0) || comparePaths(one.key, other.key);
  if (byAge) found.sort(compare);
  // Only those that are told are looked at on disk.
  const mtimeOf = ({ key, mtimeMs }: Item): number => (byAge ? mtimeMs : modified(root, key));
  return {
    entries: merged(files.first, found, compare, most).map(([item, kind]) =>
      entryOf(item.key, kind, kind === "folder" ? mtimeOf(item) : item.mtimeMs),
    ),
    total: files.total + found.length,
  };
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
function filesOf(table: FileTable, wanted: ScopeFiles | null, byAge: boolean, most: number): FirstFiles {
  const entries = byAge ? table.byAge() : table.byPath();
  if (wanted === null) return { first: entries.slice(0, most), total: entries.length };
  const first = byAge ? newest(table, wanted, most) : firstByPath(entries, wanted, most);
  return { first, total: wanted.count };
}

function firstByPath(byPath: readonly Indexed[], { ranks }: ScopeFiles, most: number): readonly Indexed[] {
  const first: Indexed[] = [];
  for (let at = nextBit(ranks, 0); at !== -1 && first.length < most; at = nextBit(ranks, at + 1)) {
    const entry = byPath[at];
    if (entry !== undefined) first.push(entry);
  }
  return first;
}

/** Of many files the newest are soon met among all, of few they are soon chosen. */
function newest(table: FileTable, wanted: ScopeFiles, most: number): readonly Indexed[] {
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

/** Both in order, the first of them. */
function merged(
  files: readonly Item[],
  folders: readonly Item[],
  compare: (one: Item, other: Item) => number,
  most: number,
): readonly (readonly [item: Item, kind: Entry["kind"]])[] {
  const first: (readonly [item: Item, kind: Entry["kind"]])[] = [];
  let file = 0;
  let folder = 0;
  while (first.length < most) {
    const one = files[file];
    const other = folders[folder];
    if (one !== undefined && (other === undefined || compare(one, other) < 0)) {
      first.push([one, "file"]);
      file += 1;
    } else if (other !== undefined) {
      first.push([other, "folder"]);
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
