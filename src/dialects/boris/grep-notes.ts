/** What an answer of Boris's grep says about itself, each in brackets behind the lines. Pure; called by `grep.ts`. */
import { missingNote, noticeLines, skippedText } from "../../format/agent-notes.ts";
import { count, grouped } from "../../format/count.ts";
import type { GrepPage } from "../../model/grep-page.ts";

export interface Noted {
  readonly page: GrepPage;
  /** The glob that was asked for; null for none. */
  readonly include: string | null;
  /** What its field is called. */
  readonly includeField: string;
  /** null when there is no next page. */
  readonly nextOffset: number | null;
}

/** `kept`: where all lines are, if not all of them fit. */
export function grepNotes(noted: Noted, kept: string | null): string {
  const { page, nextOffset, includeField } = noted;
  const nothing = page.rows.length === 0 && page.files.length === 0;
  const notes = [
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(nothing ? whyNothing(noted) : []),
    ...missingNote(page.missing),
    ...noticeLines(page.notices, nothing ? "nothing" : "something"),
    ...(page.partial ? [`Not everything was searched; narrow path or ${includeField}`] : []),
    ...(nextOffset === null ? [] : [`There is more. Use offset=${nextOffset} for the next page`]),
  ];
  return notes.map((note) => `[${note}]`).join("\n");
}

function whyNothing({ page, include, includeField }: Noted): string[] {
  const past = page.totalFiles ?? 0;
  if (past > 0) return [`Offset ${grouped(page.skip)} is past the end: ${pastWhat(page, past)}`];
  // What is denied is passed over in silence.
  const skipped = skippedText({ ...page.skipped, denied: 0 });
  return [
    ...(include === null ? [] : includeNote(include, includeField)),
    ...(skipped === null ? [] : [`Skipped: ${skipped}`]),
  ];
}

function pastWhat({ mode }: GrepPage, files: number): string {
  const verb = files === 1 ? "matches" : "match";
  const counted = mode === "content" ? ", and it counts matching lines" : "";
  return `${count(files, "file")} ${verb}${counted}`;
}

/** A glob that means something else elsewhere, and finds little here. */
function includeNote(include: string, field: string): string[] {
  if (include.includes("/")) return [`${field} is compared with base names only; name the folder as path`];
  const outsideBraces = include.replace(/\{[^}]*\}/g, "");
  return /[,\s]/.test(outsideBraces) ? [`${field} is one glob; for several use braces: *.{ts,tsx}`] : [];
}
