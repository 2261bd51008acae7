/**
 * Patterns drawn from real lines of the tree, turned into the shapes people search for; and a few that match
 * nothing. Each comes with its meaning to ripgrep, so that the oracle need not read it as we do.
 */
import * as fc from "fast-check";
import type { Case } from "../../src/quarry.ts";
import type { SearchCase } from "./oracle.ts";
import type { PlantedFile } from "./tree.ts";

export interface DrawnPattern {
  readonly request: {
    readonly pattern: string;
    readonly literal?: boolean;
    readonly word?: boolean;
    readonly case?: Case;
    readonly multiline?: boolean;
    readonly dotAll?: boolean;
  };
  readonly meaning: SearchCase["pattern"];
  /** The file it was drawn from. */
  readonly path: string;
}

type Shape = (
  piece: Piece,
) => DrawnPattern["request"] & { readonly meant?: string; readonly pcre2?: true; readonly spans?: true };

/** Some characters of one line, with the line around them and the one below. */
interface Piece {
  readonly text: string;
  readonly line: string;
  readonly next: string;
  readonly word: string;
  readonly other: string;
  readonly pick: number;
}

/** `meant` is what the pattern is repaired to; `spans` says that it holds a newline and is matched across lines. */
const SHAPES: readonly Shape[] = [
  ({ text }) => ({ pattern: text, literal: true }),
  ({ text }) => ({ pattern: text, literal: true, case: "smart" }),
  ({ text }) => ({ pattern: flipped(text), literal: true, case: "insensitive" }),
  ({ text }) => ({ pattern: escaped(text) }),
  ({ text }) => ({ pattern: escaped(text) }),
  ({ word }) => ({ pattern: escaped(word) }),
  ({ word }) => ({ pattern: escaped(word), word: true }),
  ({ text }) => ({ pattern: escaped(text), word: true }),
  ({ word }) => ({ pattern: word, literal: true, word: true, case: "insensitive" }),
  ({ text }) => ({ pattern: escaped(flipped(text)), case: "insensitive" }),
  ({ text }) => ({ pattern: `(?i)${escaped(flipped(text))}` }),
  ({ text }) => ({ pattern: escaped(text.toLowerCase()), case: "smart" }),
  ({ text }) => ({ pattern: escaped(text), case: "smart" }),
  ({ text }) => ({ pattern: escaped(text).replace(/\w{2,}/, "\\w+") }),
  ({ text }) => ({ pattern: escaped(text).replace(/ +/g, "\\s+") }),
  ({ text, pick }) => ({ pattern: around(text, pick, (char) => `[${escaped(char)}x-z]`) }),
  ({ text, pick }) => ({ pattern: around(text, pick, () => "[^a-c]") }),
  ({ text, pick }) => ({ pattern: around(text, pick, () => ".") }),
  ({ text, pick }) => ({ pattern: around(text, pick, (char) => `(${escaped(char)})+?`) }),
  ({ text }) => ({ pattern: `${escaped(chars(text, 0, 2))}.*${escaped(chars(text, -2))}` }),
  ({ word }) => ({ pattern: `${escaped(word.slice(0, 3))}\\w{0,9}` }),
  ({ word, other }) => ({ pattern: `${escaped(word)}|${escaped(other)}` }),
  ({ word, other }) => ({ pattern: `(?:${escaped(other)}|${escaped(word)})\\b` }),
  ({ text, pick }) => ({ pattern: around(chars(text, 0, 3), pick, classOf) }),
  ({ text, pick }) => ({ pattern: around(chars(text, -3), pick, classOf), case: "insensitive" }),
  ({ text, pick }) => ({ pattern: around(chars(text, 0, 2), pick, classOf) }),
  ({ text, pick }) => ({ pattern: around(text, pick, () => "(?-u:[\\w\\s])") }),
  ({ line }) => ({ pattern: `^${escaped(chars(line, 0, 12))}` }),
  ({ line }) => ({ pattern: `^${escaped(chars(line, 0, 300))}$` }),
  ({ line }) => ({ pattern: `${escaped(chars(line, -8))}$` }),
  ({ word }) => ({ pattern: `\\b${escaped(word)}\\b` }),
  ({ line, next }) => ({ pattern: joined(line, "\n", next), multiline: true }),
  ({ line, next }) => ({ pattern: joined(line, "\\n", next), spans: true }),
  ({ line, next }) => ({ pattern: joined(line, "\\s*", next), multiline: true }),
  ({ line, next }) => ({ pattern: `${chars(line, -6)}\n${chars(next, 0, 6)}`, literal: true, spans: true }),
  ({ line, next }) => ({ pattern: joined(line, ".*?", next), multiline: true, dotAll: true }),
  ({ line, next }) => ({ pattern: joined(line, ".{0,3}", next), multiline: true }),
  ({ word, other }) => ({ pattern: `${escaped(word)}(?s:.{0,400}?)${escaped(other)}`, multiline: true }),
  ({ word }) => ({ pattern: `(?<=${escaped(word.slice(0, 1))})${escaped(word.slice(1, 4))}`, pcre2: true }),
  ({ word }) => ({
    pattern: `${escaped(word.slice(0, 3))}(?!${escaped(word.slice(3, 4) || "x")})`,
    pcre2: true,
  }),
  ({ word }) => ({ pattern: `(${escaped(word.slice(0, 1))}\\w*) +\\1`, pcre2: true, case: "insensitive" }),
  ({ line, next }) => ({ pattern: `(?<!q)${joined(line, "\\n", next)}`, pcre2: true, spans: true }),
  ({ word }) => ({ pattern: `${word}{}`, meant: `${word}\\{\\}` }),
  ({ word }) => ({ pattern: `${word}(`, meant: `${word}\\(` }),
  ({ pick }) => ({ pattern: COMMON[pick % COMMON.length] ?? "e" }),
  ({ pick }) => ({ pattern: COMMON[pick % COMMON.length] ?? "e", multiline: true }),
  ({ word, pick }) => ({ pattern: `${escaped(word)}zq${pick}` }),
];

