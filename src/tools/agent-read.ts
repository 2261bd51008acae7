import type { Ground } from "../engine/ground.ts";
import { bounded, quoteName } from "../format/escape.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import { ToolError } from "../model/errors.ts";
import type { Session } from "../workspace/session.ts";
import { throwIfAborted } from "./answer.ts";
import { lookElsewhere } from "./missing-path.ts";
import { openArchives, type OpenArchives } from "./open-archives.ts";
import { inOwnNames } from "./own-names.ts";
import { readConflict } from "./read-conflicts.ts";
import { readDatabasePage } from "./read-database.ts";
import { readFilePage } from "./read-file.ts";
import { readFolderPage } from "./read-folder.ts";
import { readMember } from "./read-member.ts";
import { readPlace, type ReadPlace } from "./read-place.ts";
import { readResource } from "./read-resource.ts";

/** What stands under a path. */
export type Found = Exclude<ReadPlace, { kind: "missing" }>;

/** Asks for other lines of what was found, or refuses it. */
export type Prepare = (place: Found) => Promise<Found>;

/**
 * The read that every agent's tool is made of: one path, whatever it leads to, as a page. A path that is not there is
 * looked for by its end, and what was taken instead is said.
 */
export function agentRead(
  session: Session,
  given: string,
  ground: Ground,
  prepare: Prepare = async (place) => place,
): Promise<ReadAnswer> {
  return inOwnNames(session, () => readAny(session, given, ground, prepare));
}

async function readAny(
  session: Session,
  given: string,
  ground: Ground,
  prepare: Prepare,
): Promise<ReadAnswer> {
  throwIfAborted(ground.signal);
  const archives = openArchives(session, ground.signal);
  try {
    const place = await readPlace(session, archives, given);
    if (place.kind !== "missing") return await pageOf(session, archives, await prepare(place), ground);
    const found = await lookElsewhere(session, place.path, ground);
    if (found.kind === "near") throw missing(place.path, found.names);
    const there = await readPlace(session, archives, `${found.path}${place.rest}`);
    if (there.kind === "missing") throw missing(place.path, []);
    const answer = await pageOf(session, archives, await prepare(there), ground);
    return { ...answer, resolved: { from: place.path, to: found.path } };
  } finally {
    await archives.close();
  }
}

function pageOf(session: Session, archives: OpenArchives, place: Found, ground: Ground): Promise<ReadAnswer> {
  switch (place.kind) {
    case "folder":
      return readFolderPage(session, place.label, place.selector, ground.signal);
    case "file":
      return readFilePage(session, place.target, place.selector, ground.signal);
    case "member":
      return readMember(session, archives, place);
    case "database":
      return readDatabasePage(session, place.path, place.rest, ground.signal);
    case "conflict":
      return readConflict(session, place.path, place.selector);
    default:
      return readResource(session, place.resource, place.selector, ground.signal);
  }
}

function missing(path: string, names: readonly string[]): ToolError {
  if (/^www\.[^/]/i.test(path)) {
    return new ToolError("KIND_UNSUPPORTED", `${path} is a web page, which is not read here`);
  }
  const offered = names.map((name) => bounded(quoteName(name))).join(", ");
  return new ToolError("PATH_NOT_FOUND", `Path not found: ${path}`, {
    hint: offered === "" ? "find looks for names" : `Did you mean ${offered}?`,
  });
}
