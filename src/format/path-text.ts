/**
 * Files, counts and entries as people read them: one line each, in a terminal and in a pipe.
 * Called by the command line for `--mode files`, `--mode count` and `find`.
 */
import type { CountHit, Entry, FileHit } from "../model/match.ts";
import { quoteName } from "./escape.ts";
import { paint, type Style } from "./style.ts";

export function fileText(style: Style, hit: FileHit): string {
  return `${paint(style, "path", quoteName(hit.path, hit.pathBytes))}\n`;
}

/** `path:count`, as grep writes it; the last colon is ours. */
export function countText(style: Style, hit: CountHit): string {
  return `${paint(style, "path", quoteName(hit.path, hit.pathBytes))}:${paint(style, "line", String(hit.count))}\n`;
}

/** A folder ends in `/`. */
export function entryText(style: Style, entry: Entry): string {
  const name = quoteName(entry.path, entry.pathBytes);
  return `${paint(style, "path", entry.kind === "folder" ? `${name}/` : name)}\n`;
}
