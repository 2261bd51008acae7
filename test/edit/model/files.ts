/** Files to edit, of every encoding and mix of line ends, and what somebody else does to them. */
import type { Dice } from "./dice.ts";
import { type Encoding, type End, type Row, row, type TextFile } from "./text-model.ts";

/** Lines of a file that a block begins on, by their ids, with the id of the block's last line. */
export type Blocks = ReadonlyMap<number, number>;

export interface Made {
  readonly file: TextFile;
  /** null where the language is not known. */
  readonly blocks: Blocks | null;
  readonly name: string;
  /** No two lines are equal. */
  readonly distinct: boolean;
}

const ENCODINGS: readonly Encoding[] = [
  "utf-8",
  "utf-8",
  "utf-8 mark",
  "utf-16le",
  "utf-16be",
  "single-byte",
];

const PLAIN = ["", "", "}", "a", "b", "  ", "\t}", "\tindented", "x\ry", "\r", "end \t"];
/** Letters whose halves look like a newline, a return or a mark. */
const WIDE = ["p\u2028q", "é", "😀", "Ċ", "ഊ", "਍਍", "ÿþ", "\ufeff", "\u0085", "a\ud800b", "日本"];
const SINGLE = ["é", "caf\xe9 ", "\xfc\xe9"];

/** A text that is nowhere else. */
export function freshText(dice: Dice): string {
  const fresh = dice.fresh();
  return dice.pick([`line ${fresh}`, `  const x${fresh} = ${fresh};`, `\t"${fresh}",`, `${fresh}é`]);
}

export function asciiText(dice: Dice): string {
  return `line ${dice.fresh()}`;
}

export function anyText(dice: Dice, encoding: Encoding): string {
  if (dice.once(40)) return "long ".repeat(dice.pick([90, 103, 150, 700]));
  if (dice.once(3)) return asciiText(dice);
  const special = encoding === "single-byte" ? SINGLE : WIDE;
  const text = dice.once(3) ? dice.pick(special) : dice.pick(PLAIN);
  // What is half a character has no bytes in UTF-8, and a mark at the start of a file would be one.
  return encoding.startsWith("utf-8") ? text.replaceAll(/[\ud800\ufeff]/g, "") : text;
}

export function makeFile(dice: Dice, number: string): Made {
  const encoding = dice.pick(ENCODINGS);
  if (dice.once(4)) return program(dice, encoding, number);
  const distinct = dice.once(2);
  const size = dice.once(30) ? 0 : dice.once(20) ? dice.between(100, 400) : dice.between(1, 14);
  const few = dice.once(3) ? ["a", "b", "}", ""].slice(0, dice.between(2, 4)) : null;
  const text = (): string => (few === null ? anyText(dice, encoding) : dice.pick(few));
  const texts = Array.from({ length: size }, () => (distinct ? asciiText(dice) : text()));
  if (encoding === "single-byte" && distinct && size > 1) texts[dice.below(size)] = "caf\xe9 only";
  const name = dice.pick(["N.txt", "in/some folder/N", "N #1.md", "ä N.log"]).replace("N", number);
  return { file: { rows: ended(dice, texts), encoding }, blocks: null, name, distinct };
}

/** All the same, or mixed; the last one may have none. */
function ended(dice: Dice, texts: readonly string[]): Row[] {
  const ends: readonly End[] = dice.pick([["\n"], ["\r\n"], ["\n", "\r\n"]]);
  const rows = texts.map((text) => row(text, dice.pick(ends)));
  const last = rows.at(-1);
  if (last === undefined || last.text === "" || !dice.once(3)) return rows;
  return [...rows.slice(0, -1), row(last.text, "", last.id)];
}

