import { basename, dirname, isAbsolute, sep } from "node:path";
import { ToolError } from "../model/errors.ts";
import type { Entry } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { Target } from "../model/query.ts";
import { compileGlobs, escapeGlob, type GlobSet } from "../regex/glob.ts";
import { readEntries } from "../workspace/entries.ts";
import { refuseNetworkPath } from "../workspace/raw-path.ts";
import type { Session } from "../workspace/session.ts";
import { below, resolveTarget } from "../workspace/targets.ts";
import { acrossRoots, checkNamed, type Place, wholeGround } from "./places.ts";

/**
 * A glob and the folder it is looked for in, as the `glob` tools of other dialects are given them: with the meaning
 * of `rg --glob` in that folder, and an absolute one taken apart into folder and rest. Called by the agents' find.
 */

export interface GlobBelow {
  readonly pattern: string;
  /** @default all that the session may see */
  readonly folder: string | undefined;
}

export interface GlobPlaces {
  readonly places: readonly Place[];
  /** Of what the walk finds, where the glob does not mean all of it: one that begins with `!`. */
  readonly wants: ((entry: Pick<Entry, "path" | "kind">) => boolean) | null;
}

export async function readGlob(session: Session, given: GlobBelow): Promise<GlobPlaces> {
  refuseNetworkPath(given.pattern);
  if (given.folder !== undefined) refuseNetworkPath(given.folder);
  const { folder, glob, negated } = readPattern(given.pattern);
  // Compiling says what is wrong with it, before anything is looked at.
  const set = compileGlobs([glob], "path");
  const across = negated || folder !== null ? null : namedRoots(session, given.folder, glob);
  if (across !== null) return { places: across, wants: null };
  const targets = await searched(session, folder ?? given.folder);
  return {
    places: targets.map((target) => ({
      kind: "folder",
      label: target.path,
      target: { ...target, glob: negated ? null : glob },
    })),
    wants: negated ? (entry) => !targets.some((target) => leavesOut(set, target, entry)) : null,
  };
}

/** Above several roots a glob may begin with the name of one. null: it does not. */
function namedRoots(session: Session, folder: string | undefined, glob: string): readonly Place[] | null {
  const above = folder === undefined || folder === "" || folder === "." || folder === "./";
  if (session.roots.length === 0 || !above) return null;
  const [name, ...rest] = glob.split("/");
  if (rest.length === 0 || !session.roots.some((root) => root.name === name))
    return acrossRoots(session, glob);
  const target: Target = { path: name ?? "", kind: "folder", glob: `/${rest.join("/")}` };
  return [{ kind: "folder", label: glob, target }];
}

interface ReadPattern {
  /** Of an absolute pattern; null: below whatever folder is searched. */
  readonly folder: string | null;
  readonly glob: string;
  /** What it matches is left out, and what lies below it. */
  readonly negated: boolean;
}

function readPattern(given: string): ReadPattern {
  // ripgrep drops blanks at the end too, unless one is escaped.
  const pattern = given.endsWith("\\ ") ? given : given.trimEnd();
  const read = isAbsolute(pattern) ? splitAbsolute(pattern) : readRelative(pattern);
  if (read.glob === "" || read.glob === "/") {
    throw new ToolError("INVALID_INPUT", "pattern is empty", { hint: "Use **/* for all files" });
  }
  if (read.glob.split("/").includes("..")) {
    throw new ToolError("INVALID_INPUT", `The pattern ${given} goes up, and is matched below a folder`, {
      hint: "Name the folder to look in as path",
    });
  }
  return read;
}

/** `!` at the start leaves out. A `#` there is a comment to ripgrep, which nobody means: it is part of a name. */
function readRelative(pattern: string): ReadPattern {
  const negated = pattern.startsWith("!");
  const glob = negated ? pattern.slice(1) : pattern;
  // No path that is matched has a dot in front; the slash keeps the glob where it was meant to be.
  return { folder: null, glob: glob.replace(/^(?:\.\/+)+/, "/"), negated };
}

/** The folder up to the last slash before the first character that is no plain name, and what follows it. */
function splitAbsolute(pattern: string): ReadPattern {
  const special = pattern.search(/[*?[{]/);
  if (special === -1) {
    return { folder: dirname(pattern), glob: escapeGlob(basename(pattern)), negated: false };
  }
  const before = pattern.slice(0, special);
  const cut = Math.max(before.lastIndexOf("/"), before.lastIndexOf(sep)) + 1;
  return { folder: pattern.slice(0, cut), glob: pattern.slice(cut), negated: false };
}

async function searched(session: Session, folder: string | undefined): Promise<readonly Target[]> {
  const named = folder === undefined || folder === "" ? null : await readFolder(session, folder);
  const folders = named === null ? await wholeGround(session) : [named];
  return Promise.all(folders.map((path) => folderTarget(session, path)));
}

/** As an entry of `paths` is read, `~` and quotes, but only ever one. */
async function readFolder(session: Session, folder: string): Promise<string> {
  const exists = (path: string): Promise<boolean> =>
    session.policy.check(path).then(
      ({ kind }) => kind !== null,
      () => false,
    );
  const [first, ...more] = await readEntries(folder, { home: session.home, exists });
  return first === undefined || more.length > 0 ? folder : first;
}

async function folderTarget(session: Session, path: string): Promise<Target> {
  const { kind } = await checkNamed(session, path);
  if (kind === null) {
    throw new ToolError("PATH_NOT_FOUND", `Path not found: ${path}`, {
      hint: `Leave path out and use the pattern **/${escapeGlob(basename(path))}/** to look for it`,
    });
  }
  if (kind !== "folder") {
    throw new ToolError("NOT_A_FOLDER", `${path} is no folder, and path must be one`, {
      hint: "Name the folder it is in, and the file in the pattern",
    });
  }
  const target = await resolveTarget(session.root, path);
  if (target instanceof ToolError) throw target;
  // Behind a link, `..` is not where its text says.
  await session.policy.check(target.path);
  return target;
}

/** ripgrep does not enter a folder that it leaves out. */
function leavesOut(set: GlobSet, target: Target, { path, kind }: Pick<Entry, "path" | "kind">): boolean {
  const rest = below(target, path);
  if (rest === null) return false;
  for (let at = rest.indexOf("/"); at !== -1; at = rest.indexOf("/", at + 1)) {
    if (set.matches(rest.slice(0, at), "folder")) return true;
  }
  return set.matches(rest, kind);
}

/** For an answer without paths: does the pattern name a folder that is never entered? */
export function neverEntered({ pattern }: GlobBelow, exclude: readonly string[]): Notice[] {
  const names = new Set(exclude.map((glob) => glob.replace(/\/$/, "")));
  const named = [...new Set(pattern.split("/"))].filter((segment) => names.has(segment));
  if (named.length === 0) return [];
  return [{ code: "EXCLUDED", message: `${named.join(", ")} is left out unless path names it` }];
}
