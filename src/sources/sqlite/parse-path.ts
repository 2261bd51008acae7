/**
 * What follows a database's path, as a query: nothing, `:table`, `:table:key`, `:table?limit=…`, `?q=SELECT …`.
 * Called by read, before the database is opened. Pure. A text that makes no sense behind a table is not thrown but
 * kept as refused, because a table may be called exactly that, and only the database knows.
 */
import type { DatabaseQuery, TableReading } from "../../model/database.ts";
import { ToolError } from "../../model/errors.ts";
import { QUERY_ROWS, QUERY_ROWS_MOST } from "../../model/limits.ts";
import { namedPart } from "./named-part.ts";
import { decoded, type Parameter, parameters } from "./parameters.ts";

const FORMS = "Use db, db:table, db:table:key, db:table?limit=&offset=&order=&where= or db?q=SELECT …";
const KNOWN = ["limit", "offset", "order", "where"];

export function parseDatabasePath(rest: string): DatabaseQuery {
  if (rest.includes("\0")) throw invalid("A path into a database holds a NUL character", FORMS);
  if (rest === "" || rest === ":" || rest === "?") return { kind: "list" };
  if (rest.startsWith("?")) return { kind: "raw", sql: statement(rest.slice(1)) };
  if (!rest.startsWith(":")) throw invalid(`${rest} is nothing that can follow a database`, FORMS);
  const whole = rest.slice(1);
  return { kind: "table", whole, reading: tableReading(whole) };
}

/** The statement of `q=…`, which takes all the rest: SQL has its own `&`. */
function statement(text: string): string {
  if (!/^\s*q\s*=/.test(text)) {
    const combined = parameters(text).some(({ name }) => name === "q");
    throw combined ? notCombined() : invalid("Parameters need a table to apply to", FORMS);
  }
  const value = text.slice(text.indexOf("=") + 1);
  if (parameters(`q=${value}`).some(({ name }, index) => index > 0 && isParameter(name))) throw notCombined();
  const sql = decoded(value);
  if (sql.trim() === "") throw invalid("q holds no statement", "Use db?q=SELECT …");
  return sql;
}

function isParameter(name: string): boolean {
  return name === "q" || KNOWN.includes(name);
}

function notCombined(): ToolError {
  return invalid(
    "q cannot be combined with a table or other parameters",
    "Put LIMIT, ORDER BY and WHERE into q",
  );
}

function tableReading(whole: string): TableReading {
  const table = namedPart(whole, ":?");
  if (table === null)
    return refused(`The quoted name in ${whole} does not end`, 'Double a quote inside a name: "a""b"');
  if (table.name === "") return refused("The table's name is missing", FORMS);
  if (table.rest === "") return { kind: "schema", table: table.name };
  const behind = table.rest.slice(1);
  return table.rest.startsWith(":") ? rowReading(table.name, behind) : queryReading(table.name, behind);
}

function rowReading(table: string, text: string): TableReading {
  const key = namedPart(text, "?");
  if (key === null) return refused(`The quoted key in ${text} does not end`, 'Double a quote inside: "a""b"');
  if (key.name === "") return refused("The row's key is missing", "Use db:table:key");
  if (key.rest !== "")
    return refused(
      "A row that is looked up by its key takes no parameters",
      'Leave them out, or quote a key that holds a question mark: db:table:"a?b"',
    );
  return { kind: "row", table, key: key.name };
}

function queryReading(table: string, text: string): TableReading {
  const given = parameters(text);
  const fault = parameterFault(given);
  if (fault !== null) return fault;
  const value = (name: string): string | null => given.find((one) => one.name === name)?.value ?? null;
  const limit = whole(value("limit"), QUERY_ROWS);
  const offset = whole(value("offset"), 0);
  if (limit === null || limit === 0)
    return refused("limit is no positive whole number", `Use 1 to ${QUERY_ROWS_MOST}`);
  if (offset === null) return refused("offset is no whole number", "Use 0 or more");
  const order = value("order");
  const where = value("where");
  if (order !== null && order.trim() === "") return refused("order names no column", "Use order=column:desc");
  if (where !== null && where.trim() === "") return refused("where holds no condition", "Leave it out");
  return {
    kind: "query",
    table,
    limit: Math.min(limit, QUERY_ROWS_MOST),
    capped: limit > QUERY_ROWS_MOST,
    offset,
    order: order === null ? null : order.trim(),
    where,
  };
}

function parameterFault(given: readonly Parameter[]): TableReading | null {
  const names = given.map(({ name }) => name);
  if (names.includes("q")) {
    const { message, hint } = notCombined();
    return refused(message, hint ?? "");
  }
  const unknown = names.find((name) => !KNOWN.includes(name));
  if (unknown !== undefined)
    return refused(
      `Unknown parameter: ${unknown}`,
      `Known are ${KNOWN.join(", ")}; an & that belongs to a value is written %26`,
    );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : refused(`${twice} is given twice`, "Give it once");
}

/** A number as it is written, or null. */
function whole(value: string | null, otherwise: number): number | null {
  if (value === null) return otherwise;
  const number = /^\d+$/.test(value.trim()) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

function refused(message: string, hint: string): TableReading {
  return { kind: "refused", message, hint };
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint });
}
