import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Scope, Target } from "../model/query.ts";
import type { Ignored } from "../ripgrep/faults.ts";
import { onDisk } from "../workspace/targets.ts";

/**
 * The folders of a scope, empty ones too. ripgrep lists no folders, but asked to explain itself it names
 * those it does not enter; all others on disk it walked, and those are the ones listed here.
 */

interface Folder {
  /** As ripgrep would print it. */
  readonly path: string;
  /** Where it really is: a link into a folder that it lies in is a loop. */
  readonly real: string;
}

/** Folders read at the same time. */
const AT_ONCE = 32;

export async function* folders(
  scope: Scope,
  targets: readonly Target[],
  ignored: readonly Ignored[],
  isOver: () => boolean,
): AsyncGenerator<string[]> {
  const left = new Set(ignored.map(({ path }) => path));
  const queue: Folder[] = [];
  for (const target of targets) {
    if (target.kind !== "folder") continue;
    queue.push({
      path: target.path,
      real: await realpath(join(scope.root, target.path)).catch(() => target.path),
    });
  }
  while (queue.length > 0) {
    const batch = queue.splice(0, AT_ONCE);
    if (isOver()) return;
    const found = (await Promise.all(batch.map((folder) => subfolders(scope, folder, left)))).flat();
    queue.push(...found);
    yield found.map(({ path }) => path);
  }
}

async function subfolders(scope: Scope, folder: Folder, left: ReadonlySet<string>): Promise<Folder[]> {
  const entries = await readdir(onDisk(scope.root, folder.path), { withFileTypes: true }).catch(() => []);
  const found: Folder[] = [];
  for (const entry of entries) {
    const path = folder.path === "." ? entry.name : `${folder.path}/${entry.name}`;
    if (left.has(path)) continue;
    const real = await realFolder(scope, folder, entry, path);
    if (real !== null) found.push({ path, real });
  }
  return found;
}

async function realFolder(scope: Scope, parent: Folder, entry: Dirent, path: string): Promise<string | null> {
  if (entry.isDirectory()) return join(parent.real, entry.name);
  if (!scope.follow || !entry.isSymbolicLink()) return null;
  const place = onDisk(scope.root, path);
  const isFolder = await stat(place).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isFolder) return null;
  const real = await realpath(place).catch(() => null);
  const loop =
    real !== null && (parent.real === real || parent.real.startsWith(real.endsWith(sep) ? real : real + sep));
  return loop ? null : real;
}
