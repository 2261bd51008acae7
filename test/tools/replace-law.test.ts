/**
 * The law of str_replace: a text that stands once becomes another, the result is what a plain string would become,
 * and no byte changes but those in between. Files in every encoding, with every mix of line ends.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  pre,
  property,
  record,
  string,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { flatText } from "../../src/edit/flat-text.ts";
import { occurrences } from "../../src/edit/occurrences.ts";
import { replaceText } from "../../src/edit/replace.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { boris } from "../dialects/boris-hands.ts";
import { codeIn, textOf } from "../dialects/workspaces.ts";

type Coding = "utf8" | "bom" | "le" | "be" | "latin1";

/** One character of a file, as its text has it and as the file has it. */
interface Token {
  readonly text: string;
  readonly inFile: string;
}

interface Case {
  readonly coding: Coding;
  readonly tokens: readonly Token[];
  /** The tokens that are cut out. */
  readonly from: number;
  readonly to: number;
  readonly put: string;
  readonly derived: boolean;
}

const TOKENS: readonly Token[] = [
  ...["a", "b", "c", "1", "=", " ", "\t", "é", "😀", "😁", "中"].map((text) => ({ text, inFile: text })),
  { text: "\n", inFile: "\n" },
  { text: "\n", inFile: "\r\n" },
  { text: "\n", inFile: "\r\n" },
];

const cases = record({
  coding: constantFrom<Coding>("utf8", "bom", "le", "be", "latin1"),
  tokens: array(constantFrom(...TOKENS), { minLength: 1, maxLength: 60 }),
  from: nat(),
  to: nat(),
  put: string({ unit: constantFrom("a", "x", "\n", "é", "😀", "😂", " "), maxLength: 8 }),
  derived: boolean(),
});

const SINGLE = /^[\u0000-\u00ff]$/;

/** The case with its places inside the file, its text within the encoding; what cannot be is passed over. */
function settled({ coding, tokens, from, to, put, derived }: Case): Settled {
  const own = coding === "latin1" ? tokens.filter(({ text }) => SINGLE.test(text)) : tokens;
  pre(own.length > 0);
  const start = from % own.length;
  const end = start + 1 + (to % (own.length - start));
  const text = own.map((token) => token.text).join("");
  const old = own
    .slice(start, end)
    .map((token) => token.text)
    .join("");
  const at = own.slice(0, start).reduce((sum, token) => sum + token.text.length, 0);
  pre(text.indexOf(old) === at && !text.includes(old, at + 1));
  // Half of the time the new text is the old one with something in it, as models write it.
  const middle = Array.from(old).length >> 1;
  const letters = Array.from(old);
  const wanted = derived ? [...letters.slice(0, middle), put, ...letters.slice(middle)].join("") : put;
  pre(wanted !== old);
  if (coding === "latin1") pre(/^[\0-\x7f]*$/.test(old + wanted));
  return { coding, own, start, end, at, old, wanted, text };
}

interface Settled {
  readonly coding: Coding;
  readonly own: readonly Token[];
  readonly start: number;
  readonly end: number;
  readonly at: number;
  readonly old: string;
  readonly wanted: string;
  readonly text: string;
}

function encode(coding: Coding, text: string): Buffer {
  if (coding === "le" || coding === "be") {
    const bytes = Buffer.from(text, "utf16le");
    return coding === "le" ? bytes : bytes.swap16();
  }
  return Buffer.from(text, coding === "latin1" ? "latin1" : "utf8");
}

const MARKS: Readonly<Record<Coding, Buffer>> = {
  utf8: Buffer.alloc(0),
  latin1: Buffer.alloc(0),
  bom: Buffer.from([0xef, 0xbb, 0xbf]),
  le: Buffer.from([0xff, 0xfe]),
  be: Buffer.from([0xfe, 0xff]),
};

function decode(coding: Coding, bytes: Buffer): string {
  const body = bytes.subarray(MARKS[coding].length);
  if (coding === "le") return body.toString("utf16le");
  if (coding === "be") return Buffer.from(body).swap16().toString("utf16le");
  return body.toString(coding === "latin1" ? "latin1" : "utf8");
}

function fileOf(coding: Coding, tokens: readonly Token[]): Buffer {
  return Buffer.concat([MARKS[coding], encode(coding, tokens.map(({ inFile }) => inFile).join(""))]);
}