/** Lines of a large file. */
const LARGE = 60;

/** Patterns that say little, and so match in many places. */
const COMMON = [
  "\\s+$",
  "^$",
  "x*",
  "\\p{Lu}\\w*",
  "[[:alpha:]]{12,}",
  "^\\s*//",
  "(?-u:\\xe4)",
  "é|ü",
  "[\\x{3040}-\\x{30ff}]+",
  "\\r$",
  "^.",
  "[^\\n]{90}",
  "\\bexport\\b.*\\{$",
  "😀+",
  "\\A.",
  "(?m)^\\}$",
  "ref|bare|core",
  "\\x01",
  "\\p{Greek}",
  "(?i)\\p{Greek}",
  "\\p{Cyrillic}",
  "\\p{Han}\\p{Hiragana}",
  "[\\x{80}-\\x{ff}]",
  "(?-u:\\w{5}\\s+\\w{5})",
];

/** A large class that holds the character. */
function classOf(char: string): string {
  if (/[\w]/.test(char)) return "\\w";
  if (/\s/u.test(char)) return "\\s";
  return char.charCodeAt(0) < 0x80 ? "\\W" : "[^\\x00-\\x7f]";
}

export function drawnPattern(files: readonly PlantedFile[]): fc.Arbitrary<DrawnPattern> {
  const readable = files.flatMap(({ path, text }) => {
    const lines = (text ?? "").split("\n").map((line) => line.replace(/\r$/, ""));
    return lines.some((line) => line.trim().length > 2) ? [{ path, lines }] : [];
  });
  // Half of the patterns are drawn from the files with most of the text.
  const large = readable.flatMap(({ lines }, at) => (lines.length > LARGE ? [at] : []));
  return fc
    .record({
      file: fc.oneof(fc.nat(readable.length - 1), fc.constantFrom(...large)),
      line: fc.nat(),
      from: fc.nat(200),
      length: fc.integer({ min: 1, max: 24 }),
      pick: fc.nat(999),
      shape: fc.constantFrom(...SHAPES),
    })
    .map(({ file, line, from, length, pick, shape }) => {
      const { path, lines } = readable[file] ?? { path: "", lines: [] };
      const full = lines.flatMap((text, at) => (text.trim().length > 2 ? [at] : []));
      const at = full[line % full.length] ?? 0;
      const text = lines[at] ?? "";
      const other = lines[full[(line + 1) % full.length] ?? 0] ?? "";
      const { pcre2, meant, spans, ...request } = shape({
        text: piece(text, from, length),
        line: text,
        next: lines[at + 1] ?? "",
        word: wordOf(text, pick),
        other: wordOf(other, pick),
        pick,
      });
      const multiline = request.multiline === true || spans === true;
      return { path, request, meaning: { text: meant ?? request.pattern, pcre2: pcre2 === true, multiline } };
    })
    .filter(({ request }) => request.pattern.trim() !== "");
}

function piece(line: string, from: number, length: number): string {
  const all = Array.from(line);
  const text = all.slice(from % all.length, (from % all.length) + length).join("");
  return text.trim() === "" ? chars(line.trim(), 0, length) : text;
}

function wordOf(line: string, pick: number): string {
  const words = line.match(/\w{2,}/g) ?? ["the"];
  return words[pick % words.length] ?? "the";
}

function around(text: string, pick: number, change: (char: string) => string): string {
  const all = Array.from(text);
  const at = pick % all.length;
  return escaped(all.slice(0, at).join("")) + change(all[at] ?? "") + escaped(all.slice(at + 1).join(""));
}

function joined(line: string, between: string, next: string): string {
  return escaped(chars(line, -10)) + between + escaped(chars(next, 0, 10));
}

function chars(text: string, from: number, to?: number): string {
  return Array.from(text).slice(from, to).join("");
}

function flipped(text: string): string {
  return text.replace(/[a-z]+|[A-Z]+/g, (run) => (/[a-z]/.test(run) ? run.toUpperCase() : run.toLowerCase()));
}

export function escaped(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&~-]/g, "\\$&");
}
