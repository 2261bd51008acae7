/** What `quarry doctor` says of the index: whether the system tells of changes, and what is saved. */
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { count, grouped, size } from "../format/count.ts";
import { unfit } from "../index/fitness.ts";
import { indexHome, savedTrees } from "../index/places.ts";
import { indexCacheBytes } from "../index/settings.ts";
import { DOCTOR_TIME } from "../model/limits.ts";
import { DEFAULTS } from "../model/request.ts";
import { codeOf } from "../workspace/real-path.ts";

export interface IndexDiagnosis {
  /** Why ripgrep answers in the current folder, whatever is asked for; null: an index may. */
  readonly against: string | null;
  /** Folders that the system watches for one user at most; null: it does not say. */
  readonly watches: number | null;
  /** Folders of the current one; null: not counted, because it has no index or they are too many. */
  readonly folders: number | null;
  readonly trees: number;
  readonly bytes: number;
  readonly mostBytes: number;
  readonly folder: string;
}

/** @throws INVALID_INPUT, CACHE_UNSAFE */
export function diagnoseIndex(cwd: string, env: NodeJS.ProcessEnv): IndexDiagnosis {
  const mostBytes = indexCacheBytes(env);
  const folder = indexHome(env);
  const trees = savedTrees(env);
  const against = whyNot(cwd, env);
  const watches = maxWatches();
  return {
    against,
    watches,
    folders: against === null ? countFolders(cwd) : null,
    trees: trees.length,
    bytes: trees.reduce((sum, { bytes }) => sum + bytes, 0),
    mostBytes,
    folder,
  };
}

/** Rows of the report. */
export function indexRows(index: IndexDiagnosis | null): [string, string][] {
  if (index === null) return [["index", "not known, see below"]];
  const { trees, bytes, mostBytes, folder } = index;
  return [
    ["index", usable(index)],
    [
      "saved",
      `${count(trees, "index", "indexes")}, ${size(bytes)} of at most ${size(mostBytes)}, in ${folder}`,
    ],
  ];
}

function usable({ against, watches, folders }: IndexDiagnosis): string {
  if (against !== null) return `not used here: ${against}`;
  if (watches === null) return "used; the system does not say how many folders it watches";
  if (folders === null)
    return `used where its folders fit in ${grouped(watches)} watches (inotify); not counted`;
  const need = `${count(folders, "folder")} here, ${grouped(watches)} watches (inotify)`;
  return folders < watches
    ? `used: ${need}`
    : `not used here: ${need}; raise fs.inotify.max_user_watches to have one`;
}

function whyNot(cwd: string, env: NodeJS.ProcessEnv): string | null {
  try {
    return unfit(realpathSync(cwd), env);
  } catch (cause) {
    return `the current folder cannot be looked at: ${codeOf(cause)}`;
  }
}

function maxWatches(): number | null {
  try {
    const text = readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8").trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

/** The feed watches all but those of version control. */
function countFolders(root: string): number | null {
  const until = performance.now() + DOCTOR_TIME;
  const open = [root];
  let folders = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (performance.now() > until) return null;
    folders += 1;
    for (const name of foldersIn(at)) if (!DEFAULTS.vcsFolders.includes(name)) open.push(join(at, name));
  }
  return folders;
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