/** What must be so of the bytes that came out. */
function check({ coding, own, start, end, at, old, wanted, text }: Settled, after: Buffer): void {
  const plain = text.slice(0, at) + wanted + text.slice(at + old.length);
  expect(decode(coding, after).replaceAll("\r\n", "\n")).toBe(plain);
  // Before and behind, and as far as the two texts are the same, each byte is what it was.
  const letters = Array.from(wanted);
  const cut = own.slice(start, end);
  const same = cut.findIndex((token, index) => token.text !== letters[index]);
  const kept = same === -1 ? cut.length : same;
  const head = fileOf(coding, own.slice(0, start + kept));
  expect(after.subarray(0, head.length)).toEqual(head);
  const rest = letters.slice(kept).reverse();
  const tail = cut.slice(kept).reverse();
  const different = tail.findIndex((token, index) => token.text !== rest[index]);
  const keptBehind = different === -1 ? tail.length : different;
  const foot = encode(
    coding,
    own
      .slice(end - keptBehind)
      .map(({ inFile }) => inFile)
      .join(""),
  );
  expect(after.subarray(after.length - foot.length)).toEqual(foot);
  // Between them is what is new, its lines ended as those that they replace.
  const first = newlines(own.slice(0, start)) + 1;
  const touched = newlines(cut) + (old.endsWith("\n") ? 0 : 1);
  let line = newlines(cut.slice(0, kept));
  const added = letters.slice(kept, letters.length - keptBehind).map((letter) => {
    if (letter !== "\n") return letter;
    line += 1;
    return endOf(own, first + Math.min(line, touched) - 1);
  });
  expect(after).toEqual(Buffer.concat([head, encode(coding, added.join("")), foot]));
}

function newlines(tokens: readonly Token[]): number {
  return tokens.filter(({ text }) => text === "\n").length;
}

/** How a line ends; one that does not, as its neighbours do. */
function endOf(tokens: readonly Token[], line: number): string {
  const ends = tokens.filter(({ text }) => text === "\n").map(({ inFile }) => inFile);
  return ends[line - 1] ?? ends[line - 2] ?? ends[line] ?? ends[0] ?? "\n";
}

describe("A text in the place of another", () => {
  it("is what the plain string says, and no other byte changes", () => {
    let done = 0;
    assert(
      property(cases, (given) => {
        const one = settled(given);
        const before = textLines(fileOf(one.coding, one.own));
        const flat = flatText(before);
        expect([...occurrences(flat.text, one.old)]).toEqual([one.at]);
        const { bytes, splice } = replaceText(
          before,
          flat,
          { at: one.at, old: one.old, text: one.wanted },
          "f",
        );
        check(one, bytes);
        // The answer's lines are those of the file.
        const after = textLines(bytes);
        const said = [
          ...allLines(before).slice(0, splice.at - 1),
          ...splice.body,
          ...allLines(before).slice(splice.at - 1 + splice.remove),
        ];
        expect(said).toEqual(allLines(after));
        done += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(done).toBe(3_000);
  });

  it("is so through the tool, on the disk, or the file stays as it is", async () => {
    const { root, replace } = await boris({});
    const place = join(root, "f.txt");
    await assert(
      asyncProperty(cases, async (given) => {
        const one = settled(given);
        const before = fileOf(one.coding, one.own);
        writeFileSync(place, before);
        const answer = await replace({ path: "f.txt", old_str: one.old, new_str: one.wanted });
        const after = readFileSync(place);
        if (answer.isError !== true) return check(one, after);
        // Only where it may be half a letter of an encoding that nobody named.
        expect([codeIn(answer), textOf(answer)]).toEqual([
          "ENCODING_UNKNOWN",
          expect.stringContaining("begins right behind a letter beyond ASCII"),
        ]);
        expect([one.coding, one.own[one.start - 1]?.text]).toEqual(["latin1", "é"]);
        expect(after).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });
});

function allLines(text: ReturnType<typeof textLines>): string[] {
  return Array.from({ length: text.count() }, (_, at) => text.line(at + 1) ?? "");
}

describe("Every place of a text", () => {
  it("is found, also where two overlap", () => {
    const few = string({ unit: constantFrom("a", "b"), maxLength: 30 });
    assert(
      property(few, string({ unit: constantFrom("a", "b"), minLength: 1, maxLength: 5 }), (text, wanted) => {
        const places = Array.from(text, (_, at) => at).filter((at) => text.startsWith(wanted, at));
        expect([...occurrences(text, wanted)]).toEqual(places);
      }),
      { numRuns: 1_000 },
    );
    expect([...occurrences("abc", "")]).toEqual([]);
  });
});
