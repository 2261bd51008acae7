/** Random patterns, options and texts for the matcher, and what the bundled ripgrep says of them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Pattern } from "../../src/model/query.ts";
import { textMatcher } from "../../src/regex/matcher.ts";
import { type TextMatch, Undecided } from "../../src/regex/text-match.ts";
import { type PatternRequest, readPattern } from "../../src/regex/read.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { soundPattern } from "./patterns.ts";
import type { Tree } from "./ripgrep.ts";

const WORDS = [
  "a",
  "B",
  "é",
  "foo",
  "Foo",
  "x",
  "aa",
  "_",
  " ",
  "  ",
  "\t",
  ".",
  "-",
  "{",
  "\u{1f600}",
  "ſ",
  "k",
  "\u212a",
  "λ",
  "7",
  "٣",
  "→",
];
const ENDS = ["\n", "\n", "\n\n", "\r\n", "\r"];
const LOOKS = ["^", "$", String.raw`\b`, String.raw`\B`, String.raw`\z`, String.raw`\b{end}`, String.raw`\>`];

const short = fc
  .array(fc.constantFrom(...WORDS, ...WORDS, ...ENDS, ...ENDS, ...ENDS), { maxLength: 24 })
  .map((pieces) => pieces.join(""));

/** Past the size of a block, and past what ripgrep looks ahead. */
const long = fc
  .tuple(short, fc.constantFrom(3, 40, 700, 2_500), fc.constantFrom("mm nn é\n", "oo ", "\r\n"), short)
  .map(([head, count, filler, tail]) => `${head}${filler.repeat(count)}${tail}`);

const text = fc.oneof({ weight: 3, arbitrary: short }, { weight: 1, arbitrary: long });

/** What matches often, across lines too. */
const PIECES = ["a", "foo", "é", "B", "x", " ", "[^x]", "[a-z]", "[^;]*", "(?s:.)", "(?i)", "[A-Z]", "|"];
const NEWLINES = [
  "(a|\n)",
  "(?:\r?\n)",
  "[^\n]+",
  String.raw`[^\n]`,
  String.raw`\n`,
  String.raw`\s`,
  String.raw`\s+`,
];
/** Bytes: what of them is text is decided in process, and the rest not. */
const BYTES = [
  "(?-u:a)",
  String.raw`(?-u:\w)`,
  String.raw`(?-u:\w+\s)`,
  String.raw`(?-u:\b)`,
  String.raw`(?-u:\B)`,
  String.raw`(?-u:\b{end})`,
  String.raw`(?-u:\b{start-half})`,
  "(?i-u:k)",
  "(?i-u:[a-f])",
  "(?-u:é)",
  "(?-u:[^a])",
  "(?-u:.)",
  String.raw`(?-u:[\s-])`,
  "(?-u)",
  "(?u)",
  "k",
];
const REPEATS = [
  "+",
  "*",
  "?",
  "+?",
  "{1,2}",
  ".",
  ".*",
  ".+?",
  String.raw`\w+`,
  String.raw`\w{2,}`,
  String.raw`\W`,
  String.raw`\d`,
  String.raw`\D+`,
  String.raw`[\w-]+`,
  String.raw`[^\w ]`,
  String.raw`[^\D]`,
  String.raw`[\w--x]`,
  String.raw`\x41`,
];
const likely = fc
  .array(fc.constantFrom(...PIECES, ...NEWLINES, ...REPEATS, ...LOOKS, ...LOOKS), {
    minLength: 1,
    maxLength: 5,
  })
  .map((pieces) => pieces.join(""));
const ofBytes = fc
  .array(fc.constantFrom(...BYTES, ...BYTES, ...PIECES, ...NEWLINES, ...REPEATS), {
    minLength: 1,
    maxLength: 4,
  })
  .map((pieces) => pieces.join(""));

const options = fc.record({
  literal: fc.boolean(),
  word: fc.boolean(),
  case: fc.constantFrom("sensitive", "insensitive", "smart"),
  multiline: fc.boolean(),
  dotAll: fc.boolean(),
});

/** A part of a text. */
const drawn = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.integer({ min: 1, max: 6 }))
    .map(([text, from, length]) => {
      const chars = Array.from(text);
      const at = chars.length === 0 ? 0 : from % chars.length;
      return chars.slice(at, at + length).join("");
    });

export interface Case {
  readonly texts: readonly string[];
  readonly request: PatternRequest;
  readonly view: View;
}

/** How the bytes of a text are looked at: behind a mark, so many records of it, and of the lines only some. */
interface View {
  readonly mark: boolean;
  readonly count: number;
  readonly lines: readonly boolean[];
}

const view: fc.Arbitrary<View> = fc.record({
  mark: fc.boolean(),
  count: fc.constantFrom(1, 2, 5, Number.POSITIVE_INFINITY),
  lines: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
});

