import { createHash } from "node:crypto";
import { commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { ToolError } from "../model/errors.ts";
import type { Written } from "../model/written.ts";
import { DATABASE_CHANGED } from "../model/limits.ts";
import { changeRow } from "../sources/sqlite/change-row.ts";
import { refuseIfInUse } from "../sources/sqlite/in-use.ts";
import { isDatabaseName } from "../sources/sqlite/is-database.ts";
import { parseRowPath } from "../sources/sqlite/row-path.ts";
import { type DatabasePath, splitDatabase } from "../sources/sqlite/split-database.ts";
import { openFile, readWhole } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";
import { type EditGround, tryAgain } from "./agent-edit.ts";
import { fileTarget } from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";
import { startsLikeDatabase } from "./read-place.ts";

/** A row of a database: changed in memory, and the database replaced whole, which nobody else may have open. */

/** For a path that is there: it is a database, or no part of one. */
export async function databaseItself(session: Session, path: string): Promise<DatabasePath | null> {
  const isDatabase = isDatabaseName(path) && (await startsLikeDatabase(session, path));
  return isDatabase ? { database: path, rest: "" } : null;
}

/** The database that a path which is not there writes into: one that is there, or the name of one with something behind it. */
export async function databaseOf(session: Session, path: string): Promise<DatabasePath | null> {
  const there = await splitDatabase(path, (prefix) => startsLikeDatabase(session, prefix));
  if (there !== null) return there;
  let isFile = false;
  const named = await splitDatabase(path, async (prefix) => {
    if (prefix === path) return false;
    const { kind } = await session.policy.check(prefix);
    isFile = kind === "file";
    return isFile || kind === null;
  });
  if (named === null) return null;
  if (isFile) {
    throw new ToolError(
      "DATABASE_INVALID",
      `${named.database} is no SQLite database, so no row of it is written`,
      {
        hint: `Write ${named.database} itself as a file, or name a database`,
      },
    );
  }
  throw new ToolError("PATH_NOT_FOUND", `There is no SQLite database ${named.database}`, {
    hint: "write changes rows of databases that are there; make it with sqlite3 first",
  });
}

export async function writeRow(
  session: Session,
  { database, rest }: DatabasePath,
  content: string,
  { env, signal }: EditGround,
): Promise<Written> {
  const { policy } = session;
  const change = { ...parseRowPath(rest), content };
  const target = await fileTarget(session, database);
  const { realPath } = await policy.check(database);
  const { message, warnings } = await withFiles([realPath], { env, signal }, () =>
    tryAgain(async () => {
      const bytes = await readUnused(session, database);
      const changed = await changeRow(bytes, change, target.label, signal);
      if (changed.bytes === null) return { message: changed.message, warnings: [] };
      const before = createHash("sha256").update(bytes).digest("hex");
      const [written] = await commit(
        [{ path: target.path, policy, before, after: changed.bytes }],
        env,
        signal,
      );
      return { message: changed.message, warnings: lostVersion(target.label, written) };
    }),
  );
  return {
    label: target.label,
    message,
    snapshots: [],
    created: false,
    madeExecutable: false,
    realPath,
    warnings,
  };
}

async function readUnused({ policy }: Session, path: string): Promise<Buffer> {
  const opened = await openFile(policy, path);
  try {
    await refuseIfInUse(opened.realPath, opened.handle);
    const bytes = await readWhole(opened, DATABASE_CHANGED);
    if (bytes !== null) return bytes;
    throw new ToolError("FILE_TOO_LARGE", `${path} is too large to be written anew`, {
      hint: "Use sqlite3",
    });
  } finally {
    await opened.handle.close();
  }
}
