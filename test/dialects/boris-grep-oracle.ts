/**
 * What Boris's `grep` must answer: what ripgrep prints of the files that it looks at, with its own gaps and its own way
 * to count, which ripgrep has no flags for.
 */
import { join } from "node:path";
import { inOrder, onDisk, startsBinary } from "../differential/oracle.ts";
import { rgFiles } from "../differential/rg.ts";
import { EVERYTHING, latin1, whitelist } from "../differential/scope.ts";
import { NAMES } from "../differential/tree.ts";
import { borisFiles } from "./boris-files.ts";
import { BESIDE, nameOf, operand } from "./claude-grep-oracle.ts";
import { type GrepCall, given, matchFlags, type Mode } from "./grep-calls.ts";
import { decoded, type PrintedRow, printedRows } from "./ripgrep-rows.ts";

export interface ExpectedPage {
  readonly mode: Mode;
  readonly lines: readonly string[];
  readonly files: readonly { readonly path: string; readonly count: number }[];
  /** The rows that the lines were made from; null is a gap. */
  readonly rows: readonly (PrintedRow | null)[];
  readonly nextOffset: number | null;
}

/** The design's table, and its other names. */
export const BORIS_TYPES: Readonly<Record<string, string>> = {
  c: "c,h",
  cpp: "cpp,cc,cxx,hpp,hh,hxx,h,inl",
  css: "css,scss",
  go: "go",
  html: "html,htm",
  java: "java",
  js: "js,mjs,cjs,jsx",
  json: "json",
  markdown: "md,markdown,mdx",
  md: "md,markdown,mdx",
  py: "py,pyi",
  python: "py,pyi",
  rust: "rs",
  ts: "ts,tsx,mts,cts",
  typescript: "ts,tsx,mts,cts",
  yaml: "yml,yaml",
};

export function borisInput(call: GrepCall): { readonly pattern: string } & Record<string, unknown> {
  const named = (name: string, compat: string): string => (call.other ? compat : name);
  return {
    pattern: call.pattern,
    ...given({
      path: call.place.given,
      [named("include", "glob")]: call.globs[0],
      type: call.type,
      output_mode: call.mode,
      [named("context_before", "-B")]: call.before,
      [named("context_after", "-A")]: call.after,
      [named("context", "-C")]: call.context,
      [named("line_numbers", "-n")]: call.lineNumbers,
      [named("case_insensitive", "-i")]: call.insensitive,
      multiline: call.multiline,
      head_limit: call.limit,
      offset: call.offset,
    }),
  };
}

export async function expectedOfBoris(call: GrepCall): Promise<ExpectedPage> {
  const mode = call.mode ?? "files_with_matches";
  const rows = await searchedRows(call, mode);
  return mode === "content" ? contentOf(call, rows) : filesOf(call, mode, rows);
}

/** All rows with their context, numbered, of the files that are looked at. */
async function searchedRows(call: GrepCall, mode: Mode): Promise<PrintedRow[]> {
  const { root, place } = call;
  const { before, after } = aroundOf(call, mode);
  const isFile = place.kind === "file";
  const [rows, isMeant, files] = await Promise.all([
    printedRows(root, ["-n", `-B${before}`, `-A${after}`, ...walkFlags(call)]),
    isFile ? () => true : meantNames(call),
    isFile ? new Set([latin1(place.path)]) : borisFiles(root, place.path),
  ]);
  const wanted = new Map<string, boolean>();
  return rows.filter(({ path }) => {
    const known = wanted.get(path) ?? (files.has(path) && isMeant(path) && !startsBinary(onDisk(root, path)));
    wanted.set(path, known);
    return known;
  });
}

/** All that could be looked at, under every name. */
export function walkFlags(call: GrepCall): string[] {
  const { place } = call;
  const all = place.kind === "file" ? BESIDE : [...EVERYTHING, "--follow"];
  return [
    "--text",
    "--no-mmap",
    "--sort=path",
    "--max-filesize=10M",
    ...all,
    ...matchFlags(call),
    "--",
    operand(place),
  ];
}

