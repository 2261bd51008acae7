/**
 * What Claude's `Grep` must answer, told by the command line that it stands for. ripgrep walks by its ignore rules; a
 * `--glob` would bring ignored files back, so what the globs name is listed apart and counts only among these files.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { quoteListed } from "../../src/format/escape.ts";
import { inOrder, onDisk } from "../differential/oracle.ts";
import { rg, rgFiles, withoutDot } from "../differential/rg.ts";
import { EVERYTHING, latin1, whitelist } from "../differential/scope.ts";
import { type GrepCall, given, isMultiline, matchFlags, type Mode, type Place } from "./grep-calls.ts";
import { decoded, printedFiles, printedRows } from "./ripgrep-rows.ts";

export interface ExpectedPage {
  readonly mode: Mode;
  /** Rows or files of the page. */
  readonly lines: readonly string[];
  /** In the modes that list files: their names and counts, one for each line. */
  readonly files: readonly { readonly path: string; readonly count: number }[];
  /** Null: nothing was cut. */
  readonly limit: number | null;
  readonly offset: number;
}

const VERSION_CONTROL = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];
const DEFAULT_LIMIT = 250;

export function claudeInput(call: GrepCall): { readonly pattern: string } & Record<string, unknown> {
  const globs = [...call.globs, ...call.notGlobs.map((glob) => `!${glob}`)];
  return {
    pattern: call.pattern,
    ...given({
      path: call.place.given,
      glob: globs.length === 0 ? undefined : globs.join(call.between),
      type: call.type,
      output_mode: call.mode,
      "-B": call.before,
      "-A": call.after,
      [call.other ? "context" : "-C"]: call.context,
      "-n": call.lineNumbers,
      "-i": call.insensitive,
      multiline: call.multiline,
      head_limit: call.limit,
      offset: call.offset,
    }),
  };
}

export async function expectedOfClaude(call: GrepCall, order: "mtime" | "path"): Promise<ExpectedPage> {
  const mode = call.mode ?? "files_with_matches";
  const all = mode === "content" ? await contentOf(call) : await filesOf(call, mode, order);
  const { limit = DEFAULT_LIMIT, offset = 0 } = call;
  const end = limit === 0 ? Number.POSITIVE_INFINITY : offset + limit;
  return {
    mode,
    lines: all.lines.slice(offset, end),
    files: all.files.slice(offset, end),
    limit: all.lines.length > end ? limit : null,
    offset,
  };
}

type Listed = Pick<ExpectedPage, "lines" | "files">;

async function contentOf(call: GrepCall): Promise<Listed> {
  const flags = [...((call.lineNumbers ?? true) ? ["-n"] : ["-N"]), ...contextFlags(call)];
  const found = await printedRows(call.root, [...flags, "--max-columns=500", ...walkFlags(call)]);
  const isSearched = await searchedOf(call, flags, paths(found));
  const rows = found.filter(({ path }) => isSearched(path));
  const lines = rows.flatMap(({ path, gap, rest }, at) => {
    const separated = hasContext(call) && (gap || path !== rows[at - 1]?.path) && at > 0;
    return [...(separated ? ["--"] : []), `${nameOf(path)}${rest}`];
  });
  return { lines, files: [] };
}

async function filesOf(call: GrepCall, mode: Mode, order: "mtime" | "path"): Promise<Listed> {
  const found =
    mode === "count" ? await countsOf(call) : await printedFiles(call.root, ["-l", ...walkFlags(call)]);
  const isSearched = await searchedOf(call, [], paths(found));
  const listed = found.filter(({ path }) => isSearched(path));
  const files =
    mode === "count" || order === "path"
      ? listed
      : inOrder({ root: call.root, order: "mtime" }, listed, true);
  return {
    files: files.map(({ path, count }) => ({ path: decoded(path), count })),
    lines: files.map(({ path, count }) => (mode === "count" ? `${nameOf(path)}:${count}` : nameOf(path))),
  };
}

