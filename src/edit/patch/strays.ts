/**
 * Rows that are neither a header nor an operation and stand where no text can, or that come from another patch
 * language: always refused, each with what to write instead. Called by `parse.ts`.
 */
import { searchHeading } from "./header.ts";
import { isNumbered } from "./line-numbers.ts";
import { OPERATIONS, quoted, refuse } from "./refuse.ts";

const BARE_NUMBER = /^L?\d+$/;
const BARE_RANGE = /^L?\d+(?:\s*(?:\.{2,3}|[…–—,-])\s*|\s+(?:to\s+)?)L?\d+\s*:?$/;

/** A row before any header. */
export function refuseOutside(text: string, row: number): never {
  refuseUnknownHeading(text, row);
  refuse(
    row,
    `a patch begins with ¶PATH#TAG, not with ${quoted(text)}`,
    "Copy the header from your latest read, search, write or edit of the file",
  );
}

/** A row below a header, and below no operation. */
export function refuseStray(text: string, row: number): never {
  refuseUnknownHeading(text, row);
  const what = isNumbered(text)
    ? `${quoted(text)} stands below no operation: a line copied from an answer changes nothing`
    : `${quoted(text)} stands below no operation`;
  refuse(row, what, `Write ${OPERATIONS} above the rows that belong to it`);
}

/** `# PATH#TAG` of a tag that nobody gave: a heading it is not, and text has no place here. */
export function refuseUnknownHeading(text: string, row: number): void {
  const heading = searchHeading(text);
  if (heading === null) return;
  refuse(
    row,
    `${quoted(text)} is no header: the tag ${heading.tag} is not known for ${quoted(heading.path)}`,
    "Copy the header from your latest read, search, write or edit of the file",
  );
}

/** What other patch languages write; as text it needs a `+`. `text` begins where its row does. */
export function refuseForeign(text: string, row: number): void {
  if (text.startsWith("-")) {
    refuse(
      row,
      `${quoted(text)} begins with -, and there are no such rows: the operation names the lines that go`,
      "Leave the row out, or write `+-…` if the text begins with -",
    );
  }
  if (text.startsWith("@@")) {
    refuse(
      row,
      `${quoted(text)} is a hunk header of another patch language`,
      "Use `replace N..M:`, `delete N..M` or `insert before|after N:` with the line numbers, or write + before it if it is text",
    );
  }
  if (/^\\ No newline at end of file$/i.test(text)) {
    refuse(
      row,
      `${quoted(text)} belongs to a unified diff`,
      "Leave it out: a file keeps its end as it is; write + before it if it is text",
    );
  }
  if (BARE_NUMBER.test(text) || BARE_RANGE.test(text)) {
    refuse(
      row,
      `${quoted(text)} names lines and not what to do with them`,
      "Use `replace N..M:` or `delete N..M`, or write + before it if it is text",
    );
  }
}
