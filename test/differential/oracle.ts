/**
 * What `search()` must answer, from the bundled ripgrep's own `--json`: every place searched by itself, what the
 * request does not mean dropped, the rest joined, put in order and cut to the page. Files with a binary offset
 * contribute nothing, whatever the mode.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { SearchRequest } from "../../src/quarry.ts";
import { rg, withoutDot } from "./rg.ts";
import { meant, operand, type Place, ruleFlags, type Scope, type ScopeRequest } from "./scope.ts";

/** A search, and what its pattern and paths mean to ripgrep. */
export interface SearchCase extends Scope {
  readonly request: ScopeRequest & Omit<SearchRequest, "paths">;
  readonly pattern: {
    /** As it is read, after repairs. */
    readonly text: string;
    readonly pcre2: boolean;
    readonly multiline: boolean;
  };
}

export interface ExpectedLine {
  readonly line: number;
  readonly text: string;
}

export interface ExpectedMatch extends ExpectedLine {
  readonly submatches: readonly (readonly [number, number])[];
  readonly invalid: boolean;
  readonly before: ExpectedLine[];
  readonly after: ExpectedLine[];
}

export interface ExpectedFile {
  /** One character a byte. */
  readonly path: string;
  readonly matches: readonly ExpectedMatch[];
  /** Matching lines. */
  readonly lines: number;
}

export interface Expected {
  /** Everything there is, in order. */
  readonly files: readonly ExpectedFile[];
  /** Files that ripgrep, or their first bytes, call binary, of those it named. */
  readonly binary: number;
}

type Raw = { readonly text: string } | { readonly bytes: string };

interface RipgrepRecord {
  readonly type: "begin" | "match" | "context" | "end" | "summary";
  readonly data: {
    readonly path: Raw;
    readonly lines: Raw;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
    readonly binary_offset: number | null;
  };
}

export async function expectedSearch(searched: SearchCase): Promise<Expected> {
  const places = searched.places.filter(({ kind }) => kind !== "missing");
  const answers = await Promise.all(places.map((place) => searchPlace(searched, place)));
  const files = new Map<string, ExpectedFile | null>(answers.flat());
  const texts = [...files.values()].filter((file) => file !== null);
  // Asked for context, ripgrep names files for an empty match behind their last line, which it does not show.
  const matching = texts.filter(({ matches }) => matches.length > 0);
  return {
    files: inOrder(searched.request, matching, places.length === 1),
    binary: files.size - texts.length,
  };
}

/** Each file with its matches, or null for a binary one. */
async function searchPlace(searched: SearchCase, place: Place): Promise<[string, ExpectedFile | null][]> {
  const { request } = searched;
  const [output, wanted] = await Promise.all([
    rg(request.root, [
      "--json",
      "--no-mmap",
      "--sort=path",
      ...matchFlags(searched),
      ...ruleFlags(request),
      "--",
      operand(place),
    ]),
    meant(searched, place),
  ]);
  const found: [string, ExpectedFile | null][] = [];
  let records: RipgrepRecord[] = [];
  for (const line of output.toString().split("\n").slice(0, -1)) {
    const record = JSON.parse(line) as RipgrepRecord;
    if (record.type === "begin") records = [];
    else if (record.type !== "end") records.push(record);
    else {
      const path = withoutDot(bytesOf(record.data.path).toString("latin1"));
      const binary =
        record.data.binary_offset !== null ||
        (request.binary === "first-bytes" && startsBinary(onDisk(request.root, path)));
      if (wanted(path)) found.push([path, binary ? null : readFile(path, records, request.after ?? 0)]);
    }
  }
  return found;
}

function matchFlags({ request, pattern }: SearchCase): string[] {
  // Asked for context, ripgrep looks at more lines, and may meet a NUL byte there.
  const { before = 0, after = 0 } = (request.mode ?? "content") === "content" ? request : {};
  const letters = { sensitive: "-s", insensitive: "-i", smart: "-S" }[request.case ?? "sensitive"];
  return [
    letters,
    ...(request.literal === true ? ["-F"] : []),
    ...(request.word === true ? ["-w"] : []),
    ...(pattern.pcre2 ? ["-P"] : []),
    ...(pattern.multiline ? ["-U"] : []),
    ...(pattern.multiline && request.dotAll === true ? ["--multiline-dotall"] : []),
    ...(request.binary === "first-bytes" ? ["-a"] : request.reportBinary === true ? ["--binary"] : []),
    `-B${before}`,
    `-A${after}`,
    "-e",
    pattern.text,
  ];
}

