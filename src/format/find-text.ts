/**
 * A page of find for an agent, within the cap on its text: paths grouped by folder, each group under `# FOLDER/`,
 * those of the root before all others and without a heading; folders end in `/`. Pure.
 */
import type { FindPage } from "../model/agent-page.ts";
import type { Entry } from "../model/match.ts";
import { missingNote, noticeLines, skippedText } from "./agent-notes.ts";
import { count, grouped } from "./count.ts";
import { bounded, quoteListed, quoteName } from "./escape.ts";
import { fitted, type Fitted } from "./fitted.ts";

export interface FindText extends Fitted {
  readonly nextSkip: number | null;
}

export function findText(page: FindPage, bytes: number): FindText {
  const text = fitted(page.entries.length, bytes, {
    body: (shown) => body(page, shown),
    closing: (shown, kept) => closing(page, shown, kept),
    between: "\n\n",
  });
  return { ...text, nextSkip: nextSkip(page, text.entries) };
}

function body({ entries, exact }: FindPage, shown: number): string {
  const listed = entries.slice(0, shown);
  if (exact) return listed.map(({ path, pathBytes }) => bounded(quoteListed(path, pathBytes))).join("\n");
  const groups = new Map<string, string[]>();
  for (const entry of listed) {
    const { folder, name } = split(entry);
    const names = groups.get(folder) ?? [];
    groups.set(folder, names);
    names.push(name);
  }
  const root = groups.get("");
  groups.delete("");
  const headed = [...groups].map(([folder, names]) => [`# ${folder}`, ...names].join("\n"));
  return [...(root === undefined ? [] : [root.join("\n")]), ...headed].join("\n\n");
}

function split(entry: Entry): { readonly folder: string; readonly name: string } {
  const slash = entry.kind === "folder" ? "/" : "";
  // Bytes that are not UTF-8 are spelled out, and so cannot be cut at a slash.
  if (entry.pathBytes !== undefined)
    return { folder: "", name: quoteName(entry.path, entry.pathBytes) + slash };
  const at = entry.path.lastIndexOf("/") + 1;
  const folder = entry.path.slice(0, at);
  return {
    folder: folder === "" ? "" : bounded(quoteName(folder)),
    name: `${bounded(quoteListed(entry.path.slice(at)))}${slash}`,
  };
}

function closing(page: FindPage, shown: number, kept: string | null): string {
  return findNotes(page, {
    kept,
    timedOut: (after) => `find timed out after ${after}; raise timeout or narrow paths`,
    more: nextSkip(page, shown) === null ? null : nextPage(page, shown),
  });
}

/** What is said of a page of paths besides them; `timedOut` is told after how long, and with how many paths. */
export interface FindNotes {
  readonly kept: string | null;
  readonly timedOut: (after: string) => string;
  readonly more: string | null;
}

/** One line each, in brackets: no name begins and ends with them. */
export function findNotes(page: FindPage, { kept, timedOut, more }: FindNotes): string {
  const nothing = page.entries.length === 0;
  const notices = page.notices.filter(({ code }) => code !== "TIMED_OUT");
  const after = `${page.timeoutMs / 1000}s with ${count(page.found, "path")}`;
  const lines = [
    ...(nothing ? nothingFound(page) : []),
    ...(notices.length < page.notices.length ? [timedOut(after)] : []),
    ...missingNote(page.missing),
    ...noticeLines(notices, nothing ? "nothing" : "something"),
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(more === null ? [] : [more]),
  ];
  return lines.map((line, at) => (nothing && at === 0 ? line : `[${line}]`)).join("\n");
}

export const NO_FILES = "No files found";

function nothingFound({ skip, totalFiles: total, partial, skipped }: FindPage): string[] {
  const said = skippedText(skipped);
  const left = said === null ? [] : [`Skipped: ${said}`];
  if (skip > 0 && total !== null && total > 0) {
    return [`No files on this page: there are ${count(total, "path")}, and skip=${skip} is past them`];
  }
  return [partial ? `${NO_FILES}, but not everything was looked at` : NO_FILES, ...left];
}

function nextSkip(page: FindPage, shown: number): number | null {
  return shown > 0 && (page.more || shown < page.entries.length) ? page.skip + shown : null;
}

function nextPage({ skip, totalFiles: total }: FindPage, shown: number): string {
  const of = total === null ? "" : ` of ${grouped(total)}`;
  return `Paths ${skip + 1}-${skip + shown}${of}. Use skip=${skip + shown} for the next page`;
}
