/**
 * A page of find for an agent, within the cap on its text: paths grouped by folder, each group under `# FOLDER/`,
 * those of the root before all others and without a heading; folders end in `/`. Pure.
 */
import type { FindPage } from "../model/agent-page.ts";
import type { Entry } from "../model/match.ts";
import { missingNote, noticeLines, skippedText } from "./agent-notes.ts";
import { count, grouped } from "./count.ts";
import { bounded, quoteListed, quoteName } from "./escape.ts";
import { fit } from "./fit.ts";

export interface FindText {
  /** `kept`: where the whole page can be read, if it had to be cut. */
  readonly text: (kept: string) => string;
  readonly whole: string;
  /** What the answer has of the page, without what it says about itself. */
  readonly shown: string;
  readonly entries: number;
  readonly cut: boolean;
  readonly nextSkip: number | null;
}

/** As long as what will be said of an artifact. */
const KEPT = "x".repeat(120);

export function findText(page: FindPage, timeoutMs: number, bytes: number): FindText {
  const all = page.entries.length;
  const render = (shown: number, kept: string): string =>
    [body(page, shown), closing(page, shown, shown < all ? kept : null, timeoutMs)]
      .filter((part) => part !== "")
      .join("\n\n");
  const entries = fit(all, (shown) => render(shown, KEPT), bytes);
  return {
    text: (kept) => render(entries, kept),
    whole: render(all, ""),
    shown: body(page, entries),
    entries,
    cut: entries < all,
    nextSkip: nextSkip(page, entries),
  };
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

function closing(page: FindPage, shown: number, kept: string | null, timeoutMs: number): string {
  const nothing = page.entries.length === 0;
  const notices = page.notices.filter(({ code }) => code !== "TIMED_OUT");
  const timedOut = notices.length < page.notices.length;
  const lines = [
    ...(nothing ? nothingFound(page) : []),
    ...(timedOut
      ? [
          `find timed out after ${timeoutMs / 1000}s with ${count(page.found, "path")}; raise timeout or narrow paths`,
        ]
      : []),
    ...missingNote(page.missing),
    ...noticeLines(notices, nothing ? "nothing" : "something"),
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(nextSkip(page, shown) === null ? [] : [nextPage(page, shown)]),
  ];
  return lines.map((line, at) => (nothing && at === 0 ? line : `[${line}]`)).join("\n");
}

function nothingFound({ skip, totalFiles: total, partial, skipped }: FindPage): string[] {
  const said = skippedText(skipped);
  const left = said === null ? [] : [`Skipped: ${said}`];
  if (skip > 0 && total !== null && total > 0) {
    return [`No files on this page: there are ${count(total, "path")}, and skip=${skip} is past them`];
  }
  return [partial ? "No files found, but not everything was looked at" : "No files found", ...left];
}

function nextSkip(page: FindPage, shown: number): number | null {
  return shown > 0 && (page.more || shown < page.entries.length) ? page.skip + shown : null;
}

function nextPage({ skip, totalFiles: total }: FindPage, shown: number): string {
  const of = total === null ? "" : ` of ${grouped(total)}`;
  return `Paths ${skip + 1}-${skip + shown}${of}. Use skip=${skip + shown} for the next page`;
}
