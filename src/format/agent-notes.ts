/**
 * What an answer to an agent says about itself, one line each: what is missing, what was skipped, what was read
 * otherwise than it was written. Nothing where there is nothing to say. Pure.
 */
import type { Notice, NoticeCode } from "../model/notice.ts";
import type { Skipped } from "../model/summary.ts";
import { grouped } from "./count.ts";
import { escapeText, quoteName } from "./escape.ts";

/** Names that a note spells out. */
const NAMED = 8;

export function missingNote(missing: readonly string[]): string[] {
  return missing.length === 0 ? [] : [`Skipped missing paths: ${names(missing)}`];
}

/** `1 denied, 2 binary`; null when nothing was skipped. */
export function skippedText(skipped: Skipped): string | null {
  const parts = [
    [skipped.denied, "denied"],
    [skipped.binary, "binary"],
    [skipped.tooLarge, "too large"],
    [skipped.unreadable, "unreadable"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, why]) => `${grouped(count)} ${why}`);
  return said.length === 0 ? null : said.join(", ");
}

/** What an agent must know to read the answer right; the rest stands in the details. */
const SAID: ReadonlySet<NoticeCode> = new Set([
  "PATTERN_REPAIRED",
  "PATH_SKIPPED",
  "RANGE_EMPTY",
  "TIMED_OUT",
  "ENDED_EARLY",
  "TEXT_ELIDED",
  "LATE_BINARY",
  "ARCHIVE_CUT",
  "EXCLUDED",
]);
/** What only matters when nothing was found. */
const SAID_OF_NOTHING: ReadonlySet<NoticeCode> = new Set([
  "SOURCE_SKIPPED",
  "UNREADABLE",
  "BINARY_MATCHES",
  "RIPGREP_WARNING",
  "MULTILINE_USED",
]);

export function noticeLines(notices: readonly Notice[], found: "something" | "nothing"): string[] {
  const said = notices.filter(
    ({ code }) => SAID.has(code) || (found === "nothing" && SAID_OF_NOTHING.has(code)),
  );
  const lines = [...new Set(said.map(noticeLine))];
  const more = lines.length - NAMED;
  return more > 0 ? [...lines.slice(0, NAMED), `And ${more} more notes`] : lines;
}

/** One line, whatever the message and the path hold. */
function noticeLine({ message, path }: Notice): string {
  const about = path === undefined ? "" : `${shorten(quoteName(path))}: `;
  return `${about}${shorten(escapeText(message))}`;
}

function names(all: readonly string[]): string {
  const more = all.length - NAMED;
  const named = all.slice(0, NAMED).map((name) => shorten(quoteName(name)));
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const LONGEST = 400;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
