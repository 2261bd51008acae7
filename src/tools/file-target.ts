import { ToolError } from "../model/errors.ts";
import { KIND_BYTES, TAGGED_FILE } from "../model/limits.ts";
import { archiveFormat } from "../sources/format.ts";
import { kindOf, unsupported } from "../sources/kind.ts";
import { isDatabaseName } from "../sources/sqlite/is-database.ts";
import { cleanEntry } from "../workspace/entries.ts";
import { openFile, type Opened, readWhole } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import { readQuotedName } from "../workspace/quoted-name.ts";
import type { Session } from "../workspace/session.ts";
import { displayPath } from "../workspace/targets.ts";
import { resolve } from "node:path";
import { isThere } from "./path-facts.ts";

/** A single file that an agent names in order to change it: where it is, whose rules it is under, what it is called. */

export interface FileTarget {
  /** As answers call it: relative to the root, or a URL. */
  readonly label: string;
  /** On the policy's ground. */
  readonly path: string;
  readonly policy: Policy;
  /** What its snapshots are kept under, if it is not its real path. */
  readonly url: string | null;
}

/** A path as an agent wrote it. What exists as it is written is never read otherwise, as in `paths`. */
export async function writtenPath(session: Session, given: string): Promise<string> {
  if (await isThere(session, given)) return given;
  return readQuotedName(given) ?? cleanEntry(given, session);
}

/** `entry` is taken as it stands: it has been read before, and a name may end in a blank or begin with a quote. */
export async function fileTarget(session: Session, entry: string): Promise<FileTarget> {
  if (session.router.handles(entry)) {
    const { url, path, policy } = await session.router.locate(entry);
    return { label: url, path, policy, url };
  }
  const { path } = await session.policy.check(entry);
  return { label: displayPath(session.root, resolve(path)), path, policy: session.policy, url: null };
}

/** Which file it really is. */
export interface RealFile {
  /** What its snapshots are kept under. */
  readonly key: string;
  readonly realPath: string;
}

/** @throws FILE_TOO_LARGE, and what `openFile` throws */
export function locateTarget(target: FileTarget): Promise<RealFile> {
  return withOpened(target, async (opened) => {
    if (opened.stat.size > TAGGED_FILE) throw tooLarge(target.label);
    return realFile(target, opened);
  });
}

/** What a file holds right now, read from a descriptor that was checked. */
export interface Content extends RealFile {
  readonly bytes: Buffer;
}

/** @throws FILE_TOO_LARGE, and what `openFile` throws */
export function readTarget(target: FileTarget): Promise<Content> {
  return withOpened(target, async (opened) => {
    const bytes = await readWhole(opened, TAGGED_FILE);
    if (bytes === null) throw tooLarge(target.label);
    refuseForeign(bytes, target.label);
    return { ...realFile(target, opened), bytes };
  });
}

async function withOpened<T>(target: FileTarget, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openFile(target.policy, target.path);
  try {
    return await work(opened);
  } finally {
    await opened.handle.close();
  }
}

function realFile({ label, url }: FileTarget, { realPath, realPathBytes }: Opened): RealFile {
  if (realPathBytes !== undefined) {
    throw new ToolError("PATH_UNREADABLE", `The name of ${label} is not UTF-8, and no tag can name it`);
  }
  return { key: url ?? realPath, realPath };
}

export function tooLarge(label: string): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${label} is larger than ${TAGGED_FILE / (1024 * 1024)} MiB: it is read in pages, has no tag, and cannot be edited here`,
    { hint: "Change it with a program that streams, such as sed" },
  );
}

/** What is no text is neither shown nor edited. */
export function refuseForeign(bytes: Buffer, label: string): void {
  const kind = kindOf(bytes.subarray(0, KIND_BYTES), label);
  if (kind.kind === "archive" && archiveFormat(label) !== null) {
    throw new ToolError("KIND_UNSUPPORTED", `${label} is ${kind.name}, of which nothing can be shown raw`, {
      hint: `Read ${label} for its members`,
    });
  }
  if (kind.kind !== "text" && kind.kind !== "sqlite" && kind.kind !== "notebook") {
    throw unsupported(kind, label);
  }
  if (kind.kind === "sqlite" && isDatabaseName(label)) {
    throw new ToolError("KIND_UNSUPPORTED", `${label} is a SQLite database, and no text`);
  }
  if (kind.kind === "sqlite") {
    throw new ToolError("KIND_UNSUPPORTED", `${label} is a SQLite database that is not called like one`, {
      hint: "Its name must end in .sqlite, .sqlite3, .db or .db3",
    });
  }
}
