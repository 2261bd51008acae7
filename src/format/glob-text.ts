/**
 * What a `glob` tool found, within the cap on an answer's text: one path a line, folders with a slash at their end,
 * and notes in brackets where there is something to say. Pure.
 */
import type { FindPage } from "../model/agent-page.ts";
import type { Entry } from "../model/match.ts";
import { grouped } from "./count.ts";
import { bounded, quoteListed } from "./escape.ts";
import { findNotes, NO_FILES } from "./find-text.ts";
import { fitted, type Fitted } from "./fitted.ts";

const NARROW = "narrow the pattern, or name a folder as path";

export function globText(page: FindPage, bytes: number): Fitted {
  return fitted(page.entries.length, bytes, {
    body: (shown) => page.entries.slice(0, shown).map(row).join("\n"),
    closing: (shown, kept) =>
      findNotes(page, {
        kept,
        timedOut: (after) => `Timed out after ${after}; ${NARROW}`,
        more: page.more || shown < page.entries.length ? newest(page, shown) : null,
      }),
    between: "\n",
  });
}

function row({ path, pathBytes, kind }: Entry): string {
  const name = quoteListed(path, pathBytes);
  // A file may be called as the answer without files is.
  const told = name.startsWith(NO_FILES) ? JSON.stringify(name) : name;
  return bounded(told) + (kind === "folder" ? "/" : "");
}

function newest({ totalFiles: total, found, partial }: FindPage, shown: number): string {
  const of = total === null || partial ? `${grouped(found)} or more` : grouped(total);
  return `Showing the newest ${grouped(shown)} of ${of} matches; ${NARROW}`;
}
