/**
 * What takes the place of a merge conflict: the lines of a text, or one of the sides by its word. Called by write
 * for `conflict://N`, once for each region. Pure.
 */
import type { Conflict, ConflictSide } from "../model/conflict.ts";
import { ToolError } from "../model/errors.ts";
import { findConflicts, type LineAt, markOf, sideSpan } from "./conflicts.ts";

const WORDS: Readonly<Record<string, readonly ConflictSide[]>> = {
  "@ours": ["ours"],
  "@theirs": ["theirs"],
  "@both": ["ours", "theirs"],
  "@base": ["base"],
};

/**
 * The lines that take the region's place, without their ends. A final newline of the content is no line more, and
 * an empty content leaves nothing. Throws INVALID_INPUT for a side that is not there, and for marks that are left.
 */
export function resolutionLines(content: string, conflict: Conflict, lineAt: LineAt): readonly string[] {
  const sides = resolutionSides(content);
  if (sides === null) return withoutMarks(linesOf(content), conflict);
  const word = content.trim();
  if (hasLine(word, conflict, lineAt)) {
    throw new ToolError("INVALID_INPUT", `${word} is a side, and a line of ${where(conflict)} as well`, {
      hint: "Resolve it with edit",
    });
  }
  return withoutMarks(
    sides.flatMap((side) => sideLines(conflict, side, lineAt)),
    conflict,
  );
}

/**
 * The sides that a content names, in order, or null where it is the text itself. Only a word by itself: `@base`
 * among other lines may be a decorator.
 */
export function resolutionSides(content: string): readonly ConflictSide[] | null {
  // The longest word with room around it; nothing longer is copied to be looked at.
  if (content.length > 64) return null;
  const word = content.trim();
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}

/** The lines of one side as they stand. Throws INVALID_INPUT where there is no base. */
export function sideLines(conflict: Conflict, side: ConflictSide, lineAt: LineAt): string[] {
  const span = sideSpan(conflict, side);
  if (span === null) {
    throw new ToolError("INVALID_INPUT", `${capital(where(conflict))} has no base`, {
      hint: "Use its ours or theirs; git checkout --conflict=diff3 FILE writes the base into the file",
    });
  }
  const lines: string[] = [];
  for (let line = span.first; line <= span.last; line += 1) lines.push(lineAt(line) ?? "");
  return lines;
}

function linesOf(content: string): string[] {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, at) =>
    line.endsWith("\r") && (at < lines.length - 1 || content.endsWith("\n")) ? line.slice(0, -1) : line,
  );
}

/**
 * Refuses what would leave a conflict behind. Neither side of a region has a line like one of its marks, `=======`
 * too, or it would not have been a region: such a line in the content is a mark that was left.
 */
function withoutMarks(lines: readonly string[], conflict: Conflict): readonly string[] {
  const left = lines.findIndex((line) => markOf(line)?.size === conflict.size);
  const nested = findConflicts(lines.length, (line) => lines[line - 1] ?? null).conflicts;
  const inner = nested.find(({ size }) => size > conflict.size);
  if (left === -1 && inner === undefined) return lines;
  const line = left === -1 ? (inner?.start ?? 0) : left + 1;
  throw new ToolError(
    "INVALID_INPUT",
    `The content for ${where(conflict)} still holds a conflict mark: its line ${line} is ${lines[line - 1]?.slice(0, 80)}`,
    { hint: "Leave the marks out, or use edit where such a line is meant" },
  );
}

function hasLine(text: string, { start, end }: Conflict, lineAt: LineAt): boolean {
  for (let line = start + 1; line < end; line += 1) if (lineAt(line)?.trim() === text) return true;
  return false;
}

function where({ start, end }: Conflict): string {
  return `the conflict of lines ${start}-${end}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
