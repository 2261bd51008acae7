import { resolve } from "node:path";
import { ToolError } from "../model/errors.ts";
import type { Selector } from "../model/selector.ts";
import { archiveFormat } from "../sources/format.ts";
import { HEADER_BYTES, hasDatabaseHeader, isDatabaseName } from "../sources/sqlite/is-database.ts";
import { type DatabasePath, splitDatabase } from "../sources/sqlite/split-database.ts";
import { cleanEntry, readEntries } from "../workspace/entries.ts";
import { openFile } from "../workspace/open.ts";
import { readInput, splitSelector } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { displayPath } from "../workspace/targets.ts";
import type { Resource } from "../workspace/urls.ts";
import type { FileTarget } from "./file-target.ts";
import type { OpenArchives } from "./open-archives.ts";
import { type PathFacts, pathFacts } from "./path-facts.ts";

/**
 * What the one path of `read` means: a folder, a file, something in an archive or a database, a URL; and which lines of
 * it. What exists as it is written is never read otherwise.
 */

export type ReadPlace =
  | { readonly kind: "folder"; readonly label: string; readonly selector: Selector | null }
  | { readonly kind: "file"; readonly target: FileTarget; readonly selector: Selector | null }
  | {
      readonly kind: "member";
      readonly archive: string;
      readonly member: string;
      readonly selector: Selector | null;
    }
  | { readonly kind: "database"; readonly path: string; readonly rest: string }
  | { readonly kind: "conflict"; readonly path: string; readonly selector: Selector | null }
  | { readonly kind: "resource"; readonly resource: Resource; readonly selector: Selector | null }
  /** Nothing is there. `rest` is what stood behind the path, a selector or not. */
  | { readonly kind: "missing"; readonly path: string; readonly rest: string };

export async function readPlace(session: Session, archives: OpenArchives, given: string): Promise<ReadPlace> {
  const { router } = session;
  const facts = pathFacts(session, archives);
  const databaseIn = (path: string): Promise<DatabasePath | null> =>
    splitDatabase(path, (prefix) => startsLikeDatabase(session, prefix));
  const isKnown = async (path: string): Promise<boolean> =>
    path === "/" ||
    (session.roots.length > 0 && isRoot(path)) ||
    (await facts.isThere(path)) ||
    (await facts.holdsMember(path)) ||
    (await databaseIn(path)) !== null;
  const entry = await oneEntry(session, given, isKnown);
  const conflict = /^conflict:\/\/(.*)$/is.exec(entry)?.[1];
  if (conflict !== undefined) {
    const { path, selector } = await readInput(conflict, async (path) => !path.includes(":"));
    return { kind: "conflict", path, selector };
  }
  if (router.handles(entry)) {
    const { path, selector } = await readInput(entry, router.exists);
    return { kind: "resource", resource: await router.resolve(path), selector };
  }
  const { path, selector } = await readInput(entry, isKnown);
  const place = await pathPlace(session, facts, path, selector);
  return place ?? missingPlace(facts, path, entry.slice(path.length));
}

async function pathPlace(
  session: Session,
  facts: PathFacts,
  path: string,
  selector: Selector | null,
): Promise<ReadPlace | null> {
  if (path === "/" || (session.roots.length > 0 && isRoot(path)))
    return { kind: "folder", label: ".", selector };
  const isWhole = await facts.isThere(path);
  if (!isWhole) {
    const split = await facts.memberOf(path);
    if (split !== null) return { kind: "member", ...split, selector };
    await facts.refuseMember(path);
    await refuseRow(session, path);
  }
  const database = await splitDatabase(
    path,
    async (prefix) => (!isWhole || prefix === path) && (await startsLikeDatabase(session, prefix)),
  );
  if (database !== null) return { kind: "database", path: database.database, rest: database.rest };
  const place = await session.policy.check(path);
  const label = displayPath(session.root, resolve(place.path));
  // Also where only `..` behind a name that is not there would lead to something.
  if (place.kind === null || !isWhole) return null;
  if (place.kind === "folder") return { kind: "folder", label, selector };
  if (place.kind === "file" && archiveFormat(label) !== null && selector?.raw !== true) {
    return { kind: "member", archive: label, member: "", selector };
  }
  return {
    kind: "file",
    target: { label, path: place.path, policy: session.policy, url: null },
    selector,
  };
}

function isRoot(path: string): boolean {
  return path === "." || path === "./";
}

/** Throws what the policy says of a database that may not be looked into, whatever stands behind it. */
async function refuseRow({ policy }: Session, path: string): Promise<void> {
  await splitDatabase(path, async (prefix) => {
    await policy.check(prefix);
    return false;
  });
}

/** Of something in an archive or a database that is not there, the archive or database is what is missing. */
async function missingPlace(facts: PathFacts, path: string, rest: string): Promise<ReadPlace> {
  for (const { index } of path.matchAll(/[:?]/g)) {
    const container = path.slice(0, index);
    const isDatabase = isDatabaseName(container);
    if (!isDatabase && archiveFormat(container) === null) continue;
    if (isDatabase && (await facts.kindOf(container)) === "file") throw noDatabase(container, path);
    return { kind: "missing", path: container, rest: path.slice(index) + rest };
  }
  return { kind: "missing", path, rest };
}

function noDatabase(file: string, path: string): ToolError {
  return new ToolError("DATABASE_INVALID", `${file} is no SQLite database, so ${path} names nothing in it`, {
    hint: `Read ${file} as the file that it is`,
  });
}

/** Whether a file has the first bytes of a database; false for what is none, or may not be read. */
export async function startsLikeDatabase({ policy }: Session, path: string): Promise<boolean> {
  const opened = await openFile(policy, path).catch(() => null);
  if (opened === null) return false;
  try {
    const beginning = Buffer.alloc(HEADER_BYTES);
    await opened.handle.read(beginning, 0, HEADER_BYTES, 0);
    return hasDatabaseHeader(beginning);
  } finally {
    await opened.handle.close();
  }
}

/** Quotes, `~`, `file://` and a heading given back are understood as in `paths`; several paths are not. */
async function oneEntry(
  session: Session,
  given: string,
  isKnown: (path: string) => Promise<boolean>,
): Promise<string> {
  if (cleanEntry(given, session) === "") {
    throw new ToolError("INVALID_INPUT", "The path is empty", { hint: '"." is the root' });
  }
  const exists = async (entry: string): Promise<boolean> => {
    const known = session.router.handles(entry) ? session.router.exists : isKnown;
    if (await known(entry)) return true;
    for (const { path } of splitSelector(entry)) if (await known(path)) return true;
    return false;
  };
  const entries = await readEntries([given], { home: session.home, exists });
  const [entry] = entries;
  if (entry !== undefined && entries.length === 1) return entry;
  throw new ToolError("INVALID_INPUT", `read takes one path, and this is ${entries.length}`, {
    hint: `Call it for each: ${entries.slice(0, 4).join(", ")}`,
  });
}
