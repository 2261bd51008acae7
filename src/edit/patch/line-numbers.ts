/**
 * Body rows that were copied from an answer with their line numbers: `12:text`, `*12:text`, ` 12|text`. Such numbers
 * must not get into the file, and text that merely begins like one must stay as it is.
 * `body.ts` asks for rows without a `+`, the applier, who knows the file, for the others.
 */
import type { Operation, OperationHead } from "../../model/patch.ts";
import { shapeOf } from "./shape.ts";

const NUMBERED = /^[ *]?([1-9]\d{0,8})[:|](.*)$/s;
const LIKE_NUMBERED = /^[ *]?\d+[:|]/;

export function isNumbered(row: string): boolean {
  return NUMBERED.test(row);
}

/** The rows without their numbers, if these are the ones that the rows have where the operation puts them. */
export function withoutOwnNumbers(head: OperationHead, rows: readonly string[]): string[] | null {
  let expected = firstLineOf(head);
  const texts: string[] = [];
  for (const row of rows) {
    const [, digits, text] = NUMBERED.exec(row) ?? [];
    if (expected === null || text === undefined || Number(digits) !== expected) return null;
    texts.push(text);
    expected++;
  }
  return texts;
}

function firstLineOf(head: OperationHead): number | null {
  switch (head.kind) {
    case "replace":
      return head.first;
    case "replace block":
    case "insert before":
      return head.line;
    case "insert after":
      return head.line + 1;
    case "insert head":
      return 1;
    default:
      return null;
  }
}

export interface Unnumbered {
  readonly operation: Operation;
  readonly warning: string;
}

/**
 * An operation whose `+` rows all carry the number of the line they replace, without these numbers. null: as it is.
 * Whoever writes `+12:text` can mean it: so only for `replace`, and only if no line that stands there begins with
 * a number in that way, as lines of a schedule or of a numbered list do.
 */
export function unnumbered(operation: Operation, lineAt: (line: number) => string | null): Unnumbered | null {
  if (operation.kind !== "replace") return null;
  const body = withoutOwnNumbers(operation, operation.body);
  if (body === null) return null;
  for (let line = operation.first; line <= operation.last; line++) {
    const text = lineAt(line);
    if (text === null) break;
    if (LIKE_NUMBERED.test(text)) return null;
  }
  return {
    operation: { ...operation, body },
    warning: `The body of \`${shapeOf(operation)}\` had line numbers as read prints them, which were left out: body rows are +TEXT (patch line ${operation.row})`,
  };
}
