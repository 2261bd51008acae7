import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import type { FilePath } from "../model/match.ts";
import type { Scope, Target } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { pathFromBytes } from "../ripgrep/paths.ts";
import { onDisk } from "../workspace/targets.ts";

/**
 * The folders of a scope, empty ones too. ripgrep lists no folders, but asked to explain itself it names
 * those it does not enter; all others on disk it walked, and those are the ones listed here.
 */

interface Folder {
  /** As ripgrep would print it. */
  readonly shown: FilePath;
  /** Where it really is, one character a byte. */
  readonly real: string;
  /** The folder it was found in: a link that leads to one on this way is a loop. */
  readonly parent: Folder | null;
}

/** Folders read at the same time. */
const AT_ONCE = 32;

export async function* folders(
  scope: Scope,
  targets: readonly Target[],
  ignored: readonly Ignored[],
  isOver: () => boolean,
): AsyncGenerator<FilePath[]> {
  const left = new Set(ignored.map(({ path }) => path));
  const queue: Folder[] = [];
  // Several globs below one folder are one walk of it.
  for (const path of new Set(targets.filter(({ kind }) => kind === "folder").map((target) => target.path))) {
    const shown = { path };
    queue.push({ shown, real: (await realPlace(scope, shown)) ?? path, parent: null });
  }
  while (queue.length > 0) {
    const batch = queue.splice(0, AT_ONCE);
    if (isOver()) return;
    const found = (await Promise.all(batch.map((folder) => subfolders(scope, folder, left)))).flat();
    // One by one: a folder may hold more than a call takes arguments.
    for (const folder of found) queue.push(folder);
    yield found.map(({ shown }) => shown);
  }
}

async function subfolders(scope: Scope, folder: Folder, left: ReadonlySet<string>): Promise<Folder[]> {
  const { path, pathBytes } = folder.shown;
  const entries = await readdir(onDisk(scope.root, path, pathBytes), {
    withFileTypes: true,
    encoding: "buffer",
  }).catch(() => []);
  const bytes = pathBytes === undefined ? Buffer.from(path) : Buffer.from(pathBytes, "base64");
  const parent = path === "." ? [] : [bytes, SLASH];
  const found: Folder[] = [];
  for (const entry of entries) {
    const shown = pathFromBytes(Buffer.concat([...parent, entry.name]));
    if (left.has(shown.path)) continue;
    const real = await realFolder(scope, folder, entry, shown);
    if (real !== null) found.push({ shown, real, parent: folder });
  }
  return found;
}

const SLASH = Buffer.from("/");

async function realFolder(
  scope: Scope,
  parent: Folder,
  entry: Dirent<Buffer>,
  shown: FilePath,
): Promise<string | null> {
  if (entry.isDirectory()) return `${parent.real}/${entry.name.toString("latin1")}`;
  if (scope.links !== "follow" || !entry.isSymbolicLink()) return null;
  const isFolder = await stat(onDisk(scope.root, shown.path, shown.pathBytes)).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isFolder) return null;
  const real = await realPlace(scope, shown);
  for (let folder: Folder | null = parent; folder !== null; folder = folder.parent) {
    if (folder.real === real) return null;
  }
  return real;
}

function realPlace(scope: Scope, { path, pathBytes }: FilePath): Promise<string | null> {
  return realpath(onDisk(scope.root, path, pathBytes), "buffer").then(
    (bytes) => bytes.toString("latin1"),
    () => null,
  );
}
