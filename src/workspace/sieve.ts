/**
 * Judges the files of one walk, thousands of them: folders are resolved and judged once, files only by their
 * names. Without links in the walk a listed file is no link itself, so its folder says where it really is.
 * Whoever walks makes one a call, counts what it withholds, and still opens files through `open.ts`.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { GlobMatcher } from "./deny.ts";
import { createJudge, type Judge, judgeReal, type Terms, type Verdict } from "./judge.ts";

/** A path of the walk: relative to the root or absolute; bytes only when absolute. */
export type Sieve = (path: string | Buffer, kind?: "file" | "folder") => Verdict;

interface Folder {
  readonly realPath: string;
  readonly verdict: Verdict;
  /** What it is called below the folders that deny globs are anchored at. */
  readonly spellings: readonly string[];
  /** A glob denies it by one of these. */
  readonly denied: boolean;
}

export function createSieve(judge: Judge, root: string, links: "followed" | "not followed"): Sieve {
  return sieveOf(judge, root, links, realOf);
}

/** The same of paths below the root on which no link lies: by their names, without a file call. */
export function createNameSieve(terms: Terms, globs: GlobMatcher): Sieve {
  const { root, realRoot } = terms;
  const realOf: RealOf = (path) => realRoot + path.toString().slice(root.length);
  return sieveOf(createJudge(terms, globs), root, "not followed", realOf);
}

/** null: it is not there. */
type RealOf = (path: string | Buffer) => string | null;

function sieveOf(judge: Judge, root: string, links: "followed" | "not followed", realOf: RealOf): Sieve {
  const folders = new Map<string, Folder>();
  const folderOf = (path: string | Buffer): Folder => {
    const key = typeof path === "string" ? path : path.toString("latin1");
    const known = folders.get(key) ?? judgeFolder(judge, path, realOf);
    folders.set(key, known);
    return known;
  };
  return (path, kind = "file") => {
    const absolute = typeof path === "string" && !isAbsolute(path) ? join(root, path) : path;
    const { parent, name } = splitName(absolute);
    const folder = folderOf(parent);
    if (folder.verdict === "allowed" && links === "not followed") {
      if (judge.withholds(folder.realPath + sep + name)) return "denied";
    } else {
      const real = links === "followed" ? realOf(absolute) : null;
      const verdict = judgeReal(judge, real ?? join(folder.realPath, name), kind);
      if (verdict !== "allowed") return verdict;
    }
    return folder.denied || denies(judge, folder, name, kind) ? "denied" : "allowed";
  };
}

function denies(judge: Judge, folder: Folder, name: string, kind: "file" | "folder"): boolean {
  if (judge.deny.empty) return false;
  return folder.spellings.some((spelling) =>
    judge.deny.matches(spelling === "" ? name : spelling + sep + name, kind),
  );
}

function judgeFolder(judge: Judge, path: string | Buffer, realOf: RealOf): Folder {
  const named = resolve(path.toString());
  const realPath = realOf(path) ?? named;
  const spellings = [...new Set([...judge.named(named), ...judge.real(realPath)])];
  const denied = spellings.some((spelling) => judge.deny.covers(spelling, "folder"));
  return { realPath, verdict: judgeReal(judge, realPath, "folder"), spellings, denied };
}

function realOf(path: string | Buffer): ReturnType<RealOf> {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** `bytes`: those of the name, where the path is bytes. */
export function splitName(path: string | Buffer): {
  readonly parent: string | Buffer;
  readonly name: string;
  readonly bytes: Buffer | null;
} {
  if (typeof path === "string") return { parent: dirname(path), name: basename(path), bytes: null };
  const at = path.lastIndexOf(0x2f);
  const bytes = path.subarray(at + 1);
  return { parent: path.subarray(0, Math.max(at, 1)), name: bytes.toString(), bytes };
}
