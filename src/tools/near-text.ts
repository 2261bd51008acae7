import { farthest, edits } from "../format/nearest.ts";
import { viewRow } from "../format/view-text.ts";
import { type FlatText, lineAt } from "../edit/flat-text.ts";
import { occurrences } from "../edit/occurrences.ts";
import { ToolError } from "../model/errors.ts";
import { LINE_CHARACTERS, MISMATCH_CONTEXT, NEAR_LINE_WORK, NEAR_TEXT } from "../model/limits.ts";
import type { TextLines } from "../workspace/text-lines.ts";
import { withoutNumbers } from "./pasted-numbers.ts";

/**
 * What an agent is told when the text that it wants replaced is not in the file: in what it differs from one that is,
 * or which line comes nearest, and the file's own lines there, so that the next call needs no view. Called by
 * `str_replace`.
 */
export function textNotFound(label: string, lines: TextLines, flat: FlatText, old: string): ToolError {
  if (flat.text.length > NEAR_TEXT) {
    return new ToolError("TEXT_NOT_FOUND", `old_str is not in ${label}`, {
      hint: "Look with grep for where the text is, and view it there",
    });
  }
  const rows = old.split("\n").length;
  const almost = differsOnly(flat.text, old);
  if (almost !== null) {
    return new ToolError(
      "TEXT_NOT_FOUND",
      `old_str is not in ${label}; line ${almost.line} differs only in ${almost.how}`,
      {
        hint: almost.hint ?? "Send it as it stands there",
        excerpt: excerpt(lines, almost.line, almost.line + rows - 1),
      },
    );
  }
  const near = nearest(flat.text, old);
  if (near === null) {
    return new ToolError("TEXT_NOT_FOUND", `old_str is not in ${label}, and no line of it comes near`, {
      hint: "View the file, or look with grep for where the text is",
    });
  }
  const said =
    near.agree === 0
      ? `line ${near.line} comes nearest`
      : near.agree === 1
        ? `line ${near.line} agrees with it, and line ${near.line + 1} does not`
        : `lines ${near.line}-${near.line + near.agree - 1} agree with it, and line ${near.line + near.agree} does not`;
  return new ToolError("TEXT_NOT_FOUND", `old_str is not in ${label}; ${said}`, {
    hint: "Send it as it stands there",
    excerpt: excerpt(lines, near.line, near.line + rows - 1),
  });
}

interface Almost {
  readonly line: number;
  readonly how: string;
  readonly hint?: string;
}

/** A way to read both texts in which what they differ in does not count. It keeps lines where they are. */
interface Reading {
  readonly how: string;
  readonly hint?: string;
  /** null: it does not apply. */
  readonly old: (old: string) => string | null;
  readonly text: (text: string) => string;
}

const eachLine =
  (change: (line: string) => string) =>
  (text: string): string =>
    text.split("\n").map(change).join("\n");

const alike = (how: string, change: (text: string) => string): Reading => ({
  how,
  old: change,
  text: change,
});

const same = (text: string): string => text;

const READINGS: readonly Reading[] = [
  {
    how: "the numbers before its lines",
    hint: "Leave out the numbers that view prints, and the tab behind them",
    old: withoutNumbers,
    text: same,
  },
  {
    how: "the newline at the end",
    hint: "Leave it out: the file does not end with one",
    old: (old) => (old.endsWith("\n") ? old.slice(0, -1) : null),
    text: same,
  },
  alike("line ends: carriage returns stand there without newlines", (text) => text.replaceAll("\r", "\n")),
  alike(
    "blanks at line ends",
    eachLine((line) => line.trimEnd()),
  ),
  alike(
    "indentation",
    eachLine((line) => line.trim()),
  ),
  alike(
    "blanks",
    eachLine((line) => line.trim().replaceAll(/\s+/g, " ")),
  ),
  alike(
    "upper and lower case",
    eachLine((line) => line.toLowerCase()),
  ),
];

function differsOnly(text: string, old: string): Almost | null {
  for (const { how, hint, ...reading } of READINGS) {
    const wanted = reading.old(old);
    if (wanted === null || wanted.trim() === "") continue;
    const read = reading.text(text);
    const { value: at } = occurrences(read, wanted).next() as { value: number | undefined };
    if (at === undefined) continue;
    // A reading that makes lines of what is none leaves every character in its place.
    const line = lineAt(read.length === text.length ? text : read, at);
    return hint === undefined ? { line, how } : { line, how, hint };
  }
  return null;
}

interface Near {
  readonly line: number;
  /** So many lines from there on agree, but for blanks around them. */
  readonly agree: number;
}

/** By the first line that is not blank. */
function nearest(text: string, old: string): Near | null {
  const wanted = old.split("\n").map((line) => line.trim());
  const blank = wanted.findIndex((line) => line !== "");
  const first = wanted[blank];
  if (first === undefined) return null;
  const lines = text.split("\n").map((line) => line.trim());
  let best: Near | null = null;
  for (const [at, line] of lines.entries()) {
    if (line !== first) continue;
    const agree = agreeing(lines, at, wanted.slice(blank));
    if (best === null || agree > best.agree) best = { line: at + 1, agree };
  }
  return best ?? nearestLine(lines, first);
}

/** Looked at up to a few lines: only the longest run is of use. */
const AGREEING = 200;

function agreeing(lines: readonly string[], at: number, wanted: readonly string[]): number {
  let count = 1;
  while (count < Math.min(wanted.length, AGREEING) && lines[at + count] === wanted[count]) count += 1;
  return count;
}

function nearestLine(lines: readonly string[], given: string): Near | null {
  const wanted = given.slice(0, LINE_CHARACTERS);
  let best: number | null = null;
  let most = farthest(wanted);
  let work = NEAR_LINE_WORK;
  for (const [at, whole] of lines.entries()) {
    const line = whole.slice(0, LINE_CHARACTERS);
    if (line === "" || Math.abs(line.length - wanted.length) > most) continue;
    work -= line.length * wanted.length;
    if (work < 0 || most < 0) break;
    const distance = edits(wanted, line, most);
    if (distance <= most) [best, most] = [at + 1, distance - 1];
  }
  return best === null ? null : { line: best, agree: 0 };
}

/** Rows that a refusal shows. */
const ROWS = 12;

/** Lines of a file and some around them, as view prints them. */
function excerpt(lines: TextLines, first: number, last: number): string {
  const from = Math.max(1, first - MISMATCH_CONTEXT);
  const rows: string[] = [];
  for (let line = from; line <= last + MISMATCH_CONTEXT && rows.length < ROWS; line += 1) {
    const content = lines.line(line);
    if (content === null) break;
    rows.push(viewRow(line, content, LINE_CHARACTERS).text);
  }
  return rows.join("\n");
}
