/**
 * Answers a query about a SQLite database, really only reading it (T17). Called by read, which opens and checks the
 * files and closes them after. Nothing is created beside the database, not even to read its log.
 */
import type { FileHandle } from "node:fs/promises";
import type { DatabaseAnswer, DatabaseQuery } from "../../model/database.ts";
import { runJob } from "./run-job.ts";

export interface DatabaseFile {
  readonly main: FileHandle;
  /** The write-ahead log beside it (`-wal`), or null. */
  readonly wal: FileHandle | null;
  /** The rollback journal beside it (`-journal`), or null. */
  readonly journal: FileHandle | null;
  /** How messages call it. */
  readonly name: string;
}

export async function readDatabase(
  file: DatabaseFile,
  query: DatabaseQuery,
  signal: AbortSignal | undefined,
): Promise<DatabaseAnswer> {
  const hot = file.journal !== null && (await isHot(file.journal));
  const wal = file.wal?.fd ?? null;
  const reply = await runJob({ kind: "read", name: file.name, main: file.main.fd, wal, query }, signal);
  if (reply.kind !== "answer") throw new Error("The worker answered another question");
  const { result, notices } = reply.answer;
  return { result, notices: hot ? [HOT, ...notices] : notices };
}

const HOT =
  "A rollback journal stands beside the database: a change is under way or was broken off, and these rows may be half of it.";

/** A journal that is kept between transactions is empty or begins with zeros. */
async function isHot(journal: FileHandle): Promise<boolean> {
  const beginning = Buffer.alloc(8);
  const { bytesRead } = await journal.read(beginning, 0, beginning.length, 0);
  return beginning.subarray(0, bytesRead).some((byte) => byte !== 0);
}