function aroundOf({ before, after, context = 0 }: GrepCall, mode: Mode): { before: number; after: number } {
  if (mode !== "content") return { before: 0, after: 0 };
  return { before: before ?? context, after: after ?? context };
}

/** By base names, as ripgrep matches them in a folder of nothing but names. */
async function meantNames({ root, globs, type }: GrepCall): Promise<(path: string) => boolean> {
  const included = globs.slice(0, 1);
  const typed = type === undefined ? [] : [`*.{${BORIS_TYPES[type]}}`];
  const names = await Promise.all(
    [included, typed]
      .filter((some) => some.length > 0)
      .map(
        async (some) =>
          new Set(await rgFiles(join(root, "..", NAMES), [...EVERYTHING, ...whitelist(some), "./"])),
      ),
  );
  return (path) => names.every((some) => some.has(path.slice(path.lastIndexOf("/") + 1)));
}

function contentOf(call: GrepCall, rows: readonly PrintedRow[]): ExpectedPage {
  const { offset = 0, limit = 0 } = call;
  const end = limit === 0 ? Number.POSITIVE_INFINITY : offset + limit;
  const hits = rows.filter(({ hit }) => hit);
  const onPage = new Set(hits.slice(offset, end));
  const around = aroundOf(call, "content");
  const shown = rows.filter((row, at) => onPage.has(row) || (!row.hit && reaches(rows, at, around, onPage)));
  const separated = shown.flatMap((row, at) => {
    const last = shown[at - 1];
    const adjoins = last === undefined || (last.path === row.path && (last.line ?? 0) + 1 === row.line);
    return adjoins ? [row] : [null, row];
  });
  return {
    mode: "content",
    lines: separated.map((row) => (row === null ? "--" : lineOf(call, row, row.text))),
    files: [],
    rows: separated,
    nextOffset: hits.length > end ? end : null,
  };
}

/** With this text of the row. */
export function lineOf(
  { lineNumbers = true }: GrepCall,
  { path, line, hit }: PrintedRow,
  text: string,
): string {
  return [nameOf(path), ...(lineNumbers ? [line] : []), text].join(hit ? ":" : "-");
}

/** Whether a line of context belongs to a match of the page that no other match parts it from. */
function reaches(
  rows: readonly PrintedRow[],
  at: number,
  { before, after }: { readonly before: number; readonly after: number },
  onPage: ReadonlySet<PrintedRow>,
): boolean {
  const { path, line } = rows[at] as PrintedRow;
  const previous = rows.slice(0, at).findLast((row) => row.hit && row.path === path);
  const next = rows.slice(at).find((row) => row.hit && row.path === path);
  const follows =
    previous !== undefined && onPage.has(previous) && (line ?? 0) - (previous.line ?? 0) <= after;
  return follows || (next !== undefined && onPage.has(next) && (next.line ?? 0) - (line ?? 0) <= before);
}

function filesOf(call: GrepCall, mode: Mode, rows: readonly PrintedRow[]): ExpectedPage {
  const counts = new Map<string, number>();
  for (const { path } of rows) counts.set(path, (counts.get(path) ?? 0) + 1);
  const listed = [...counts].map(([path, count]) => ({ path, count }));
  const all = mode === "count" ? listed : inOrder({ root: call.root, order: "mtime" }, listed, true);
  const { offset = 0, limit = 0 } = call;
  const end = limit === 0 ? Number.POSITIVE_INFINITY : offset + limit;
  const files = all.slice(offset, end);
  return {
    mode,
    lines: files.map(({ path, count }) => (mode === "count" ? `${nameOf(path)}:${count}` : nameOf(path))),
    files: files.map(({ path, count }) => ({ path: decoded(path), count })),
    rows: [],
    nextOffset: all.length > end ? end : null,
  };
}
