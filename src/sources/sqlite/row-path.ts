/** Where a row is written: `:table` or `:table:key` behind a database's path. Called by write. Pure. */
import { ToolError } from "../../model/errors.ts";
import { namedPart } from "./named-part.ts";

export interface RowPath {
  readonly table: string;
  readonly key: string | null;
}

export function parseRowPath(rest: string): RowPath {
  const table = rest.startsWith(":")
    ? namedPart(rest.slice(1), ":?")
    : rest.startsWith("?")
      ? PARAMETERS
      : NONE;
  if (table === null) throw quote(rest);
  if (table.rest.startsWith("?")) throw withParameters();
  if (table.name === "")
    throw invalid(
      "A write into a database must name a table",
      "Use db:table to insert, db:table:key to change",
    );
  if (table.rest === "") return { table: table.name, key: null };
  const key = namedPart(table.rest.slice(1), "?");
  if (key === null) throw quote(rest);
  if (key.rest !== "") throw withParameters();
  if (key.name === "") throw invalid("The row's key is empty", "Use db:table:key, or db:table to insert");
  return { table: table.name, key: key.name };
}

const PARAMETERS = { name: "", rest: "?" };
const NONE = { name: "", rest: "" };

function withParameters(): ToolError {
  return invalid(
    "A write into a database takes no parameters",
    'Name the row by its key: db:table:key; a name that holds a question mark is quoted: "a?b"',
  );
}

function quote(rest: string): ToolError {
  return invalid(`A quoted name in ${rest} does not end`, 'Double a quote inside a name: "a""b"');
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint });
}
