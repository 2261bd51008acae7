import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import { cleanEntry } from "../workspace/entries.ts";
import { openFile, readWhole } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import type { Session } from "../workspace/session.ts";
import { displayPath } from "../workspace/targets.ts";
import { resolve } from "node:path";

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

export async function fileTarget(session: Session, given: string): Promise<FileTarget> {
  const entry = cleanEntry(given, session);
  if (session.router.handles(entry)) {
    const { path, policy } = await session.router.locate(entry);
    return { label: entry, path, policy, url: entry };
  }
  const { path } = await session.policy.check(entry);
  return { label: displayPath(session.root, resolve(path)), path, policy: session.policy, url: null };
}

/** What a file holds right now, read from a descriptor that was checked. */
export interface Content {
  readonly bytes: Buffer;
  /** What its snapshots are kept under. */
  readonly key: string;
  readonly realPath: string;
}

/** @throws FILE_TOO_LARGE, and what `openFile` throws */
export async function readTarget({ label, path, policy, url }: FileTarget): Promise<Content> {
  const opened = await openFile(policy, path);
  try {
    if (opened.realPathBytes !== undefined) {
      throw new ToolError("PATH_UNREADABLE", `The name of ${label} is not UTF-8, and no tag can name it`);
    }
    const bytes = await readWhole(opened, TAGGED_FILE);
    if (bytes === null) throw tooLarge(label);
    return { bytes, key: url ?? opened.realPath, realPath: opened.realPath };
  } finally {
    await opened.handle.close();
  }
}

function tooLarge(label: string): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${label} is larger than ${TAGGED_FILE / (1024 * 1024)} MiB: it is read in pages, has no tag, and cannot be edited here`,
    { hint: "Change it with a program that streams, such as sed" },
  );
}
