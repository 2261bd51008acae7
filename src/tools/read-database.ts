import { databaseText } from "../format/table-text.ts";
import { ToolError } from "../model/errors.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import { parseDatabasePath } from "../sources/sqlite/parse-path.ts";
import { readDatabase } from "../sources/sqlite/read-database.ts";
import { openFile, type Opened } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";

/** A database, or what of it a path asks for. Its log is read too, so that rows not yet moved into it are seen. */
export async function readDatabasePage(
  session: Session,
  path: string,
  rest: string,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  try {
    return await answerOf(session, path, rest, signal);
  } catch (cause) {
    throw cause instanceof ToolError ? named(cause, path) : cause;
  }
}

/** Hints say `db:table`; the next call must name this one. */
function named(error: ToolError, path: string): ToolError {
  const { code, message, hint } = error;
  if (hint === undefined) return error;
  return new ToolError(code, message, { hint: hint.replace(/\bdb(?=[:?])/g, () => path), cause: error });
}

async function answerOf(
  session: Session,
  path: string,
  rest: string,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const query = parseDatabasePath(rest);
  const main = await openFile(session.policy, path);
  const beside = (ending: string): Promise<Opened | null> =>
    openFile(session.policy, `${main.realPath}${ending}`).catch(() => null);
  const [wal, journal] = await Promise.all([beside("-wal"), beside("-journal")]);
  try {
    const answer = await readDatabase(
      { main: main.handle, wal: wal?.handle ?? null, journal: journal?.handle ?? null, name: path },
      query,
      signal,
    );
    return {
      page: { kind: "database", label: path, text: databaseText(answer, path), cut: false, notes: [] },
      resolved: null,
      realPath: main.realPath,
    };
  } finally {
    await main.handle.close();
    await wal?.handle.close();
    await journal?.handle.close();
  }
}
