/**
 * A text that stands once in a file replaced by another, byte by byte. What the two texts have in common at their ends
 * is not touched at all; new lines get the terminators of the lines that they replace, as in `splice.ts`. Called by
 * `str_replace`. Pure.
 */
import { encodeText, type Encoding, type TextLines, textLines } from "../workspace/text-lines.ts";
import { type FlatText } from "./flat-text.ts";
import { type Splice, terminatorAt, unwritable } from "./splice.ts";

export interface Replacement {
  /** Where the old text stands, in the flat text. */
  readonly at: number;
  /** Both with `\n` between lines. */
  readonly old: string;
  readonly text: string;
}

export interface Replaced {
  readonly bytes: Buffer;
  /** The same change in lines, for the answer. */
  readonly splice: Splice;
}

export function replaceText(lines: TextLines, flat: FlatText, given: Replacement, name: string): Replaced {
  const [before, behind] = common(given.old, given.text);
  const start = given.at + before;
  const end = given.at + given.old.length - behind;
  const added = given.text.slice(before, given.text.length - behind);
  const [from, to] = [flat.byteAt(start), flat.byteAt(end)];
  const bytes = Buffer.concat([
    lines.bytes.subarray(0, from),
    ...written(lines, flat, given, { before, added }, name),
    lines.bytes.subarray(to),
  ]);
  return { bytes, splice: lineSplice(lines, flat, { start, end, added }, textLines(bytes)) };
}

/** How much two texts begin with in common, and then end with; never half a character. */
function common(old: string, text: string): readonly [before: number, behind: number] {
  const shorter = Math.min(old.length, text.length);
  let before = 0;
  while (before < shorter && old.charCodeAt(before) === text.charCodeAt(before)) before += 1;
  if (isHalved(old, before) || isHalved(text, before)) before -= 1;
  let behind = 0;
  const left = shorter - before;
  while (
    behind < left &&
    old.charCodeAt(old.length - 1 - behind) === text.charCodeAt(text.length - 1 - behind)
  )
    behind += 1;
  if (isHalved(old, old.length - behind) || isHalved(text, text.length - behind)) behind -= 1;
  return [before, behind];
}

/** Does a place lie between the two units of a character? */
function isHalved(text: string, at: number): boolean {
  const [high, low] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

/** What is put in: row by row, each but the last with its terminator. */
function written(
  lines: TextLines,
  flat: FlatText,
  { at, old, text }: Replacement,
  { before, added }: { readonly before: number; readonly added: string },
  name: string,
): Buffer[] {
  const first = flat.lineAt(at);
  const touched = newlines(old) + (old.endsWith("\n") ? 0 : 1);
  const passed = newlines(text.slice(0, before));
  return added.split("\n").flatMap((row, index) => {
    const like = first + Math.min(passed + index - 1, touched - 1);
    const end = index === 0 ? [] : [terminatorAt(lines, like, flat.encoding)];
    return [...end, encoded(row, flat.encoding, name)];
  });
}

function encoded(row: string, encoding: Encoding, name: string): Buffer {
  const bytes = row.includes("\0") ? null : encodeText(row, encoding);
  if (bytes === null) throw unwritable(row, encoding, name);
  return bytes;
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** The lines that are not the same before and after; whole lines by themselves, if that is what was changed. */
function lineSplice(
  lines: TextLines,
  { text, lineAt }: FlatText,
  { start, end, added }: { readonly start: number; readonly end: number; readonly added: string },
  after: TextLines,
): Splice {
  const first = lineAt(start);
  const isWhole =
    (start === 0 || text[start - 1] === "\n") &&
    (end === start || text[end - 1] === "\n") &&
    (added === "" || added.endsWith("\n"));
  const last = Math.min(lineAt(end) - (isWhole ? 1 : 0), lines.count());
  const stop = after.count() - (lines.count() - last);
  const body: string[] = [];
  for (let line = first; line <= stop; line += 1) body.push(after.line(line) ?? "");
  return { at: first, remove: Math.max(0, last - first + 1), body };
}
