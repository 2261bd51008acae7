/**
 * Reads the patch language of edit: sections `¶PATH#TAG`, operations, body rows `+TEXT`. Text in, data out; nothing is
 * looked up but whether a tag is known. Shapes beyond doubt are understood and warned of, all others are refused with
 * the row and the shape to use: a patch is never half read. Called by the edit tool.
 */
import { ToolError } from "../../model/errors.ts";
import type { Operation, OperationHead, Patch, Section } from "../../model/patch.ts";
import { bodyOf } from "./body.ts";
import { isHeader, isWhole, type Knows, readHeader, readSearchHeading, refuseSentinel } from "./header.ts";
import { readOperation, warnOfShape } from "./operation.ts";
import { refuseOverlaps, touchedBy } from "./overlap.ts";
import { quoted, refuse } from "./refuse.ts";
import { isBlank, rowsOf } from "./rows.ts";
import { refuseForeign, refuseOutside, refuseStray, refuseUnknownHeading } from "./strays.ts";
import { createWarnings, type Warnings } from "./warnings.ts";

const ENVELOPE = /^\*{3,}\s*(?:begin|end)\s+patch\b[\s*]*$/i;
const ABORT = /^\*{3,}\s*abort\b[\s*]*$/i;
const SENTINEL = /^\*{3,}\s*(?:(?:update|add|delete)\s+file\s*:|move\s+to\s*:|end\s+of\s+file$)/i;

/** An operation whose rows are still being read. */
interface Hunk {
  readonly head: OperationHead;
  readonly row: number;
  /** The last row of its body, its own where there is none. Blank rows count only if another of the body follows. */
  last: number;
}

interface OpenSection {
  readonly path: string;
  readonly tag: string;
  readonly row: number;
  readonly operations: Operation[];
}

interface State {
  readonly rows: readonly string[];
  readonly knows: Knows;
  readonly warnings: Warnings;
  /** By path, in the order of the patch. */
  readonly sections: Map<string, OpenSection>;
  section: OpenSection | null;
  hunk: Hunk | null;
}

/** `knows` says whether a tag is known for a path: only then `# PATH#TAG` is a header. Throws PATCH_INVALID. */
export async function parsePatch(input: string, knows: Knows): Promise<Patch> {
  const warnings = createWarnings();
  const rows = rowsOf(input, warnings);
  const state: State = { rows, knows, warnings, sections: new Map(), section: null, hunk: null };
  for (const [at, text] of rows.entries()) {
    if (ABORT.test(text.trimEnd())) {
      warnings.add("abort", at + 1, () => abortText(rows.length - at - 1));
      break;
    }
    if (text.startsWith("+")) addRow(state, text, at + 1);
    else if (!isBlank(text)) await readRow(state, text, at + 1);
  }
  closeHunk(state);
  return { sections: finished(state), warnings: warnings.list() };
}

function abortText(left: number): string {
  const unread =
    left === 0 ? "" : `, and of what follows (${left} ${left === 1 ? "row" : "rows"}) nothing was read`;
  return `\`*** Abort\` ended the patch: what stands before it holds${unread}`;
}

