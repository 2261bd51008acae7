/** Answers one query about a database on disk. In the worker. */
import type { DatabaseAnswer, DatabaseQuery, DatabaseResult } from "../../model/database.ts";
import { SQL_TIME } from "../../model/limits.ts";
import { answer } from "./answer.ts";
import { type Bytes, descriptorBytes, NO_BYTES } from "./bytes.ts";
import { Connection } from "./connection.ts";
import { isDamage } from "./fault.ts";
import { checkHeader } from "./header.ts";
import type { ReadJob } from "./job.ts";
import type { Library } from "./library.ts";
import { calmStamp, isGone, stamp } from "./stamp.ts";
import { installVfs } from "./vfs.ts";

/** How often a database that changes under our hands is read again. */
const ATTEMPTS = 3;

export function readJob(library: Library, job: ReadJob): DatabaseAnswer {
  const deadline = performance.now() + SQL_TIME;
  const main = descriptorBytes(job.main);
  const wal = job.wal === null ? NO_BYTES : logBytes(job.wal);
  const vfs = installVfs(library, { main, wal });
  for (let attempt = 1; ; attempt++) {
    const before = calmStamp(job.main, job.wal);
    const started = performance.now();
    const changed = (): boolean => stamp(job.main, job.wal) !== before;
    // What would not be done in time again is better answered with what there is.
    const isLast = (): boolean => attempt === ATTEMPTS || 2 * performance.now() - started > deadline;
    try {
      checkHeader(main, job.name);
      const result = once(library, vfs, job.query, deadline);
      if (!changed()) return { result, notices: [] };
      if (isLast()) return { result, notices: [CHANGED] };
    } catch (error) {
      // What looks like damage may be a state between two.
      if (!isDamage(error) || isLast() || !changed()) throw error;
    }
  }
}

function logBytes(fd: number): Bytes {
  const bytes = descriptorBytes(fd);
  return { ...bytes, size: () => (isGone(fd) ? 0 : bytes.size()) };
}

const CHANGED =
  "Another process wrote the database while it was read: these rows may be of two different moments. Read again.";

function once(library: Library, vfs: string, query: DatabaseQuery, deadline: number): DatabaseResult {
  const connection = Connection.open(library, vfs, "read", deadline);
  try {
    return answer(connection, query);
  } finally {
    connection.close();
  }
}
