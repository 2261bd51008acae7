/** What a database's first bytes say, and the ones that this SQLite would misread. In the worker. */
import { ToolError } from "../../model/errors.ts";
import type { Bytes } from "./bytes.ts";
import { HEADER_BYTES, hasDatabaseHeader } from "./is-database.ts";

/** Where the header says how the file is written and read: 1 with a journal, 2 with a write-ahead log. */
export const VERSIONS: readonly [number, number] = [18, 19];
const ENCODING = 59;

export function checkHeader(main: Bytes, name: string): void {
  const header = new Uint8Array(HEADER_BYTES);
  if (main.read(header, 0) < HEADER_BYTES || !hasDatabaseHeader(header))
    throw new ToolError("DATABASE_INVALID", `${name} is no SQLite database`, {
      hint: "It is called like one, but does not begin like one",
    });
  // The build is made without UTF-16 and would take such text for UTF-8.
  if ((header[ENCODING] ?? 0) > 1)
    throw new ToolError("KIND_UNSUPPORTED", `${name} keeps its text as UTF-16, which is not read here`, {
      hint: "Use the program that owns it",
    });
}