/** A row that is neither blank nor begins with `+`. */
async function readRow(state: State, text: string, row: number): Promise<void> {
  const trimmed = text.trim();
  const indented = /^\s/.test(text);
  // Text may stand further in, a header or an operation should not: below an operation nobody can tell them apart.
  const bodyOpen = state.hunk !== null && takesBody(state.hunk.head);
  if (indented && bodyOpen) {
    if (isWhole(trimmed) || isOperation(trimmed)) refuseIndented(trimmed, row);
    addRow(state, text, row);
    return;
  }
  if (ENVELOPE.test(trimmed)) {
    closeHunk(state);
    return;
  }
  if (isHeader(trimmed)) {
    openSection(state, await readHeader(text.trimEnd(), row, state.knows, state.warnings), row);
    return;
  }
  const heading = await readSearchHeading(text.trimEnd(), row, state.knows, state.warnings);
  if (heading !== null) {
    openSection(state, heading, row);
    return;
  }
  if (SENTINEL.test(trimmed)) refuseSentinel(trimmed, row);
  if (state.section === null) refuseOutside(trimmed, row);
  const head = readOperation(trimmed, row);
  if (head === null) {
    // Above an operation it is meant as a header, and what follows for another file.
    if (isOperation(nextRow(state.rows, row))) refuseUnknownHeading(trimmed, row);
    refuseForeign(trimmed, row);
    addRow(state, text, row);
    return;
  }
  closeHunk(state);
  warnOfShape(text.trimEnd(), head, row, state.warnings);
  state.hunk = { head, row, last: row };
}

/** The first row behind one that is not blank. */
function nextRow(rows: readonly string[], row: number): string {
  for (let at = row; at < rows.length; at += 1) if (rows[at]?.trim() !== "") return rows[at]?.trim() ?? "";
  return "";
}

function takesBody(head: OperationHead): boolean {
  return head.kind !== "delete" && head.kind !== "delete block";
}

function isOperation(text: string): boolean {
  try {
    return readOperation(text, 0) !== null;
  } catch {
    return false;
  }
}

function refuseIndented(text: string, row: number): never {
  refuse(
    row,
    `${quoted(text)} is indented below an operation, and may be its text or a row of the patch`,
    "Write + before it if it is text, and no blanks if it is not",
  );
}

/** A row of text, for the operation above it. */
function addRow(state: State, text: string, row: number): void {
  if (state.section === null) refuseOutside(text, row);
  if (state.hunk === null) refuseStray(text, row);
  if (!takesBody(state.hunk.head)) refuseBodyOfDelete(state.hunk.head, row);
  state.hunk.last = row;
}

function refuseBodyOfDelete(head: OperationHead, row: number): never {
  const replace = head.kind === "delete" && `replace ${head.first}..${head.last}:`;
  const block = head.kind === "delete block" && `replace block ${head.line}:`;
  refuse(
    row,
    "a delete has no body rows",
    `Leave them out, or use \`${replace || block || "replace N..M:"}\` to put them there`,
  );
}

/** Several sections of one file are one. */
function openSection(state: State, { path, tag }: { path: string; tag: string }, row: number): void {
  closeHunk(state);
  const known = state.sections.get(path);
  if (known !== undefined && known.tag !== tag) {
    refuse(
      row,
      `${quoted(path)} has the tag ${tag} here and ${known.tag} on patch line ${known.row}`,
      "Name one version of a file: its newest tag, with the line numbers of that version",
    );
  }
  state.section = known ?? { path, tag, row, operations: [] };
  state.sections.set(path, state.section);
}

function closeHunk(state: State): void {
  const { hunk, section } = state;
  state.hunk = null;
  if (hunk === null || section === null) return;
  const { head, row } = hunk;
  const rows = state.rows.slice(row, hunk.last);
  const body = takesBody(head) ? { body: bodyOf(head, row, rows, state.warnings) } : {};
  section.operations.push({ ...head, ...body, row } as Operation);
}

function finished(state: State): Section[] {
  const sections = [...state.sections.values()];
  if (sections.length === 0) {
    throw new ToolError("PATCH_INVALID", "The patch has no operations", {
      hint: "Begin with ¶PATH#TAG, then an operation such as `replace N..M:`, then its rows as `+TEXT`",
    });
  }
  for (const { path, row, operations } of sections) {
    if (operations.length === 0) {
      refuse(
        row,
        `the section of ${quoted(path)} has no operations`,
        "Write an operation such as `replace N..M:` below the header, or leave the header out",
      );
    }
    refuseOverlaps(operations.map(touchedBy).filter((touched) => touched !== null));
  }
  return sections;
}
