/**
 * Whether anything outside a tree changed that decides which of its files ripgrep lists: ignore files in the folders
 * above it, repositories there, the user's global ignore file. ripgrep (its crate `ignore`) reads only these. A few
 * stats a call; contents are compared, not times, so that a touched file changes nothing. Used by the index's worker.
 */
import { basename, dirname, join } from "node:path";
import type { Environment } from "../../workspace/cache.ts";
import { excludesFile, infoExclude } from "./git-files.ts";
import { createRuleFiles } from "./rule-files.ts";

export interface RulesWatchOptions {
  /** The real path of the tree; ripgrep runs in it. */
  readonly root: string;
  /** What ripgrep gets to see of HOME and XDG_CONFIG_HOME. */
  readonly env: Environment;
}

/** Rules of the tree that may change without an event in it. */
export interface FarRules {
  readonly files: readonly string[];
  /** Folders whose `.git` leads elsewhere. */
  readonly repositories: readonly string[];
}

export interface RulesWatch {
  /** The same text as long as the same rules hold. */
  readonly fingerprint: (far?: FarRules) => string;
  /** The ignore files that the last fingerprint was made of, as they were then. */
  readonly texts: () => readonly RuleText[];
  /** Whether the root lay in a repository then, or was one. */
  readonly inRepository: () => boolean;
}

export interface RuleText {
  /** null: it could not be read. */
  readonly bytes: Buffer | null;
  /** Without a repository it says nothing. */
  readonly ofGit: boolean;
}

/** Read in each folder. */
const GIT_IGNORE = ".gitignore";
const IGNORE_FILES = [GIT_IGNORE, ".ignore", ".rgignore"];
/** Either makes a folder a repository. */
export const REPOSITORIES: readonly string[] = [".git", ".jj"];

export function watchRules({ root, env }: RulesWatchOptions): RulesWatch {
  const files = createRuleFiles();
  const above = foldersAbove(root);
  let texts: RuleText[] = [];
  let inRepository = false;

  function rulesAt(path: string, ofGit: boolean): string {
    const { hash, text } = files.content(path);
    if (hash !== "none") texts.push({ bytes: text, ofGit });
    return `${path} ${hash}`;
  }

  function kindAt(path: string): string {
    const kind = files.kind(path);
    if (kind !== "none") inRepository = true;
    return `${path} ${kind}`;
  }

  /** The root's own ignore files are in the tree, but what its `.git` leads to need not be. */
  function repository(folder: string): string[] {
    const exclude = infoExclude(folder, root, files);
    return [
      // Whether there is one decides whether its ignore files count.
      ...REPOSITORIES.map((name) => kindAt(join(folder, name))),
      ...(exclude === null ? [] : [rulesAt(exclude, true)]),
    ];
  }

  function folderRules(folder: string): string[] {
    const told: string[] = [];
    const there = files.present(folder, [...IGNORE_FILES, ...REPOSITORIES]);
    for (const name of there) {
      const path = join(folder, name);
      told.push(REPOSITORIES.includes(name) ? kindAt(path) : rulesAt(path, name === GIT_IGNORE));
    }
    if (there.includes(".git")) told.push(...repository(folder));
    return told;
  }

  return {
    fingerprint({ files: more, repositories } = NONE) {
      texts = [];
      inRepository = false;
      const excludes = excludesFile(root, env, files);
      return [
        ...above.flatMap((folder) => folderRules(folder)),
        ...[root, ...repositories].flatMap((folder) => repository(folder)),
        ...(excludes === null ? [] : [rulesAt(excludes, true)]),
        ...more.map((path) => rulesAt(path, basename(path) === GIT_IGNORE)),
      ].join("\n");
    },
    texts: () => texts,
    inRepository: () => inRepository,
  };
}

const NONE: FarRules = { files: [], repositories: [] };

function foldersAbove(root: string): string[] {
  const folders: string[] = [];
  for (let folder = root; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}
