/**
 * Which paths a session may touch: what lies, links resolved, in an allowed folder and is not denied; deny wins.
 * Inputs go through `check`, files of a walk through a `sieve`, an open descriptor's path through `judgeReal`.
 * A check is never the last word on a file that will be read: `open.ts` judges the descriptor.
 */
import type { Stats } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { ToolError } from "../model/errors.ts";
import { type GlobMatcher, tellsCase } from "./deny.ts";
import { type Disk, patient } from "./disk.ts";
import { allowsAllBelow, createJudge, type Judge, judgeReal, type Terms, type Verdict } from "./judge.ts";
import { refuseRawPath } from "./raw-path.ts";
import { codeOf, pathBelow, type RealPath, resolveReal } from "./real-path.ts";
import { createSieve, type Sieve } from "./sieve.ts";

export interface PolicyOptions {
  /** An absolute folder: what paths are relative to, and what deny globs are anchored at. */
  readonly root: string;
  /** Folders that may be touched, relative to the root or absolute, instead of the root. @default [root] */
  readonly allow?: readonly string[] | undefined;
  /**
   * Folders with no links in their paths, in one of which each of `allow` must lie, links resolved: one that was looked
   * at before may have been swapped for a link since. @default anywhere
   */
  readonly within?: readonly string[] | undefined;
  /** Further folders that `deny` is relative to: whoever denied meant those. @default [] */
  readonly denyFrom?: readonly string[] | undefined;
  /** Globs of what may not, relative to the root and to each allowed folder. @default [] */
  readonly deny?: readonly string[] | undefined;
  /** Absolute folders of our own that are no part of anybody's code, such as the cache. @default [] */
  readonly withhold?: readonly string[] | undefined;
  readonly globs: GlobMatcher;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** A path that may be touched. */
export interface Allowed {
  /** Absolute, as it was named. */
  readonly path: string;
  /** Links resolved; for a path that is not there, where it would be. */
  readonly realPath: string;
  /** null: not there. */
  readonly kind: "file" | "folder" | "other" | null;
}

export interface Policy {
  readonly root: string;
  /** The allowed folders, links resolved. */
  readonly folders: readonly string[];
  /** The denied globs, as they were given, and the folders they are anchored at, as they were named. */
  readonly deny: readonly string[];
  readonly anchors: readonly string[];
  /** All that lies below the root is allowed. */
  readonly open: boolean;
  /** For whoever judges names in another thread, by a name sieve. */
  readonly terms: Terms;
  /**
   * An input: relative to the root or absolute, bytes only when absolute. Throws PATH_DENIED, PATH_OUTSIDE,
   * PATH_UNREADABLE, or INVALID_INPUT for a NUL. A path that is not there is no error here. @default patient
   */
  check(path: string | Buffer, disk?: Disk): Promise<Allowed>;
  /** A real path, such as that of a descriptor. No file call is made. */
  judgeReal(realPath: string, kind: "file" | "folder"): Verdict;
  allowsReal(realPath: string, kind?: "file" | "folder"): boolean;
  /** A judge for the thousands of files of one walk; its memory of folders must not outlive the call. */
  sieve(links: "followed" | "not followed"): Sieve;
}

export async function createPolicy(options: PolicyOptions): Promise<Policy> {
  const { globs, platform = process.platform } = options;
  refuseRawPath(options.root, platform);
  const root = resolve(options.root);
  const named = [...new Set((options.allow ?? ["."]).map((folder) => allowedFolder(root, folder, platform)))];
  const folders = await Promise.all(named.map(realFolder));
  refuseSwapped(named, folders, options.within);
  const realRoot = (await resolveReal(root)).path;
  const withheld = await Promise.all(
    (options.withhold ?? []).map(async (path) => (await resolveReal(path)).path),
  );
  const denyFrom = options.denyFrom ?? [];
  const realDenyFrom = await Promise.all(denyFrom.map(async (path) => (await resolveReal(path)).path));
  const anchors = [...new Set([root, ...named, ...denyFrom])];
  const letters = (await Promise.all(folders.map((folder) => tellsCase(folder, platform)))).find(
    (answer) => answer === "case does not count",
  );
  const terms: Terms = {
    root,
    realRoot,
    deny: options.deny ?? [],
    letters: letters ?? "case counts",
    anchors,
    realAnchors: [...new Set([realRoot, ...folders, ...realDenyFrom])],
    folders,
    withheld,
  };
  const judge = createJudge(terms, globs);
  return {
    root,
    folders,
    deny: terms.deny,
    anchors,
    open: terms.deny.length === 0 && allowsAllBelow(terms),
    terms,
    check: (path, disk = patient) => check(judge, { root, folders, platform, disk }, path),
    judgeReal: (realPath, kind) => judgeReal(judge, realPath, kind),
    allowsReal: (realPath, kind = "file") => judgeReal(judge, realPath, kind) === "allowed",
    sieve: (links) => createSieve(judge, root, links),
  };
}

interface Ground {
  readonly root: string;
  readonly folders: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly disk: Disk;
}

async function check(judge: Judge, ground: Ground, path: string | Buffer): Promise<Allowed> {
  const text = path.toString();
  refuseRawPath(text, ground.platform);
  const absolute = resolve(ground.root, text);
  const { path: realPath, fault } = await (typeof path === "string"
    ? resolveReal(absolute, ground.disk)
    : realBytes(path));
  if (!judge.contains(realPath)) throw outside(text, ground.folders);
  const kind =
    fault === null ? await kindOf(typeof path === "string" ? ground.disk.stat(realPath) : stat(path)) : null;
  const matchedAs = kind === "folder" ? "folder" : "file";
  const spellings = [...judge.named(absolute), ...judge.real(realPath)];
  const denied = spellings.find((spelling) => judge.deny.covers(spelling, matchedAs));
  if (denied !== undefined) throw deniedBy(text, judge.deny.blame(denied, matchedAs));
  if (judge.withholds(realPath)) throw deniedBy(text, null);
  if (fault !== null && !MISSING.has(fault)) {
    throw new ToolError("PATH_UNREADABLE", `${text} cannot be reached: ${fault}`, {
      hint: fault === "ELOOP" ? "Its links lead in a circle" : "Check its permissions",
    });
  }
  return { path: absolute, realPath, kind };
}

const MISSING: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

async function realBytes(path: Buffer): Promise<RealPath> {
  try {
    return { path: await realpath(path), fault: null };
  } catch (cause) {
    return { path: resolve(path.toString()), fault: codeOf(cause) };
  }
}

async function kindOf(looked: Promise<Stats>): Promise<Allowed["kind"]> {
  const info = await looked.catch(() => null);
  if (info === null) return null;
  if (info.isFile()) return "file";
  return info.isDirectory() ? "folder" : "other";
}

function outside(path: string, folders: readonly string[]): ToolError {
  return new ToolError("PATH_OUTSIDE", `${path} is outside the allowed folders`, {
    hint: `What may be read lies in ${folders.join(", ")}`,
  });
}

function deniedBy(path: string, glob: string | null): ToolError {
  return new ToolError(
    "PATH_DENIED",
    `${path} may not be read${glob === null ? "" : `: denied by ${glob}`}`,
    {
      hint: "The policy of this session withholds it; go on without it",
    },
  );
}

function allowedFolder(root: string, folder: string, platform: NodeJS.Platform): string {
  refuseRawPath(folder, platform);
  return resolve(root, folder);
}

/** @throws PATH_OUTSIDE */
function refuseSwapped(
  named: readonly string[],
  real: readonly string[],
  within: readonly string[] | undefined,
): void {
  const at = real.findIndex((folder) => within?.some((outer) => pathBelow(outer, folder) !== null) === false);
  if (at === -1) return;
  throw new ToolError("PATH_OUTSIDE", `The folder ${named[at]} leads elsewhere than when it was allowed`, {
    hint: "Something swapped it for a link; put it back, or name another folder",
  });
}

/** An allowed folder, links resolved. @throws PATH_NOT_FOUND, NOT_A_FOLDER, INVALID_INPUT */
export async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch((cause: unknown) => {
    throw new ToolError("PATH_NOT_FOUND", `The allowed folder ${folder} is not there`, { cause });
  });
  if (!(await stat(real)).isDirectory()) {
    throw new ToolError("NOT_A_FOLDER", `The allowed folder ${folder} is no folder`);
  }
  // Bytes that are not UTF-8 read as U+FFFD, and two such folders would look alike.
  if (real.includes("\uFFFD")) {
    throw new ToolError("INVALID_INPUT", `The name of the allowed folder ${folder} is not UTF-8`);
  }
  return real;
}