function readFile(path: string, records: readonly RipgrepRecord[], after: number): ExpectedFile {
  const matches = records.filter(({ type }) => type === "match").map(({ data }) => readMatch(data));
  const last = ({ line, text }: ExpectedLine): number => line + text.split("\n").length - 1;
  for (const { type, data } of records) {
    if (type !== "context") continue;
    const bytes = bytesOf(data.lines);
    const line = {
      line: data.line_number,
      text: decoded(bytes),
      ...(isValid(bytes) ? {} : { invalidUtf8: true }),
    };
    const previous = matches.findLast((match) => match.line < line.line);
    const next = matches.find((match) => match.line > line.line);
    if (previous !== undefined && line.line <= last(previous) + after) previous.after.push(line);
    else next?.before.push(line);
  }
  const lines = matches.reduce((sum, match) => sum + last(match) - match.line + 1, 0);
  return { path, matches, lines };
}

function isValid(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

function readMatch(data: RipgrepRecord["data"]): ExpectedMatch {
  const bytes = bytesOf(data.lines);
  const text = decoded(bytes);
  const unit = (byte: number): number =>
    Math.min(bytes.toString("utf8", 0, wholeCharacters(bytes, byte)).length, text.length);
  return {
    line: data.line_number,
    text,
    submatches: data.submatches.map(({ start, end }) => [unit(start), unit(end)] as const),
    invalid: !isValid(bytes),
    before: [],
    after: [],
  };
}

/** Inside a character there is no offset in text, so the character's own counts: the last place where bytes can be parted. */
function wholeCharacters(bytes: Buffer, byte: number): number {
  if (byte === 0 || ((bytes[byte] ?? 0) & 0xc0) !== 0x80) return byte;
  const parted = bytes.toString("utf8", 0, byte) + bytes.toString("utf8", byte);
  return parted === bytes.toString() ? byte : wholeCharacters(bytes, byte - 1);
}

function decoded(bytes: Buffer): string {
  return bytes.toString().replace(/\r?\n$/, "");
}

function bytesOf(raw: Raw): Buffer {
  return "text" in raw ? Buffer.from(raw.text) : Buffer.from(raw.bytes, "base64");
}

/** By path or newest first; `none` is compared without its order, so any will do. */
export function inOrder<T extends { readonly path: string }>(
  request: { readonly root: string; readonly order?: SearchRequest["order"] },
  items: readonly T[],
  sorted: boolean,
): T[] {
  if (request.order !== "mtime") return sorted ? [...items] : items.toSorted(byPath);
  const dated = items.map((item) => ({ item, at: modified(request.root, item.path) }));
  return dated
    .toSorted((one, other) => other.at - one.at || byPath(one.item, other.item))
    .map(({ item }) => item);
}

/** As `rg --sort path`: folder by folder, names by their bytes. */
function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  const [names, others] = [one.path.split("/"), other.path.split("/")];
  for (const [at, name] of names.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    if (name !== against) return name < against ? -1 : 1;
  }
  return names.length - others.length;
}

export function modified(root: string, path: string): number {
  return statSync(onDisk(root, path)).mtimeMs;
}

export function onDisk(root: string, path: string): Buffer {
  return path.startsWith("/")
    ? Buffer.from(path, "latin1")
    : Buffer.concat([Buffer.from(`${resolve(root)}/`), Buffer.from(path, "latin1")]);
}

/** PDF and PostScript, and control bytes that text does not use, unless a byte order mark says that it is text. */
export function startsBinary(path: Buffer): boolean {
  const file = openSync(path, "r");
  const buffer = Buffer.alloc(512);
  const start = buffer.toString("latin1", 0, readSync(file, buffer));
  closeSync(file);
  if (/^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start)) return false;
  return /^%PDF-|^%!PS-Adobe-|[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start);
}
