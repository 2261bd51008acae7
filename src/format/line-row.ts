/** One line of a file as a row that an agent reads, and whether it has all of its line. Pure. */
import { oneRow } from "./escape.ts";

export interface LineRow {
  readonly text: string;
  /** The line is there in full; a character that would break the row is spelled out. */
  readonly whole: boolean;
}

/** `lead` is what stands before the text: a sign, the number, `:` or `|`. */
export function lineRow(lead: string, content: string, limit: number = Number.POSITIVE_INFINITY): LineRow {
  const cut = content.length > limit;
  // Never between the two halves of a character.
  const shown = cut ? content.slice(0, limit).replace(/[\ud800-\udbff]$/, "") : content;
  return { text: `${lead}${oneRow(shown)}${cut ? "…" : ""}`, whole: !cut };
}
