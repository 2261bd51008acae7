import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats } from "node:fs";
import { DEFAULTS } from "../model/request.ts";
import type { FarRules } from "./feed/rules-watch.ts";
import { keyBelow, keyOnDisk, type PathKey, splitKey } from "./path-key.ts";

/** Which paths of a tree decide what ripgrep lists of it, and which folders no index holds. Asked by `tree.ts`. */

/** These, wherever they lie, change what ripgrep lists. */
export const RULE_NAMES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore", ".git", ".jj"]);
const OWN_RULES = /(?:^|\/)\.git\/info(?:\/exclude)?$/;
const NOT_ENTERED = new Set<string>(DEFAULTS.vcsFolders);

export function isRules(key: PathKey): boolean {
  return RULE_NAMES.has(splitKey(key).name) || OWN_RULES.test(key);
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

/**
 * Of these rules, those that may change without an event in the tree: behind links, and by other names. Throws where one
 * has a name that is no text, which nobody watches.
 */
export function farRules(root: string, rules: Iterable<PathKey>): FarRules {
  const files: string[] = [];
  const repositories: string[] = [];
  for (const key of rules) {
    const { folder, name } = splitKey(key);
    if (name !== ".git" && name !== ".jj") {
      if (isFar(root, key)) files.push(asText(root, key));
      continue;
    }
    const parts = [key, keyBelow(key, "info"), keyBelow(key, "info/exclude")];
    const elsewhere = statOf(root, key)?.isDirectory() === false || parts.some((part) => isFar(root, part));
    if (elsewhere) repositories.push(asText(root, folder));
  }
  return { files, repositories };
}

/** A link, or a file that can be written to by another name. */
function isFar(root: string, key: PathKey): boolean {
  const info = statOf(root, key);
  return info !== undefined && (info.isSymbolicLink() || (info.isFile() && info.nlink > 1));
}

function asText(root: string, key: PathKey): string {
  const path = keyOnDisk(root, key);
  if (typeof path === "string" || isUtf8(path)) return String(path);
  throw new Error("An ignore rule lies in a folder whose name is no text, and elsewhere");
}

function statOf(root: string, key: PathKey): Stats | undefined {
  try {
    return lstatSync(keyOnDisk(root, key), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
