/**
 * Whether a `where` is one condition and nothing more. Called before it is put between parentheses.
 * The connection refuses writes whatever is in it; this keeps it from being another query than the one asked for.
 */
import { ToolError } from "../../model/errors.ts";

/** Words that no condition needs. `REPLACE` and the like are functions too: only as words of their own. */
const CONTROL = new Set(
  (
    "ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP EXCEPT EXPLAIN INSERT INTERSECT INTO LIMIT OFFSET " +
    "PRAGMA REINDEX RELEASE REPLACE RETURNING ROLLBACK SAVEPOINT UNION UPDATE VACUUM"
  ).split(" "),
);

/** A string, a quoted name, a comment, a word with a call's parenthesis, or one character. */
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--|\/\*|[\p{L}_$][\p{L}\p{N}_$]*(?<call>\s*\()?|[^]/gu;

export function checkWhere(where: string): void {
  let depth = 0;
  for (const match of where.matchAll(TOKENS)) {
    const token = match[0];
    if (token === "--" || token === "/*") throw refused("holds a comment");
    if (token === ";") throw refused("holds a semicolon");
    if (/^['"`[]$/.test(token)) throw refused(`has a ${token} that does not end`);
    if (token.endsWith("(") || token === "(") depth++;
    if (token === ")" && --depth < 0) throw refused("closes a parenthesis that it did not open");
    const word = token.replace(/\s*\($/, "").toUpperCase();
    const called = match.groups?.["call"] !== undefined;
    if (CONTROL.has(word) && !(called && word === "REPLACE")) throw refused(`holds ${word}`);
  }
  if (depth > 0) throw refused("leaves a parenthesis open");
}

function refused(why: string): ToolError {
  return new ToolError("SQL_REFUSED", `The where condition ${why}`, {
    hint: "Give one condition as it stands behind WHERE, quote names that are SQL words, or use ?q=SELECT …",
  });
}
