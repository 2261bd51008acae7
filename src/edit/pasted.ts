/**
 * Takes off what a model pasted from the output of read and search into a content that it writes: the header
 * `¶PATH#TAG`, and the line numbers `12:`, `*12:` or ` 12:` before each line. The caller says that it was done.
 * Pure.
 *
 * Where there is doubt nothing is taken off, since a file may really look so:
 * - A header is one by its shape, on the first line. It stays above the words of the patch language, and where the
 *   content has a second one: that is a patch, or a file about such output.
 * - Numbers go only if every line has one (a blank line may stand for its own), all written the same way.
 * - Below a header they must ascend; what read left out may be missing, and its `…` rows go too.
 * - Without a header they must follow each other without a gap over at least three lines, and the lines must look
 *   like source: some are indented and others not, or have brackets, `;` or `=`. A numbered list (`1: one`),
 *   times (`10:00`) and records (`1:alice`) stay as they are.
 */

export interface Pasted {
  readonly content: string;
  readonly stripped: "nothing" | "header" | "prefixes" | "both";
}

const HEADER = /^¶.+#[0-9A-Fa-f]{4}\r?$/;
const PATCH = /^(?:replace|delete|insert)\s/;
const PREFIX = /^([* ]?)([1-9]\d{0,8}):/;
const GAP = /^\s*…\r?$/;
const INDENTED = /^(?: {2}|\t)/;
const SOURCE = /[(){}[\];=<>]/;
const LEAST = 3;

export function stripPasted(content: string): Pasted {
  const end = content.indexOf("\n");
  const first = end === -1 ? content : content.slice(0, end);
  const header = HEADER.test(first);
  // Most contents are settled here: without a header, the first line that is not blank must have a number.
  if (!header && !PREFIX.test(content.slice(content.search(/[^\r\n]/)))) return unchanged(content);
  const body = header ? content.slice(end === -1 ? content.length : end + 1) : content;
  const lines = body.split("\n");
  if (header && !pastedHeader(lines)) return unchanged(content);
  const bare = withoutPrefixes(lines, header);
  if (bare === null) return header ? { content: body, stripped: "header" } : unchanged(content);
  return { content: bare.join("\n"), stripped: header ? "both" : "prefixes" };
}

function unchanged(content: string): Pasted {
  return { content, stripped: "nothing" };
}

function pastedHeader(below: readonly string[]): boolean {
  const next = below.find((line) => !isBlank(line)) ?? "";
  return !PATCH.test(next) && !below.some((line) => HEADER.test(line));
}

interface Row {
  readonly number: number;
  /** What stands before the number: search has a column of its own for matches. */
  readonly sign: string;
  readonly text: string;
}

/** The lines without their numbers, or null where they have none, or where that is in doubt. */
function withoutPrefixes(lines: readonly string[], header: boolean): string[] | null {
  const bare: string[] = [];
  const rows: Row[] = [];
  let [blanks, gap] = [0, false];
  for (const line of lines) {
    if (isBlank(line)) {
      bare.push(line);
      blanks += 1;
      continue;
    }
    if (header && !gap && rows.length > 0 && GAP.test(line)) {
      gap = true;
      continue;
    }
    const row = rowOf(line);
    const last = rows.at(-1);
    if (row === null || (last !== undefined && !follows(last, row, { blanks, gap, header }))) return null;
    rows.push(row);
    bare.push(row.text);
    [blanks, gap] = [0, false];
  }
  if (rows.length === 0 || gap || !oneWriting(rows)) return null;
  return header || isSource(rows) ? bare : null;
}

function rowOf(line: string): Row | null {
  const [prefix, sign, digits] = PREFIX.exec(line) ?? [];
  if (prefix === undefined) return null;
  return { number: Number(digits), sign: sign ?? "", text: line.slice(prefix.length) };
}

interface Between {
  /** Blank lines without a number. */
  readonly blanks: number;
  readonly gap: boolean;
  readonly header: boolean;
}

function follows(last: Row, row: Row, { blanks, gap, header }: Between): boolean {
  if (gap) return row.number > last.number + 1;
  return header ? row.number > last.number : row.number === last.number + 1 + blanks;
}

/** All as read writes them, or all as search does, which shows no line without a match. */
function oneWriting(rows: readonly Row[]): boolean {
  return (
    rows.every(({ sign }) => sign === "") ||
    (rows.every(({ sign }) => sign !== "") && rows.some(({ sign }) => sign === "*"))
  );
}

/** Rows without a header, by what stands in them: do they look like the lines of a source text? */
function isSource(rows: readonly Row[]): boolean {
  const listed = rows.every(({ text }) => isBlank(text) || /^\s/.test(text));
  if (rows.length < LEAST || listed) return false;
  return rows.some(({ text }) => INDENTED.test(text) || SOURCE.test(text));
}

function isBlank(line: string): boolean {
  return line === "" || line === "\r";
}
