import { statSync } from "node:fs";
import type { Entry } from "../../model/match.ts";
import { comparePaths } from "../../workspace/path-order.ts";
import type { AskedFind, ListedPage } from "../ask.ts";
import type { FileTable, Entry as Indexed } from "../file-table.ts";
import type { FolderSet } from "../folder-set.ts";
import { keyOfPath, keyOnDisk, type PathKey, pathOfKey } from "../path-key.ts";
import { smallest } from "./smallest.ts";
import { scopeFilter } from "./scope-filter.ts";
import { sought } from "./sought.ts";

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
  const files = filesOf(
    table,
    kinds === "folders" ? [] : (sought(scope, table)?.entries ?? table.values()),
    wanted,
    byAge,
    most,
  );
  const found: Item[] = [];
  for (const key of kinds === "files" ? [] : folders.values()) {
    if (wanted(key, "folder")) found.push({ key, mtimeMs: byAge ? modified(root, key) : 0 });
  }
  const compare = (one: Item, other: Item): number =>
    (byAge ? other.mtimeMs - one.mtimeMs : 0) || comparePaths(one.key, other.key);
  found.sort(compare);
  const entries = [...merged(files.first, found, compare, most)].map((entry) =>
    // Only those that are told are looked at on disk.
    entry.kind === "folder" && !byAge ? { ...entry, mtimeMs: modified(root, keyOfPath(entry)) } : entry,
  );
  return { entries, total: files.total + found.length };
}

/** The first of those that are wanted, in order, and how many there are. */
function filesOf(
  table: FileTable,
  among: Iterable<Indexed>,
  wanted: ReturnType<typeof scopeFilter>,
  byAge: boolean,
  most: number,
): { readonly first: readonly Indexed[]; readonly total: number } {
  const entries = byAge ? table.byAge() : table.byPath();
  const chosen = smallest(most);
  let total = 0;
  for (const entry of among) {
    if (!wanted(entry.key, "file")) continue;
    total += 1;
    chosen.add(byAge ? entry.age : entry.rank);
  }
  const first = chosen.sorted().flatMap((at) => entries[at] ?? []);
  return { first, total };
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