export const anyCase: fc.Arbitrary<Case> = fc.array(text, { minLength: 4, maxLength: 4 }).chain((texts) =>
  fc
    .tuple(fc.oneof(soundPattern, likely, likely, ofBytes, drawn(texts)), options, view)
    .map(([pattern, options, view]) => ({
      texts,
      view,
      request: { ...options, pattern, literal: options.literal && !/[[\\]/.test(pattern) },
    })),
);

export function readable(request: PatternRequest): Pattern | null {
  try {
    return readPattern(request).pattern;
  } catch {
    return null;
  }
}

export type Outcome = "same" | "undecided" | "unreadable" | "crashed";

/** Says which way it went; a pattern that ripgrep refuses must be undecided. */
export function compare(tree: Tree, { texts, request, view }: Case): Outcome {
  const pattern = readable(request);
  if (pattern === null) return "unreadable";
  const matcher = textMatcher(pattern);
  if (matcher.kind === "undecided") return "undecided";
  const theirs = ripgrep(tree, pattern, texts);
  if (theirs === null) return "crashed";
  const ours = texts.map((text) => recordsOf(matcher.matches(text)));
  expect(ours.map(({ records }) => records)).toEqual(
    theirs.map((records, at) =>
      ours[at]?.cut === true ? records.slice(0, ours[at].records.length) : records,
    ),
  );
  for (const [at, text] of texts.entries()) {
    const bytes = Buffer.from(view.mark ? `\ufeff${text}` : text);
    const records = ours[at]?.records ?? [];
    for (const parts of [null, partsOf(bytes, view.lines)]) {
      const inBytes = matcher.inBytes?.(bytes, textLines(bytes), view.count, parts) ?? null;
      if (inBytes === null) continue;
      const meant = records.filter(({ line }) => parts === null || isSeen(view.lines, line));
      expect(inBytes).toEqual(meant.slice(0, view.count));
    }
  }
  return "same";
}

const isSeen = (lines: readonly boolean[], line: number): boolean => lines[line % lines.length] ?? false;

/** Of some lines, the start and the length by turns. */
function partsOf(bytes: Buffer, lines: readonly boolean[]): number[] {
  const parts: number[] = [];
  for (let [line, start] = [1, 0]; start < bytes.length; line += 1) {
    const newline = bytes.indexOf("\n", start);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (isSeen(lines, line)) parts.push(start, end - start);
    start = end;
  }
  return parts;
}

/** What it gives of a text until it would take too long: whoever asks goes on with ripgrep's, behind as many. */
function recordsOf(matches: Iterable<TextMatch>): { readonly records: TextMatch[]; readonly cut: boolean } {
  const records: TextMatch[] = [];
  try {
    for (const match of matches) records.push(match);
    return { records, cut: false };
  } catch (cause) {
    if (!(cause instanceof Undecided)) throw cause;
    return { records, cut: true };
  }
}

interface Data {
  readonly path: { readonly text: string };
  readonly lines: { readonly text: string };
  readonly line_number: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

const CASE = { sensitive: "--case-sensitive", insensitive: "--ignore-case", smart: "--smart-case" } as const;

/** The records of each text, as files of a folder. Null where ripgrep 15.0 panics: a match printed out of its record. */
export function ripgrep(tree: Tree, pattern: Pattern, texts: readonly string[]): TextMatch[][] | null {
  const folder = join(tree.root, "texts");
  mkdirSync(folder, { recursive: true });
  texts.forEach((text, index) => writeFileSync(join(folder, `${index}`), text));
  const flags: string[] = [
    CASE[pattern.case],
    ...(pattern.syntax === "literal" ? ["--fixed-strings"] : []),
    ...(pattern.word ? ["--word-regexp"] : []),
    ...(pattern.multiline ? ["--multiline"] : []),
    ...(pattern.multiline && pattern.dotAll ? ["--multiline-dotall"] : []),
  ];
  const { status, stdout, stderr } = spawnSync(
    rgPath,
    ["--no-config", "--json", "--no-mmap", "-j1", ...flags, `--regexp=${pattern.text}`, "texts"],
    { cwd: tree.root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 30 },
  );
  if (stderr.includes("panicked at crates/printer/src/json.rs")) return null;
  expect({ status: status ?? -1, stderr }).toEqual({ status: expect.toBeOneOf([0, 1]), stderr: "" });
  const records: TextMatch[][] = texts.map(() => []);
  for (const line of stdout.split("\n")) {
    if (!line.startsWith('{"type":"match"')) continue;
    const { data } = JSON.parse(line) as { data: Data };
    records[Number(data.path.text.slice("texts/".length))]?.push(record(data));
  }
  return records;
}

function record({ lines, line_number: line, submatches }: Data): TextMatch {
  const text = lines.text.replace(/\r?\n$/, "");
  const bytes = Buffer.from(lines.text);
  const offset = (byte: number): number => Math.min(bytes.toString("utf8", 0, byte).length, text.length);
  // An empty match in the middle of a character has no place in UTF-16.
  const whole = submatches.filter(({ start }) => ((bytes[start] ?? 0) & 0xc0) !== 0x80);
  return { line, text, submatches: whole.map(({ start, end }) => [offset(start), offset(end)] as const) };
}
