/**
 * A page of search for an agent, within the cap on its text: files with their matches, then what there is to say.
 * A page ends with the last file that fits, and what it says of the next page counts the files printed. Pure.
 */
import type { SearchPage } from "../model/agent-page.ts";
import type { Excerpt } from "../model/excerpt.ts";
import { missingNote, noticeLines, skippedText } from "./agent-notes.ts";
import { count, grouped } from "./count.ts";
import { bounded, quoteListed, quoteName } from "./escape.ts";
import { type Block, block, displayed, type PrintedRow } from "./excerpt-text.ts";
import { fit } from "./fit.ts";

export interface SearchLimits {
  readonly bytes: number;
  readonly lineCharacters: number;
}

export interface SearchText {
  /** `kept`: where the whole page can be read, if it had to be cut. */
  readonly text: (kept: string) => string;
  /** The whole page, however long. */
  readonly whole: string;
  /** For a person's screen. */
  readonly display: () => string;
  /** What the answer has of the page, without what it says about itself. */
  readonly shown: () => string;
  /** Files printed, the last one perhaps in part. */
  readonly files: number;
  readonly cut: boolean;
  /** The rows printed of each of these files. */
  readonly rows: readonly (readonly PrintedRow[])[];
  /** Where to go on for the next page; null when there is nothing more. */
  readonly nextSkip: number | null;
}

/** As long as what will be said of an artifact. */
const KEPT = "x".repeat(120);

export function searchText(page: SearchPage, limits: SearchLimits): SearchText {
  const { excerpts } = page;
  const blocks = excerpts.map((excerpt) =>
    block(excerpt, page.single ? "one" : "several", limits.lineCharacters),
  );
  const rowsOf = (at: number): readonly PrintedRow[] => blocks[at]?.rows ?? [];
  const render = (files: number, kept: string | null): string =>
    joined([body(page, blocks.slice(0, files)), closing(page, files, kept)]);
  const whole = render(excerpts.length, null);

  const files = fit(
    excerpts.length,
    (shown) => (shown < excerpts.length ? render(shown, KEPT) : whole),
    limits.bytes,
  );
  if (files > 0 || excerpts.length === 0) {
    return {
      text: (kept) => (files < excerpts.length ? render(files, kept) : whole),
      whole,
      display: () => display(blocks.slice(0, files)),
      shown: () => body(page, blocks.slice(0, files)),
      files,
      cut: files < excerpts.length,
      rows: blocks.slice(0, files).map(({ rows }) => rows),
      nextSkip: nextSkip(page, files),
    };
  }
  // Not even the first file fits: its first rows do, from where its first match is among them.
  const all = rowsOf(0);
  const match = all.findIndex(({ begins }) => begins);
  const from = (lead: number, rows: number): Block => ({
    ...(blocks[0] as Block),
    rows: all.slice(lead, lead + rows),
  });
  const partFrom = (lead: number, rows: number, kept: string): string =>
    joined([
      body({ ...page, excerpts: [cutExcerpt(excerpts[0] as Excerpt, all.slice(lead), rows)] }, [
        from(lead, rows),
      ]),
      closing(page, 1, kept),
    ]);
  // The context before it that is nearest, if not all of it.
  const near = fit(
    Math.max(match, 0),
    (context) => partFrom(match - context, context + 1, KEPT),
    limits.bytes,
  );
  const lead = Math.max(match - near, 0);
  const first = (rows: number): Block => from(lead, rows);
  const part = (rows: number, kept: string): string => partFrom(lead, rows, kept);
  const fitting = fit(all.length - lead, (shown) => part(shown, KEPT), limits.bytes);
  // A gap at the end leads nowhere.
  const rows = all[lead + fitting - 1]?.line === null ? fitting - 1 : fitting;
  return {
    text: (kept) => part(rows, kept),
    whole,
    display: () => display([first(rows)]),
    shown: () => body({ ...page, excerpts: [{ ...(excerpts[0] as Excerpt), rest: null }] }, [first(rows)]),
    files: 1,
    cut: true,
    rows: [first(rows).rows],
    nextSkip: nextSkip(page, 1),
  };
}

/** What is left of a file of which only so many rows were printed. */
function cutExcerpt(excerpt: Excerpt, rows: readonly PrintedRow[], shown: number): Excerpt {
  const left = rows.slice(shown);
  const next = left.find(({ begins }) => begins) ?? null;
  // Cut within a match: it is shown again from its start, unless that is where this answer began.
  const split = left[0]?.text.startsWith("*") === true && !left[0].begins;
  const begun = rows.slice(0, shown).filter(({ begins }) => begins);
  const start = split && begun.length > 1 ? begun.at(-1) : next;
  return { ...excerpt, rest: start?.line ?? excerpt.rest };
}

function body(page: SearchPage, blocks: readonly Block[]): string {
  if (page.mode !== "content") {
    return page.excerpts
      .slice(0, blocks.length)
      .map(({ file, matches }) => {
        const name = bounded(quoteListed(file.path, file.pathBytes));
        return page.mode === "count" ? `${name}:${matches}` : name;
      })
      .join("\n");
  }
  return blocks
    .map(({ heading, rows }, at) => {
      const excerpt = page.excerpts[at];
      const lines = [heading, ...rows.map(({ text }) => text)];
      if (excerpt !== undefined && excerpt.rest !== null) lines.push(restNote(excerpt, excerpt.rest));
      return lines.join("\n");
    })
    .join("\n\n");
}

/** The call that shows the rest of a file that has more than is shown of it. */
function restNote({ file, selectorFrom }: Excerpt, line: number): string {
  if (file.pathBytes !== undefined) return "[More matches, and no call for them: the name is not UTF-8]";
  return `[More matches: paths ${bounded(quoteName(file.path))}:${selectorFrom(line)}]`;
}

function display(blocks: readonly Block[]): string {
  return blocks.map(displayed).join("\n\n");
}

function closing(page: SearchPage, files: number, kept: string | null): string {
  const found = page.excerpts.length > 0 ? "something" : "nothing";
  return [
    ...(found === "nothing" ? nothing(page) : []),
    ...missingNote(page.missing),
    ...noticeLines(page.notices, found),
    ...(found === "something" && page.partial ? ["Not everything was searched; narrow paths"] : []),
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(nextSkip(page, files) === null ? [] : [nextPage(page, files)]),
  ]
    .map((line, at) => (found === "nothing" && at === 0 ? line : `[${line}]`))
    .join("\n");
}

function nothing({ skip, totalFiles, partial, skipped }: SearchPage): string[] {
  const said = skippedText(skipped);
  const left = said === null ? [] : [`Skipped: ${said}`];
  if (skip > 0 && totalFiles !== null && totalFiles > 0) {
    return [`No matches on this page: ${count(totalFiles, "file")} match, and skip=${skip} is past them`];
  }
  if (partial) return ["No matches found, but not everything was searched", ...left];
  return ["No matches found", ...left];
}

function nextSkip(page: SearchPage, files: number): number | null {
  return !page.single && files > 0 && (page.more || files < page.excerpts.length) ? page.skip + files : null;
}

function nextPage(page: SearchPage, files: number): string {
  const total = page.totalFiles === null ? "" : ` of ${grouped(page.totalFiles)}`;
  const [from, to] = [page.skip + 1, page.skip + files];
  const shown = from === to ? `File ${from}${total}` : `Files ${from}-${to}${total}`;
  return `${shown}. Use skip=${to} for the next page`;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