/** TypeScript whose blocks are known because they were made. */
function program(dice: Dice, encoding: Encoding, number: string): Made {
  const texts: string[] = [];
  const spans: [first: number, last: number][] = [];
  const letters = encoding === "single-byte" ? "é " : dice.pick(["é😀", "Ċ", "plain"]);
  const block = (depth: number): void => {
    const indent = "  ".repeat(depth);
    const first = texts.length;
    const fresh = dice.fresh();
    const close = dice.pick([
      [`function f${fresh}(): void {`, "}"],
      [`if (x${fresh} > 1) {`, "}"],
      [`call${fresh}({`, "});"],
      [`const o${fresh} = [`, "];"],
    ]);
    // A call and a list hold no statements.
    const holds = close[1] === "}";
    texts.push(indent + close[0]);
    for (let more = dice.between(0, 3); more > 0; more -= 1) {
      if (holds && depth < 3 && dice.once(3)) block(depth + 1);
      else if (holds && dice.once(5)) texts.push("");
      else if (holds) statement(depth + 1);
    }
    texts.push(`${indent}${close[1]}`);
    spans.push([first, texts.length - 1]);
  };
  const statement = (depth: number): void => {
    spans.push([texts.length, texts.length]);
    texts.push(`${"  ".repeat(depth)}say${dice.fresh()}("${dice.once(4) ? letters : "it"}");`);
  };
  for (let more = dice.between(1, 5); more > 0; more -= 1) {
    if (dice.once(3)) statement(0);
    else block(0);
    if (dice.once(3)) texts.push("");
  }
  const rows = ended(dice, texts);
  const blocks = new Map(spans.map(([first, last]) => [(rows[first] as Row).id, (rows[last] as Row).id]));
  return { file: { rows, encoding }, blocks, name: `p${number}.ts`, distinct: false };
}

/** Whether lines that come are like none, or like some that are there; or lines only change places. */
export type Way = "fresh" | "repeated" | "moved";

/**
 * What somebody else does: lines taken out, put in and changed. Where lines that go and lines that come are equal
 * nobody could tell which are which, so what comes is equal to none that goes.
 */
export function meddled(dice: Dice, file: TextFile, way: Way): TextFile {
  if (way === "moved") return moved(dice, file);
  const { encoding } = file;
  let rows = [...file.rows];
  const gone = new Set<string>();
  const come = new Set<string>();
  const text = (): string => {
    const other = way === "repeated" && rows.length > 0 ? dice.pick(rows).text : "";
    const wanted = other === "" || gone.has(other) ? asciiText(dice) : other;
    come.add(wanted);
    return wanted;
  };
  const put = (at: number, texts: readonly string[]): void => {
    const above = rows[at - 1];
    const end = rows.find(({ end }) => end !== "")?.end ?? "\n";
    if (above?.end === "" && texts.length > 0) rows[at - 1] = row(above.text, end, above.id);
    rows.splice(at, 0, ...texts.map((text) => row(text, end)));
  };
  for (let more = dice.between(1, 4); more > 0; more -= 1) {
    const at = dice.below(rows.length + 1);
    const from = rows.slice(at, at + dice.between(0, 2));
    const stays = dice.once(2) || from.some(({ text }) => come.has(text));
    const some = Array.from({ length: dice.between(stays ? 1 : 0, 2) }, text);
    if (!stays) {
      // A line equal to one that goes must not have come.
      if (from.some(({ text }) => some.includes(text))) continue;
      for (const { text } of from) gone.add(text);
      rows.splice(at, from.length);
    }
    put(at, some);
  }
  if (dice.once(12)) rows = rows.map(({ id, text, end }) => row(text, end === "" ? "" : "\r\n", id));
  return { rows, encoding };
}

/**
 * Some lines moved to another place, one of them unlike all others: where only equal ones change places, nobody could
 * tell. The last one stays where it is, since it may have no end.
 */
function moved(dice: Dice, { rows, encoding }: TextFile): TextFile {
  const rest = rows.slice(0, -1);
  const some = rest.splice(dice.below(rows.length), dice.between(1, 4));
  const telling = some.some(({ text }) => rows.filter((other) => other.text === text).length === 1);
  if (!telling) return { rows, encoding };
  rest.splice(dice.below(rest.length + 1), 0, ...some);
  return { rows: [...rest, ...rows.slice(-1)], encoding };
}
