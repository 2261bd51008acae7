/**
 * Reads the row that begins a file's section: `¶PATH#TAG`, `# PATH#TAG` as search prints it, and the first one with
 * what other patch languages put around a path. The last `#` with four hex digits is the tag, so that a path may hold
 * any character; one that does not fit on a row stands in quotes, as answers print it. Called by `parse.ts`.
 */
import { readQuotedName } from "../../workspace/quoted-name.ts";
import { quoted, refuse } from "./refuse.ts";
import type { Warnings } from "./warnings.ts";

export interface Header {
  readonly path: string;
  readonly tag: string;
}

/** Whether a tag was given for a path. */
export type Knows = (path: string, tag: string) => Promise<boolean>;

const KEYWORD = "(?:(?:update|add|delete)\\s+file|move\\s+to)\\s*:";
const BEFORE_MARK = new RegExp(`^(?:\\*{3,}\\s*)?(?:${KEYWORD}\\s*)?¶`, "i");
const BEFORE_PATH = new RegExp(`^\\s*(?:\\*{3,}\\s*)?(?:${KEYWORD}\\s*)?`, "i");
const OTHER_THAN_UPDATE = /delete\s+file\s*:|move\s+to\s*:/i;
const TAGGED = /#([0-9a-f]{4})$/i;

/** Whether a row is to be read as a header, however wrong. `text` has no blanks at its ends. */
export function isHeader(text: string): boolean {
  return BEFORE_MARK.test(text);
}

/** Whether a header names a path and a tag: an indented row that does not is text. */
export function isWhole(text: string): boolean {
  return isHeader(text) && TAGGED.test(text);
}

/** For a row that `isHeader` without the blanks at its ends. */
export async function readHeader(
  text: string,
  row: number,
  knows: Knows,
  warnings: Warnings,
): Promise<Header> {
  const trimmed = text.trim();
  const [mark = ""] = BEFORE_MARK.exec(trimmed) ?? [];
  const written = trimmed.slice(mark.length);
  const [noise = ""] = BEFORE_PATH.exec(written) ?? [];
  const clean = withoutStars(written).slice(noise.length);
  if (mark === "¶" && clean !== written && TAGGED.test(written)) {
    // A file can be called so, and then its tag is known.
    const literal = tagged(written, row);
    if (await knows(literal.path, literal.tag)) return literal;
  }
  if (OTHER_THAN_UPDATE.test(mark) || OTHER_THAN_UPDATE.test(noise)) refuseSentinel(trimmed, row);
  const header = tagged(clean, row);
  const right = `¶${clean.slice(0, -5).trim()}${clean.slice(-5)}`;
  if (text !== right) warnOfHeader(text, right, row, warnings);
  return header;
}

/** `# PATH#TAG`: null when it is no such row, or nobody gave that tag for that path. */
export async function readSearchHeading(
  text: string,
  row: number,
  knows: Knows,
  warnings: Warnings,
): Promise<Header | null> {
  const trimmed = text.trim();
  const header = searchHeading(trimmed);
  if (header === null || !(await knows(header.path, header.tag))) return null;
  if (text !== trimmed) warnOfHeader(text, trimmed, row, warnings);
  return header;
}

function warnOfHeader(text: string, right: string, row: number, warnings: Warnings): void {
  warnings.add(
    "header",
    row,
    () => `${quoted(text)} was read as ${quoted(right)}: a header stands alone on its row`,
  );
}

/** What `# PATH#TAG` says, known or not. */
export function searchHeading(text: string): Header | null {
  if (!text.startsWith("# ")) return null;
  const [, digits] = TAGGED.exec(text) ?? [];
  const path = digits === undefined ? null : pathOf(text.slice(2, -5));
  return path === null || digits === undefined ? null : { path, tag: digits.toUpperCase() };
}

export function refuseSentinel(text: string, row: number): never {
  refuse(
    row,
    `${quoted(text)} belongs to apply_patch and is not understood here`,
    "Begin a file with ¶PATH#TAG alone, then use `replace N..M:`, `delete N..M` or `insert before|after N:`; files are created with write",
  );
}

function tagged(text: string, row: number): Header {
  const [, digits] = TAGGED.exec(text) ?? [];
  if (digits === undefined) {
    refuse(
      row,
      text === ""
        ? "the header names no file"
        : `the header of ${quoted(text)} ends in no tag of four hex digits`,
      `Use ¶PATH#TAG as your latest read, search, write or edit printed it; if the row is text, write + before it`,
    );
  }
  const path = pathOf(text.slice(0, -5));
  if (path === null) {
    refuse(
      row,
      `${quoted(text)} names no file`,
      'Write the path as it was printed, in double quotes only if it stood in them: ¶"a\\nb.ts"#0A3B',
    );
  }
  return { path, tag: digits.toUpperCase() };
}

/** null: no path, or one that begins with a quote and is not quoted, which no answer prints. */
function pathOf(text: string): string | null {
  if (text.startsWith('"')) return text.endsWith('"') ? readQuotedName(text) : null;
  return text.trim() === "" ? null : text.trim();
}

function withoutStars(text: string): string {
  let end = text.length;
  while (text[end - 1] === "*") end--;
  return text.length - end < 3 ? text : text.slice(0, end).trimEnd();
}
