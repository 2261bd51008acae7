/**
 * Takes `app.db:users?limit=5` apart. Called while a tool's path is read, after the whole input was found not to
 * exist or to be a database: a real file called `app.db:users` wins (T6).
 */
import { isDatabaseName } from "./is-database.ts";

/** The longest path that Linux opens; what is longer is no file. */
const LONGEST_PATH = 4096;

export interface DatabasePath {
  /** The database's path, a prefix of the input. */
  readonly database: string;
  /** All that follows it, with its colon or question mark. */
  readonly rest: string;
}

/** The first prefix that is called like a database, ends before `:`, `?` or the end, and is one. */
export async function splitDatabase(
  input: string,
  isDatabase: (prefix: string) => Promise<boolean>,
): Promise<DatabasePath | null> {
  for (const end of ends(input)) {
    const database = input.slice(0, end);
    if (isDatabaseName(database) && (await isDatabase(database))) return { database, rest: input.slice(end) };
  }
  return null;
}

function* ends(input: string): Generator<number> {
  for (let at = 0; at < Math.min(input.length, LONGEST_PATH); at++)
    if (input[at] === ":" || input[at] === "?") yield at;
  if (input.length <= LONGEST_PATH) yield input.length;
}
