/**
 * Reads an operation row: the shapes that go right, and those whose meaning is beyond doubt, which are warned of.
 * Called by `parse.ts` for every row that has no `+`.
 */
import type { OperationHead } from "../../model/patch.ts";
import { OPERATIONS, quoted, refuse } from "./refuse.ts";
import { shapeOf } from "./shape.ts";
import type { Warnings } from "./warnings.ts";

const NUMBER = "(?:lines?\\s+)?L?(\\d+)";
/** Two dots, and what else stands between the ends of a range; blanks alone do, too. */
const RANGE = `${NUMBER}(?:(\\s*(?:\\.{2,3}|[…–—-])\\s*|\\s+(?:to\\s+)?)L?(\\d+))?`;
const END = "\\s*(:?)$";

const RANGED = new RegExp(`^(replace|delete)\\s+${RANGE}${END}`, "i");
const AT_LINE = new RegExp(
  `^(replace\\s+block|delete\\s+block|insert\\s+before|insert\\s+after|insert\\s+after\\s+block)\\s+${NUMBER}${END}`,
  "i",
);
const AT_END = new RegExp(`^(insert\\s+head|insert\\s+tail)${END}`, "i");

const VERB = /^(?:replace|delete|insert)\s/i;
/** Meant as an operation for all one can tell, and not of any shape that can be read as one. */
const BROKEN =
  /^(?:(?:replace|delete|insert)\s+(?:(?:block|before|after|at|from|lines?|rows?|range|head|tail)\s+)*L?\d|insert\s+(?:at\s+)?\w+\s*:)/i;

/** null: the row is none. Throws where it is one that makes no sense. `text` has no blanks at its ends. */
export function readOperation(text: string, row: number): OperationHead | null {
  if (!VERB.test(text)) return null;
  const head = ranged(text, row) ?? atLine(text, row) ?? atEnd(text);
  if (head === null && BROKEN.test(text)) {
    refuse(
      row,
      `${quoted(text)} is no operation`,
      `Use ${OPERATIONS}; body rows stand below it, each with + before it, and so does text that looks like an operation`,
    );
  }
  return head;
}

function ranged(text: string, row: number): OperationHead | null {
  const [, verb, from, , to, colon] = RANGED.exec(text) ?? [];
  if (verb === undefined || from === undefined) return null;
  const kind = verb.toLowerCase() as "replace" | "delete";
  const first = lineNumber(from, row);
  const last = to === undefined ? first : lineNumber(to, row);
  if (last < first) {
    refuse(
      row,
      `the range ${first}..${last} ends before it starts`,
      `Use \`${shapeOf({ kind, first: last, last: first })}\``,
    );
  }
  const head: OperationHead = { kind, first, last };
  if (kind === "delete" && colon === ":") refuseColon(head, row);
  return head;
}

function atLine(text: string, row: number): OperationHead | null {
  const [, words, digits, colon] = AT_LINE.exec(text) ?? [];
  if (words === undefined || digits === undefined) return null;
  const kind = words.toLowerCase().replaceAll(/\s+/g, " ") as "delete block" | "insert before";
  const head: OperationHead = { kind, line: lineNumber(digits, row) };
  if (head.kind === "delete block" && colon === ":") refuseColon(head, row);
  return head;
}

function atEnd(text: string): OperationHead | null {
  const [, words] = AT_END.exec(text) ?? [];
  if (words === undefined) return null;
  return { kind: words.toLowerCase().replace(/\s+/, " ") as "insert head" | "insert tail" };
}

function refuseColon(head: OperationHead, row: number): never {
  const shape = shapeOf(head);
  refuse(
    row,
    `\`${shape}\` ends in a colon, and a delete has no body`,
    `Use \`${shape}\`, or \`${shape.replace("delete", "replace")}:\` with the rows that shall stand there`,
  );
}

function lineNumber(digits: string, row: number): number {
  const line = Number(digits);
  if (line === 0) {
    refuse(
      row,
      "there is no line 0: lines are counted from 1",
      "Use `insert head:` for the start of the file",
    );
  }
  if (!Number.isSafeInteger(line)) {
    refuse(row, `no file has a line ${quoted(digits)}`, "Use the numbers that read or search printed");
  }
  return line;
}

/** Says in what the row differs from the right shape. `text` may be indented, which differs too. */
export function warnOfShape(text: string, head: OperationHead, row: number, warnings: Warnings): void {
  const right = shapeOf(head);
  if (text === right) return;
  const lacks = differences(text.trim(), head);
  if (lacks.length === 0) lacks.push("there is one blank between words, and none elsewhere");
  for (const lack of lacks) {
    warnings.add(lack, row, () => `${quoted(text)} was read as \`${right}\`: ${lack}`);
  }
}

function differences(text: string, head: OperationHead): string[] {
  const lacks: string[] = [];
  const [, , , between, to] = RANGED.exec(text) ?? [];
  if ("first" in head && to === undefined) lacks.push("a range is written N..M, of one line N..N");
  if (between !== undefined && between !== "..") lacks.push("a range is written with two dots, N..M");
  if (!head.kind.startsWith("delete") && !text.endsWith(":")) lacks.push("replace and insert end in a colon");
  if (/\blines?\s|L\d/i.test(text)) lacks.push("a line is named by its number alone");
  if (/[A-Z]/.test(text.replaceAll(/L(?=\d)/g, ""))) lacks.push("operations are written in small letters");
  if (/\b0\d/.test(text)) lacks.push("a line number begins with no zero");
  return lacks;
}
