/**
 * A statement that somebody else wrote, run only if it is one and only reads (T17). In the worker.
 * SQLite itself is asked, not the text: it compiles the statement under the authorizer, tells whether it could change
 * anything, and compiles what follows it, which must come to nothing.
 */
import type { Rows } from "../../model/database.ts";
import { ToolError } from "../../model/errors.ts";
import { collect } from "./collect.ts";
import type { Connection } from "./connection.ts";
import { READS_ONLY } from "./fault.ts";
import type { Statement } from "./statement.ts";

export function raw(connection: Connection, sql: string, most: number): Rows {
  const { statement, rest } = firstStatement(connection, sql);
  try {
    refuseMore(connection, rest);
    const begin = /^(?:EXPLAIN\s+(?:QUERY\s+PLAN\s+)?)?(?:SELECT|WITH|VALUES)\b/i;
    if (!statement.readsOnly || !begin.test(withoutComments(sql)))
      throw refused("It is no statement that only reads");
    if (statement.parameters > 0)
      throw refused("It has parameters without values", "Write the values into the statement");
    return collect(statement, most);
  } finally {
    statement.end();
  }
}

function firstStatement(connection: Connection, sql: string): { statement: Statement; rest: string } {
  const { statement, rest } = connection.compile(sql);
  if (statement === null) throw refused("There is no statement in it");
  return { statement, rest };
}

/** Blanks, comments and semicolons may follow. What does not even compile is something else too. */
function refuseMore(connection: Connection, rest: string): void {
  const more = compiledOrNull(connection, rest);
  more?.statement?.end();
  if (more === null || more.statement !== null) throw refused("There is more than one statement");
}

function compiledOrNull(connection: Connection, sql: string): ReturnType<Connection["compile"]> | null {
  try {
    return connection.compile(sql);
  } catch {
    return null;
  }
}

/** The text with blanks in place of comments, from its first word on. */
function withoutComments(sql: string): string {
  const comments = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g, (token) =>
    /^['"]/.test(token) ? token : " ",
  );
  return comments.replace(/^[\s;]+/, "");
}

function refused(why: string, hint: string = READS_ONLY): ToolError {
  return new ToolError(
    "SQL_REFUSED",
    `The statement is refused: ${why.charAt(0).toLowerCase()}${why.slice(1)}`,
    {
      hint,
    },
  );
}