/** Lines that match: across lines `rg -c` counts matches instead, so there the lines that it prints are counted. */
async function countsOf(call: GrepCall): Promise<{ readonly path: string; readonly count: number }[]> {
  if (!isMultiline(call)) return printedFiles(call.root, ["-c", ...walkFlags(call)]);
  const counts = new Map<string, number>();
  for (const { path } of await printedRows(call.root, walkFlags(call))) {
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return [...counts].map(([path, count]) => ({ path, count }));
}

function contextFlags({ context, before, after }: GrepCall): string[] {
  if (context !== undefined) return [`-C${context}`];
  return [...(before === undefined ? [] : [`-B${before}`]), ...(after === undefined ? [] : [`-A${after}`])];
}

function hasContext({ context, before = 0, after = 0 }: GrepCall): boolean {
  return (context ?? before + after) > 0;
}

/** The seed's command line, with a single thread that goes by path. */
function walkFlags(call: GrepCall): string[] {
  const { place, type } = call;
  const vcs = VERSION_CONTROL.flatMap((name) => ["--glob", `!${name}`]);
  const rules =
    place.kind === "file" ? BESIDE : ["--hidden", ...vcs, ...(type === undefined ? [] : ["--type", type])];
  return ["--sort=path", "--no-mmap", ...rules, ...matchFlags(call), "--", operand(place)];
}

/** A file that is named is searched whatever the rules say, but as one that was found: as one of its folder. */
export const BESIDE: readonly string[] = [...EVERYTHING, "--max-depth=1", "--follow"];

export function operand({ kind, path }: Place): string {
  const folder = kind === "file" ? dirname(path) : path;
  return folder === "." ? "./" : folder;
}

/** Which of the files that matched are meant, and are no binary files. */
async function searchedOf(
  call: GrepCall,
  flags: readonly string[],
  matching: ReadonlySet<string>,
): Promise<(path: string) => boolean> {
  const { root, place, globs, notGlobs } = call;
  if (place.kind === "file") {
    const binary = await binaryOf(call, flags, new Set([latin1(place.path)]));
    return (path) => path === latin1(place.path) && !binary.has(path);
  }
  const all = [...whitelist(globs), ...notGlobs.flatMap((glob) => ["-g", `!${glob}`])];
  const named =
    all.length === 0 ? null : new Set(await rgFiles(root, [...EVERYTHING, ...all, "--", operand(place)]));
  const binary = await binaryOf(call, flags, matching);
  return (path) => named?.has(path) !== false && !binary.has(path);
}

/** A file with a NUL byte in what was searched; across lines only ripgrep knows what that was. */
async function binaryOf(
  call: GrepCall,
  flags: readonly string[],
  matching: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const suspects = new Set([...matching].filter((path) => holdsNul(call.root, path)));
  if (!isMultiline(call) || suspects.size === 0) return suspects;
  const output = await rg(call.root, ["--json", ...flags, ...walkFlags(call)]);
  const binary = output
    .toString()
    .split("\n")
    .slice(0, -1)
    .map(
      (line) =>
        JSON.parse(line) as { type: string; data: { path: { text?: string }; binary_offset: unknown } },
    )
    .filter(({ type, data }) => type === "end" && data.binary_offset !== null)
    .map(({ data }) => latin1(withoutDot(data.path.text ?? "")));
  return new Set(binary);
}

const NULS = new Map<string, boolean>();

function holdsNul(root: string, path: string): boolean {
  const key = `${root}/${path}`;
  const known = NULS.get(key);
  if (known !== undefined) return known;
  const bytes = readFileSync(onDisk(root, path));
  const wide = bytes.length > 1 && [0xfeff, 0xfffe].includes(bytes.readUInt16BE());
  NULS.set(key, !wide && bytes.includes(0));
  return holdsNul(root, path);
}

function paths(found: readonly { readonly path: string }[]): ReadonlySet<string> {
  return new Set(found.map(({ path }) => path));
}

/** As an answer prints it. */
export function nameOf(path: string): string {
  const text = decoded(path);
  return latin1(text) === path
    ? quoteListed(text)
    : quoteListed(text, Buffer.from(path, "latin1").toString("base64"));
}
