import { statSync } from "node:fs";
import type { Entry } from "../../model/match.ts";
import { comparePaths } from "../../workspace/path-order.ts";
import type { AskedFind, ListedPage } from "../ask.ts";
import type { FileTable } from "../file-table.ts";
import type { FolderSet } from "../folder-set.ts";
import { keyOnDisk, type PathKey, pathOfKey } from "../path-key.ts";
import { scopeFilter } from "./scope-filter.ts";

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
  const wanted = scopeFilter(scope);
  const byAge = order === "mtime";
  const most = limit ?? Number.POSITIVE_INFINITY;
  const files: Item[] = [];
  let total = 0;
  for (const entry of kinds === "folders" ? [] : byAge ? table.byAge() : table.byPath()) {
    if (!wanted(entry.key, "file")) continue;
    total += 1;
    if (files.length < most) files.push(entry);
  }
  const found: Item[] = [];
  for (const key of kinds === "files" ? [] : folders.values()) {
    if (wanted(key, "folder")) found.push({ key, mtimeMs: byAge ? modified(root, key) : 0 });
  }
  total += found.length;
  const compare = (one: Item, other: Item): number =>
    (byAge ? other.mtimeMs - one.mtimeMs : 0) || comparePaths(one.key, other.key);
  found.sort(compare);
  const entries = [...merged(files, found, compare, most)];
  return { entries, total };
}

function* merged(
  files: readonly Item[],
  folders: readonly Item[],
  compare: (one: Item, other: Item) => number,
  most: number,
): Generator<Entry> {
  let file = 0;
  let folder = 0;
  while (file + folder < most) {
    const [one, other] = [files[file], folders[folder]];
    if (one !== undefined && (other === undefined || compare(one, other) < 0)) {
      yield { ...pathOfKey(one.key), kind: "file", mtimeMs: one.mtimeMs };
      file += 1;
    } else if (other !== undefined) {
      yield { ...pathOfKey(other.key), kind: "folder", mtimeMs: other.mtimeMs };
      folder += 1;
    } else return;
  }
}

/** 0 for what is gone. */
function modified(root: string, key: PathKey): number {
  try {
    return statSync(keyOnDisk(root, key), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
