/**
 * The last line of an answer for people: how much there is, what was left out and why, and how to see the
 * rest. Called by the command line once the answer is complete. It never says "no matches" of something
 * that was not searched.
 */
import type { Mode } from "../model/query.ts";
import type { FindSummary, SearchSummary, Skipped } from "../model/summary.ts";
import { count, grouped } from "./count.ts";
import type { TextRemarks } from "./match-text.ts";

/** What was asked for, as far as the last line depends on it. */
export interface SearchView {
  readonly mode: Mode;
  /** Files passed over by `--skip`. */
  readonly skip: number;
  /** What the text for people had to do to some lines. */
  readonly remarks: TextRemarks;
}

export function searchClosing(summary: SearchSummary, view: SearchView): string {
  const shown = summary.files === 0 ? nothingFound(summary, view.skip) : searchAmount(summary, view);
  return sentences([
    shown,
    summary.partial && summary.files > 0 ? "Not everything was searched" : null,
    skippedText(summary.skipped),
    remarksText(view.remarks),
    rest(summary.more, nextPage(summary.files, view.skip, summary.totalFiles)),
  ]);
}

export function findClosing(summary: FindSummary, skip: number): string {
  const { entries, totalEntries, more } = summary;
  let amount = count(entries, "path");
  if (entries === 0) amount = noPaths(summary, skip);
  else if (more || skip > 0)
    amount = `Showing ${portion(entries, totalEntries, skip, "path")}${andMore(more, totalEntries)}`;
  return sentences([
    amount,
    summary.partial && entries > 0 ? "Not everything was looked at" : null,
    skippedText(summary.skipped),
    rest(more, nextPage(entries, skip, totalEntries)),
  ]);
}

function searchAmount(summary: SearchSummary, { mode, skip }: SearchView): string {
  const { files, matches, totalFiles, totalLines, more } = summary;
  if (!more && skip === 0) {
    if (mode === "files") return `${count(files, "file")} with matches`;
    const lines = mode === "count" ? count(matches, "matching line") : count(matches, "match", "matches");
    return `${lines} in ${count(files, "file")}`;
  }
  const ofFiles = portion(files, totalFiles, skip, "file");
  if (mode === "files") return `Showing ${ofFiles}${andMore(more, totalFiles)}`;
  const ofLines = portion(matches, totalLines, 0, "matching line");
  return `Showing ${ofFiles}, ${ofLines}${andMore(more, totalLines)}`;
}

/** `20 of 134 files`, `files 21 to 40 of 134`, and without the number where nobody knows it. */
function portion(shown: number, total: number | null, skip: number, what: string): string {
  const [from, to] = [grouped(skip + 1), grouped(skip + shown)];
  const whole = total === null ? "" : ` of ${grouped(total)}`;
  if (skip > 0) return shown === 1 ? `${what} ${from}${whole}` : `${what}s ${from} to ${to}${whole}`;
  return total === null ? count(shown, what) : `${grouped(shown)} of ${count(total, what)}`;
}

/** Work that stops when a page is full does not learn how much there is. */
function andMore(more: boolean, total: number | null): string {
  return more && total === null ? "; there are more" : "";
}

function nothingFound(summary: SearchSummary, skip: number): string {
  const { partial, searched, totalFiles } = summary;
  if (skip > 0 && totalFiles !== null && totalFiles > 0) return pastTheEnd(count(totalFiles, "file"), skip);
  if (partial) return "Nothing found, but not everything was searched";
  if (searched === 0 && summary.skipped.unreadable > 0) return "No file could be searched";
  if (searched === 0)
    return "No file was searched: none is left by these paths, globs, types and ignore rules";
  return searched === null ? "No matches" : `No matches in ${count(searched, "file")} searched`;
}

function noPaths({ partial, totalEntries }: FindSummary, skip: number): string {
  if (skip > 0 && totalEntries !== null && totalEntries > 0)
    return pastTheEnd(count(totalEntries, "path"), skip);
  return partial ? "Nothing found, but not everything was looked at" : "No paths found";
}

function pastTheEnd(total: string, skip: number): string {
  return `Nothing on this page: there are ${total}, and --skip ${skip} is past them`;
}

function skippedText(skipped: Skipped): string | null {
  const parts = [
    skipped.binary > 0 ? `${grouped(skipped.binary)} binary` : null,
    skipped.tooLarge > 0 ? `${grouped(skipped.tooLarge)} too large` : null,
    skipped.unreadable > 0 ? `${grouped(skipped.unreadable)} unreadable` : null,
    skipped.denied > 0 ? `${grouped(skipped.denied)} denied` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : `Skipped: ${parts.join(", ")}`;
}

function remarksText({ shortened, invalidUtf8 }: TextRemarks): string | null {
  const parts = [
    shortened > 0 ? `${count(shortened, "long line")} shortened (--all shows them whole)` : null,
    invalidUtf8 > 0 ? `${count(invalidUtf8, "line")} not in UTF-8, shown with \ufffd` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

/** Where the next page starts; null when the files of this one are the last. */
function nextPage(shown: number, skip: number, total: number | null): number | null {
  return shown > 0 && (total === null || skip + shown < total) ? skip + shown : null;
}

function rest(more: boolean, next: number | null): string | null {
  if (!more) return null;
  return next === null ? "--all for everything" : `--skip ${next} for the next page, --all for everything`;
}

function sentences(parts: readonly (string | null)[]): string {
  return `${parts.filter((part) => part !== null).join(". ")}.`;
}
