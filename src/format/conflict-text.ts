/**
 * What `read FILE:conflicts` prints below its header: each conflict with its URL, where it is, whose sides they are,
 * its lines as read prints them, and how to resolve it. Kept within a number of bytes; what does not fit is named
 * with the next call to make. Pure.
 */
import type { ListedConflict } from "../model/conflict.ts";
import { count } from "./count.ts";
import { bounded, escapeText, oneRow, quoteName } from "./escape.ts";
import { rowsOf } from "./rows.ts";

export interface ConflictPage {
  /** The path as read takes it. */
  readonly label: string;
  /** Those of one file, in order of their lines. */
  readonly listed: readonly ListedConflict[];
  /** How many the file has: more than are listed where a session could not remember them all. */
  readonly total: number;
  /** Lines of marks that belong to no whole conflict. */
  readonly broken: readonly number[];
  readonly lineAt: (line: number) => string | null;
}

export interface ConflictText {
  /** Without a final newline. */
  readonly text: string;
  /** Lines that stand there in full, in order: they count as shown. */
  readonly shown: readonly number[];
  /** Not all of them stand there. */
  readonly cut: boolean;
}

/** Lines that a note names, and characters of a name in a file. */
const NAMED = 8;
const NAME = 80;

/** `lineLimit`: characters of a line before it is shortened. `bytes`: what the text may take. */
export function conflictText(page: ConflictPage, lineLimit: number, bytes: number): ConflictText {
  if (page.listed.length === 0) {
    const nothing = `No unresolved conflicts in ${bounded(quoteName(page.label))}`;
    return { text: [nothing, ...brokenNote(page)].join("\n"), shown: [], cut: false };
  }
  const parts: ConflictText[] = [];
  let room = bytes - reserve(page);
  for (const conflict of page.listed) {
    const part = conflictPart(page, conflict, lineLimit, room);
    // Only the first is shown in part: the others have a call of their own.
    if (part.cut && parts.length > 0) break;
    parts.push(part);
    room -= Buffer.byteLength(part.text) + 1;
    if (part.cut) break;
  }
  const text = [...parts.map((part) => part.text), closing(page, parts.length)].join("\n");
  const cut = parts.length < page.total || parts.some((part) => part.cut);
  return { text, shown: parts.flatMap((part) => part.shown), cut };
}

/** Room for the words below the conflicts, whichever will be said. */
function reserve(page: ConflictPage): number {
  return (
    Math.max(...[0, page.listed.length].map((printed) => Buffer.byteLength(closing(page, printed)))) + 40
  );
}

/** One conflict. Rows that the room does not hold are left out, and it says where to read on. */
function conflictPart(
  { label, lineAt }: ConflictPage,
  { id, region }: ListedConflict,
  lineLimit: number,
  room: number,
): ConflictText {
  const { start, end } = region;
  const rest = (line: number): string =>
    `[Lines ${line}-${end} do not fit: read ${nextRead(label, line, end)}]`;
  const texts = [heading({ id, region })];
  const shown: number[] = [];
  // The blank line between two conflicts.
  let used = Buffer.byteLength(texts.join("")) + 2;
  for (let line = start; line <= end; line += 1) {
    const row = rowOf(line, lineAt(line) ?? "", lineLimit);
    used += Buffer.byteLength(row.text) + 1;
    if (used + (line < end ? Buffer.byteLength(rest(line)) + 1 : 0) > room) {
      return { text: [...texts, rest(line), ""].join("\n"), shown, cut: true };
    }
    texts.push(row.text);
    if (row.whole) shown.push(line);
  }
  return { text: [...texts, ""].join("\n"), shown, cut: false };
}

function heading({ id, region }: Pick<ListedConflict, "id" | "region">): string {
  const { start, end, oursName, theirsName, baseName } = region;
  const sides = [
    `ours ${named(oursName)}`,
    `theirs ${named(theirsName)}`,
    ...(baseName === null ? [] : [`base ${named(baseName)}`]),
  ];
  return `conflict://${id} lines ${start}-${end}: ${sides.join(", ")}`;
}

function named(name: string): string {
  if (name === "") return "(no name)";
  return escapeText(name.length > NAME ? `${name.slice(0, NAME)}…` : name);
}

function rowOf(line: number, text: string, lineLimit: number): { text: string; whole: boolean } {
  const [row] = rowsOf(line, text, [], lineLimit);
  const content = row?.text ?? "";
  const cut = row?.cutAfter === true;
  return { text: `${line}:${oneRow(content)}${cut ? "…" : ""}`, whole: !cut };
}

function closing(page: ConflictPage, printed: number): string {
  return [...moreNote(page, printed), ...brokenNote(page), ...wayOut(page)].join("\n");
}

/** What is not printed: how many there are, and how to see the next. */
function moreNote({ label, listed, total }: ConflictPage, printed: number): string[] {
  const next = listed[printed];
  const last = listed.at(-1);
  const notes: string[] = [];
  if (next !== undefined && last !== undefined) {
    const which = next === last ? `conflict://${next.id}` : `conflict://${next.id} to conflict://${last.id}`;
    const read = nextRead(label, next.region.start, next.region.end);
    notes.push(`${count(listed.length - printed, "more conflict")}, ${which}: read ${read} for the next one`);
  }
  if (total > listed.length) {
    notes.push(`${count(total - listed.length, "conflict")} after these: resolve some, then read again`);
  }
  return notes;
}

function brokenNote({ broken }: ConflictPage): string[] {
  if (broken.length === 0) return [];
  const more = broken.length - NAMED;
  const lines = `${broken.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    `Conflict marks that form no whole conflict, or one within another: lines ${lines}; use edit for them`,
  ];
}

function wayOut({ listed }: ConflictPage): string[] {
  const [first, second] = listed;
  if (first === undefined) return [];
  const base = listed.every(({ region }) => region.base !== null) ? ", @base" : "";
  const one = `Resolve with write: path conflict://${first.id}, content the lines that take its place, or @ours, @theirs, @both${base}`;
  return [second === undefined ? one : `${one}. Several at once: conflict://${first.id},${second.id}`];
}

/** A call of read that shows these lines. */
function nextRead(label: string, first: number, last: number): string {
  return `${bounded(quoteName(label))}:${first}-${last}`;
}
