/** Whether something is a SQLite database: by its name, and by its first bytes. Called before anything is parsed. */

const NAMES = /\.(?:sqlite3?|db3?)$/i;
const MAGIC = Buffer.from("SQLite format 3\0");

/** How many bytes `hasDatabaseHeader` looks at. */
export const HEADER_BYTES = 100;

export function isDatabaseName(path: string): boolean {
  return NAMES.test(path);
}

export function hasDatabaseHeader(beginning: Uint8Array): boolean {
  return MAGIC.equals(beginning.subarray(0, MAGIC.length));
}
