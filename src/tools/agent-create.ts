import { stripPasted } from "../edit/pasted.ts";
import { ToolError } from "../model/errors.ts";
import type { Written } from "../model/written.ts";
import { archiveFormat } from "../sources/format.ts";
import type { Session } from "../workspace/session.ts";
import { parseUrl } from "../workspace/urls.ts";
import type { EditGround } from "./agent-edit.ts";
import { writePlace } from "./agent-write.ts";
import { throwIfAborted } from "./answer.ts";
import { writtenPath } from "./file-target.ts";
import { largerThan } from "./large-file.ts";
import { inOwnNames } from "./own-names.ts";
import { withoutNumbers } from "./pasted-numbers.ts";
import { lines, writeFile } from "./write-file.ts";

/**
 * The write of agents that only know plain files: a whole one, or a scratch file of the session. Nothing is put into
 * archives and databases. What was pasted along with the content is taken off, and said. Called by Boris's
 * `create_file`.
 */

export interface CreateGiven {
  readonly path: string;
  readonly content: string;
  /** The largest file that is written. */
  readonly largest: number;
}

export interface Created extends Written {
  /** What had been pasted along with the content, and was taken off. */
  readonly stripped: "nothing" | "header" | "prefixes" | "both";
  readonly bytes: number;
  readonly lines: number;
}

export function agentCreate(session: Session, given: CreateGiven, ground: EditGround): Promise<Created> {
  return inOwnNames(session, () => create(session, given, ground));
}

async function create(session: Session, given: CreateGiven, ground: EditGround): Promise<Created> {
  throwIfAborted(ground.signal);
  const path = await writtenPath(session, given.path);
  const { content, stripped } = plain(given.content);
  const bytes = Buffer.byteLength(content);
  if (bytes > given.largest) {
    throw largerThan(path, bytes, given.largest, {
      what: "written at once",
      hint: "Write it with a program, or in several files",
    });
  }
  const url = parseUrl(path);
  if (url !== null && url.protocol !== "local") throw notWritten("URL_READ_ONLY", path, "a URL");
  if (archiveFormat(path) !== null) throw notWritten("KIND_UNSUPPORTED", path, "an archive");
  const place = await writePlace(session, path);
  if (place.kind === "archive") throw notWritten("KIND_UNSUPPORTED", path, "an entry of an archive");
  if (place.kind === "database") throw notWritten("KIND_UNSUPPORTED", path, "a database, or a part of one");
  if (place.kind === "conflicts") throw notWritten("URL_READ_ONLY", path, "a URL");
  const written = await writeFile(session, place.target, content, ground);
  return { ...written, stripped, bytes, lines: lines(content) };
}

/** Least lines whose numbers are taken for pasted ones: a single one may be what the file is about. */
const LEAST = 3;

function plain(given: string): ReturnType<typeof stripPasted> {
  // Numbers of six digits fill the column of a view: without a blank they may as well be those of a table.
  const bare = given.startsWith(" ") ? withoutNumbers(given) : null;
  if (bare !== null && lines(bare) >= LEAST) return { content: bare, stripped: "prefixes" };
  return stripPasted(given);
}

function notWritten(code: "URL_READ_ONLY" | "KIND_UNSUPPORTED", path: string, what: string): ToolError {
  return new ToolError(code, `${path} is ${what}, and only plain files and local:// are written here`, {
    hint: "Name a file",
  });
}
