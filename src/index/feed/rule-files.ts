/**
 * Small files that are asked for over and over, read again only when they may have changed. What was changed less than
 * two seconds before it was read, or in the future, is read each time: its times may not tell the next change. Called
 * by `rules-watch.ts` and `git-files.ts`.
 */
import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { RULES_DISTRUSTED } from "../../model/limits.ts";

type Kind = "none" | "file" | "folder" | "other";

export interface RuleFiles {
  /** What is there, behind links. */
  readonly kind: (path: string) => Kind;
  readonly content: (path: string) => Content;
  /** null for what is no file or cannot be read. */
  readonly text: (path: string) => Buffer | null;
  /** Those of the names that are in a folder, be they files or not. */
  readonly present: (folder: string, names: readonly string[]) => readonly string[];
}

/** What is in a file, of one moment. */
export interface Content {
  /** Tells it from another; the kind of what is no file. */
  readonly hash: string;
  /** null for what is no file or cannot be read. */
  readonly text: Buffer | null;
}

interface Read extends Content {
  readonly state: string;
}

interface Listed {
  readonly state: string;
  readonly names: readonly string[];
}

export function createRuleFiles(): RuleFiles {
  const reads = new Map<string, Read>();
  const lists = new Map<string, Listed>();

  function read(path: string, info: BigIntStats): Read {
    const state = stateOf(info);
    const known = reads.get(path);
    if (known !== undefined && known.state === state) return known;
    const text = readRegular(path);
    const hash = text === null ? "closed" : createHash("sha256").update(text).digest("base64");
    const now = { state, text, hash };
    if (isYoung(info)) reads.delete(path);
    else reads.set(path, now);
    return now;
  }

  return {
    kind: (path) => kindOf(look(path)),
    content(path) {
      const info = look(path);
      return info?.isFile() === true ? read(path, info) : { hash: kindOf(info), text: null };
    },
    text(path) {
      const info = look(path);
      return info?.isFile() === true ? read(path, info).text : null;
    },
    present(folder, names) {
      const info = look(folder);
      if (info === null) return [];
      const state = stateOf(info);
      const known = lists.get(folder);
      if (known !== undefined && known.state === state) return known.names;
      const there = names.filter((name) => isThere(join(folder, name)));
      if (isYoung(info)) lists.delete(folder);
      else lists.set(folder, { state, names: there });
      return there;
    },
  };
}

function look(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** A link that leads nowhere is there as well: what it leads to may come without a trace in its folder. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** What is no plain file by the time it is opened is not read: a pipe would never end. */
function readRegular(path: string): Buffer | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor) : null;
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function stateOf(info: BigIntStats): string {
  return `${info.dev}:${info.ino}:${info.mode}:${info.uid}:${info.gid}:${info.size}:${info.mtimeNs}:${info.ctimeNs}`;
}

function isYoung(info: BigIntStats): boolean {
  return Number(info.ctimeNs / 1_000_000n) > Date.now() - RULES_DISTRUSTED;
}

function kindOf(info: BigIntStats | null): Kind {
  if (info === null) return "none";
  if (info.isFile()) return "file";
  return info.isDirectory() ? "folder" : "other";
}
