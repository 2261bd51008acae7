/**
 * A caller's `paths` taken apart, before anything else looks at them: quotes dropped, `~` and `file://` expanded,
 * entries that were joined into one told apart by what exists. What exists as a whole is never touched.
 */
import { ToolError } from "../model/errors.ts";
import { readQuotedName } from "./quoted-name.ts";
import { parseUrl } from "./urls.ts";

export interface EntryReader {
  /** What `~` means. */
  readonly home: string;
  /** Is there such a thing, read as a path, with a selector, as an archive member or as a URL? Not as a glob. */
  exists(entry: string): Promise<boolean>;
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined;
}

/** Entries in the order given. Throws INVALID_INPUT when one is empty, or when there is none. */
export async function readEntries(paths: string | readonly string[], reader: EntryReader): Promise<string[]> {
  const given = typeof paths === "string" ? [paths] : paths;
  if (given.length === 0) throw empty();
  const entries: string[] = [];
  for (const text of given) entries.push(...(await readEntry(text, reader)));
  return entries;
}

async function readEntry(text: string, reader: EntryReader): Promise<string[]> {
  // A file may really be called "a" with its quotes, and a folder ~.
  const literal = isWrapped(text) || text.startsWith("~");
  if (literal && text.trim() !== "" && (await reader.exists(text))) return [text];
  const printed = readQuotedName(text);
  if (printed !== null && (await reader.exists(printed))) return [printed];
  const entry = cleanEntry(text, reader);
  if (entry === "") throw empty();
  if (await reader.exists(entry)) return [entry];
  const slashed = entry.replaceAll("\\", "/");
  if (WINDOWS_PATH.test(entry) && (await resolves(slashed, reader))) return [slashed];
  const headed = withoutHeading(entry);
  if (headed !== null && (await reader.exists(headed))) return [headed];
  return (await byMarks(entry, reader)) ?? (await byBlanks(entry, reader)) ?? [entry];
}

/** Backslashes between names, none of which could be a glob's escape. */
const WINDOWS_PATH = /^(?=.*\\)(?!.*\\[*?[\]{}!\\])/s;

/** The path of a heading of search that was given back as it was printed, with its tag. */
function withoutHeading(entry: string): string | null {
  const [, path, selector = ""] = /^(?:¶|# )?(.+)#[0-9A-Fa-f]{4}(:[^#]*)?$/s.exec(entry) ?? [];
  return path === undefined ? null : (readQuotedName(path) ?? path) + selector;
}

/** Comma or semicolon: enough that one part is there. */
async function byMarks(entry: string, reader: EntryReader): Promise<string[] | null> {
  const parts = cut(entry, /[,;]/).map((part) => cleanEntry(part, reader));
  if (parts.length < 2 || parts.length > PARTS) return null;
  const named = joinRanges(parts.filter((part) => part !== ""));
  const there = await Promise.all(named.map((part) => resolves(part, reader)));
  const split = await Promise.all(
    named.map(async (part, at) => (there[at] === true ? [part] : await byBlanks(part, reader))),
  );
  if (split.every((parts) => parts === null)) return null;
  return named.flatMap((part, at) => split[at] ?? [part]);
}

/** Blanks: every part must be there, because names have blanks too. */
async function byBlanks(entry: string, reader: EntryReader): Promise<string[] | null> {
  const parts = cut(entry, /\s/).map((part) => cleanEntry(part, reader));
  const named = parts.filter((part) => part !== "");
  if (named.length < 2 || parts.length > PARTS) return null;
  const there = await Promise.all(named.map((part) => resolves(part, reader)));
  return there.every(Boolean) ? named : null;
}

/** More than this were never joined by mistake, and each is looked for on the disk. */
const PARTS = 256;
const GLOB = /[*?[{]/;

/** It exists, or it is a glob below something that does. */
async function resolves(entry: string, reader: EntryReader): Promise<boolean> {
  if (await reader.exists(entry)) return true;
  const glob = entry.search(GLOB);
  if (glob === -1 || parseUrl(entry) !== null) return false;
  const base = entry.slice(0, entry.lastIndexOf("/", glob) + 1);
  return reader.exists(base === "" ? "." : base);
}

/** The ranges of one selector belong together: `a.ts:5-16,960-973,b.ts`. */
function joinRanges(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const continues = /^(?:L?\d+(?:[-+]L?\d*)?|-\d+)(?::raw)?$/i.test(part);
    if (continues && before !== undefined && /:[L\d,+-]+$/i.test(before)) {
      joined[joined.length - 1] = `${before},${part}`;
    } else joined.push(part);
  }
  return joined;
}

/** Cuts at marks outside quotes, braces and brackets. */
function cut(text: string, mark: RegExp): string[] {
  const parts: string[] = [];
  // A quote without its partner is a letter like any other.
  const quotes = new Set(QUOTES.filter((quote) => text.split(quote).length % 2 === 1));
  let start = 0;
  let fresh = true;
  let quote: string | null = null;
  let depth = 0;
  for (let at = 0; at < text.length && parts.length < PARTS; at += 1) {
    const letter = text.charAt(at);
    if (quote !== null) quote = letter === quote ? null : quote;
    else if (fresh && quotes.has(letter)) quote = letter;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth = Math.max(0, depth - 1);
    else if (depth === 0 && mark.test(letter)) {
      parts.push(text.slice(start, at));
      start = at + 1;
      fresh = true;
      continue;
    }
    fresh = fresh && letter.trim() === "";
  }
  return [...parts, text.slice(start)];
}

const QUOTES: readonly string[] = ['"', "'", "`"];

function isWrapped(text: string): boolean {
  return text !== text.trim() || unquote(text) !== text;
}

function unquote(text: string): string {
  const [first] = text;
  if (first === undefined || !QUOTES.includes(first) || text.length < 2 || !text.endsWith(first)) return text;
  const inner = text.slice(1, -1);
  return inner.includes(first) ? text : inner;
}

/** One entry without blanks and quotes around it, `~` and `file://` expanded. */
export function cleanEntry(
  text: string,
  { home, platform = process.platform }: Omit<EntryReader, "exists">,
): string {
  const entry = unquote(text.trim()).trim();
  if (entry === "~") return home;
  if (entry.startsWith("~/") || (platform === "win32" && entry.startsWith("~\\")))
    return home + entry.slice(1);
  return /^file:\/\//i.test(entry) ? fromFileUrl(entry, platform) : entry;
}

function fromFileUrl(url: string, platform: NodeJS.Platform): string {
  const path = url.slice("file://".length).replace(/^localhost(?=\/)/i, "");
  const decoded = decode(path);
  if (!path.startsWith("/") || decoded === null) {
    throw new ToolError("INVALID_INPUT", `${url} is no URL of a file here`, {
      hint: "Use file:///absolute/path, or the path itself",
    });
  }
  return platform === "win32" && /^\/[a-z]:/i.test(decoded) ? decoded.slice(1) : decoded;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function empty(): ToolError {
  return new ToolError("INVALID_INPUT", "`paths` holds an empty entry", {
    hint: 'Name files, folders or globs; "." is the root',
  });
}
