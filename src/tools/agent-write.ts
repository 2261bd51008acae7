import { stripPasted } from "../edit/pasted.ts";
import { ToolError } from "../model/errors.ts";
import type { WritePage } from "../model/written.ts";
import { archiveFormat } from "../sources/format.ts";
import type { DatabasePath } from "../sources/sqlite/split-database.ts";
import { splitSelector } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import type { EditGround } from "./agent-edit.ts";
import { throwIfAborted } from "./answer.ts";
import { type FileTarget, fileTarget, writtenPath } from "./file-target.ts";
import { inOwnNames } from "./own-names.ts";
import { isThere } from "./path-facts.ts";
import { writeConflicts } from "./write-conflicts.ts";
import { databaseItself, databaseOf, writeRow } from "./write-database.ts";
import { writeEntry } from "./write-entry.ts";
import { writeFile } from "./write-file.ts";

/**
 * The write that every agent's tool is made of: a whole file, an entry of an archive, a row of a database, or what
 * takes the place of merge conflicts. What was pasted along with the content is taken off, and said.
 */

interface WriteGiven {
  readonly path: string;
  readonly content: string;
}

export function agentWrite(session: Session, given: WriteGiven, ground: EditGround): Promise<WritePage> {
  return inOwnNames(session, () => writeAny(session, given, ground));
}

async function writeAny(session: Session, given: WriteGiven, ground: EditGround): Promise<WritePage> {
  throwIfAborted(ground.signal);
  const path = await writtenPath(session, given.path);
  const { content, stripped } = stripPasted(given.content);
  const place = await writePlace(session, path);
  switch (place.kind) {
    case "conflicts":
      return { kind: place.kind, stripped, ...(await writeConflicts(session, path, content, ground)) };
    case "archive":
      return { kind: place.kind, stripped, ...(await writeEntry(session, place, content, ground)) };
    case "database": {
      // A row is data, whatever it looks like.
      const row = await writeRow(session, place, given.content, ground);
      return { kind: place.kind, stripped: "nothing", ...row };
    }
    default:
      return { kind: place.kind, stripped, ...(await writeFile(session, place.target, content, ground)) };
  }
}

/** What a path is written as. */
export type WritePlace =
  | { readonly kind: "conflicts" }
  | { readonly kind: "archive"; readonly archive: string; readonly entry: string }
  | ({ readonly kind: "database" } & DatabasePath)
  | { readonly kind: "file"; readonly target: FileTarget };

export async function writePlace(session: Session, path: string): Promise<WritePlace> {
  if (/^conflict:\/\//i.test(path)) return { kind: "conflicts" };
  if (!session.router.handles(path)) {
    const there = await isThere(session, path);
    const entry = there ? null : await archiveIn(path, (name) => isThere(session, name));
    if (entry !== null) return { kind: "archive", ...entry };
    refuseWhole(path);
    if (!there) await refuseAnother(session, path);
    const inside = await (there ? databaseItself : databaseOf)(session, path);
    if (inside !== null) return { kind: "database", ...inside };
  }
  return { kind: "file", target: await fileTarget(session, path) };
}

/** A heading or a selector given back with a path that is there: a new file called so is never meant. */
async function refuseAnother(session: Session, path: string): Promise<void> {
  await session.policy.check(path);
  if (path.endsWith("/")) {
    throw new ToolError("INVALID_INPUT", `${path} names a folder`, { hint: "Name a file in it" });
  }
  const [, headed] = /^(?:¶|# )?(.+)#[0-9A-Fa-f]{4}$/s.exec(path) ?? [];
  const meant = [
    ...(headed === undefined ? [] : [headed]),
    ...splitSelector(path).map((split) => split.path),
  ];
  for (const name of meant) {
    if (!(await isThere(session, name))) continue;
    throw new ToolError("INVALID_INPUT", `${path} is no file, and ${name} is`, {
      hint: `write replaces a whole file: name ${name}, or use edit for some of its lines`,
    });
  }
}

/** A text in the place of an archive would lose all of it, or be none. */
function refuseWhole(path: string): void {
  if (path === "")
    throw new ToolError("INVALID_INPUT", "`path` is empty", { hint: "Name the file to write" });
  if (archiveFormat(path) === null) return;
  throw new ToolError("INVALID_INPUT", `${path} is an archive, which is written entry by entry`, {
    hint: `Name the entry: ${path}:folder/file.txt`,
  });
}

/** The archive that a path writes into: one that is there, or else the longest name of one before a colon. */
async function archiveIn(
  path: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<{ readonly archive: string; readonly entry: string } | null> {
  let found: { readonly archive: string; readonly entry: string } | null = null;
  for (let colon = path.indexOf(":"); colon !== -1; colon = path.indexOf(":", colon + 1)) {
    const archive = path.slice(0, colon);
    if (archiveFormat(archive) === null) continue;
    found = { archive, entry: path.slice(colon + 1) };
    if (await isThere(archive)) return found;
  }
  return found;
}
