/**
 * A folder as a tree for an agent, within a budget: `# PATH/`, then a line for each entry, two blanks for each level
 * below the first. A folder ends in `/`; a file has its size and its age, anything else its age. Every line has a
 * number, from 1 and without the heading, by which the next page is asked for. Pure.
 */
import type { FolderTree, LinkTarget, Listing, TreeEntry } from "../model/folder-tree.ts";
import type { LineRange } from "../model/selector.ts";
import { briefAge, briefSize } from "./brief.ts";
import { count, grouped } from "./count.ts";
import { bounded, quoteApart, quoteName } from "./escape.ts";
import { fit } from "./fit.ts";

export interface TreeText {
  readonly text: string;
  readonly shownLines: number;
  readonly totalLines: number;
}

interface Row {
  readonly text: string;
  /** The row of the folder that it is in, if that is not the tree's own. */
  readonly folder: Row | null;
}

const ALL: LineRange = { first: 1, last: null };

export function treeText(
  tree: FolderTree,
  now: number,
  budget: { readonly lines: number; readonly bytes: number },
  { first, last }: LineRange = ALL,
): TreeText {
  const rows = rowsOf(tree, now);
  const wanted = rows.slice(first - 1, Math.min(last ?? rows.length, first - 1 + budget.lines));
  const asked = Math.min(last ?? rows.length, rows.length);
  const render = (shown: number): string =>
    [
      heading(tree),
      ...continued(wanted[0]),
      ...wanted.slice(0, shown).map(({ text }) => text),
      ...notes(tree, rows.length, { first, shown, asked }),
    ].join("\n");
  const shown = fit(wanted.length, render, budget.bytes);
  return { text: render(shown), shownLines: shown, totalLines: rows.length };
}

function heading({ path }: FolderTree): string {
  return `# ${bounded(quoteName(folderPath(path)))}`;
}

/** As read takes it. */
function folderPath(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

/** A page that begins inside a folder says which. */
function continued(row: Row | undefined): string[] {
  const folder = row?.folder ?? null;
  return folder === null ? [] : [`${folder.text} (continued)`];
}

function rowsOf({ path, listing }: FolderTree, now: number): Row[] {
  const rows: Row[] = [];
  const add = (
    listed: Extract<Listing, { kind: "listed" }>,
    place: string | null,
    folder: Row | null,
  ): void => {
    const indent = "  ".repeat(depth(folder));
    for (const entry of listed.entries) {
      const row: Row = { text: indent + entryText(entry, now), folder };
      rows.push(row);
      if (entry.listing?.kind === "listed") add(entry.listing, placeBelow(place, entry), row);
    }
    const rest = restText(listed, place);
    if (rest !== null) rows.push({ text: indent + rest, folder });
  };
  add(listing, path === "." ? "" : folderPath(path), null);
  if (rows.length === 0) rows.push({ text: nothing(listing.denied), folder: null });
  return rows;
}

function depth(folder: Row | null): number {
  return folder === null ? 0 : 1 + depth(folder.folder);
}

/** null: no text can say it. */
function placeBelow(place: string | null, { name, nameBytes }: TreeEntry): string | null {
  return place === null || nameBytes !== undefined ? null : `${place}${name}/`;
}

function entryText(entry: TreeEntry, now: number): string {
  const name = bounded(quoteApart(entry.name, entry.nameBytes));
  const { kind, size, mtimeMs, link, listing } = entry;
  if (link !== undefined) return `${name} -> ${targetText(link)}`;
  const columns = [
    ...(size === null ? [] : [briefSize(size)]),
    ...(mtimeMs === null ? [] : [briefAge(now - mtimeMs)]),
    ...(kind === "file" || kind === "folder" ? [] : [`(${kind})`]),
    ...(listing === undefined ? [] : folderNote(listing)),
  ].join(" ");
  return `${name}${kind === "folder" ? "/" : ""}${columns === "" ? "" : `  ${columns}`}`;
}

function targetText(link: LinkTarget): string {
  if (link.kind === "outside") return "(outside)";
  const target = bounded(quoteApart(link.target));
  if (link.kind === "missing") return `${target} (missing)`;
  return link.kind === "folder" && !target.endsWith("/") ? `${target}/` : target;
}

function folderNote(listing: Listing): string[] {
  if (listing.kind === "unreadable") return ["(unreadable)"];
  return listing.entries.length === 0 ? [nothing(listing.denied)] : [];
}

function nothing(denied: number): string {
  return denied === 0 ? "(empty directory)" : `(nothing to show: ${grouped(denied)} denied)`;
}

/** What a listing leaves out, and the call that shows it. */
function restText(listed: Extract<Listing, { kind: "listed" }>, place: string | null): string | null {
  const { more, uncounted, order } = listed;
  if (more === 0) return uncounted ? "… more, not counted" : null;
  const atLeast = uncounted ? "more than " : "";
  const byName = order === "name" ? ", by name" : "";
  const call = place === null ? "" : `: read ${bounded(quoteName(place))}`;
  return `… ${atLeast}${grouped(more)} more${byName}${call}`;
}

/** What the answer says about itself, and the next call. */
function notes(
  { path, listing, unentered }: FolderTree,
  total: number,
  { first, shown, asked }: { readonly first: number; readonly shown: number; readonly asked: number },
): string[] {
  const name = bounded(quoteName(folderPath(path)));
  const next = first + shown;
  const lines: string[] = [];
  if (listing.order === "name") {
    lines.push(`${count(listing.entries.length, "entry", "entries")}, too many to look at: by name`);
  }
  if (unentered > 0) lines.push(`${count(unentered, "folder")} more, not looked into`);
  if (first > total)
    lines.push(`${name} has ${count(total, "line")} here, and ${grouped(first)} is past them`);
  else if (next <= asked) {
    lines.push(
      `Lines ${grouped(first)}-${grouped(next - 1)} of ${grouped(total)}. Use ${name}:${next}- for the next`,
    );
  }
  return lines.length === 0 ? [] : ["", ...lines.map((line) => `[${line}]`)];
}
