import { lstatSync, type Stats } from "node:fs";
import { DEFAULTS } from "../model/request.ts";
import type { FarRules } from "./feed/rules-watch.ts";
import { keyOnDisk, type PathKey, splitKey } from "./path-key.ts";

/** Which paths of a tree decide what ripgrep lists of it, and which folders no index holds. Asked by `tree.ts`. */

/** These, wherever they lie, change what ripgrep lists. */
export const RULE_NAMES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore", ".git", ".jj"]);
const NOT_ENTERED = new Set<string>(DEFAULTS.vcsFolders);

export function isRules(key: PathKey): boolean {
  return RULE_NAMES.has(splitKey(key).name) || key.endsWith(".git/info/exclude");
}

/** A folder that is watched: of version control only where its ignore rules are. */
export function isWatched(key: PathKey): boolean {
  const names = key.split("/");
  const at = names.findIndex((name) => NOT_ENTERED.has(name));
  if (at === -1) return true;
  return (
    names[at] === ".git" && (at === names.length - 1 || (names[at + 1] === "info" && at === names.length - 2))
  );
}

/** In a folder that no index holds, or that folder. */
export function isOfRepository(key: PathKey): boolean {
  return key.split("/").some((name) => NOT_ENTERED.has(name));
}

/** Of these rules, those that may change without an event in the tree: behind links, and by other names. */
export function farRules(root: string, rules: Iterable<PathKey>): FarRules {
  const files: string[] = [];
  const repositories: string[] = [];
  for (const key of rules) {
    const { folder, name } = splitKey(key);
    const info = statOf(root, key);
    if (info === undefined || (name !== ".git" && info.isDirectory())) continue;
    if (name === ".git" || name === ".jj") {
      if (!info.isDirectory()) repositories.push(String(keyOnDisk(root, folder)));
    } else if (info.isSymbolicLink() || info.nlink > 1) files.push(String(keyOnDisk(root, key)));
  }
  return { files, repositories };
}

function statOf(root: string, key: PathKey): Stats | undefined {
  try {
    return lstatSync(keyOnDisk(root, key), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
