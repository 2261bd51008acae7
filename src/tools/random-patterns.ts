/**
 * Patterns as an agent might send them, made from what stands in the files of a tree. The same seed makes the same ones
 * of the same files. For `verify-index.ts`.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { SearchRequest } from "../model/request.ts";

export type RandomPattern = Pick<SearchRequest, "literal" | "word" | "case"> & { readonly pattern: string };

/** From 0 to below 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

/** What patterns are made of. */
interface Matter {
  readonly word: string;
  readonly other: string;
  /** Two words with blanks between, as they stand in a line; null: none do. */
  readonly pair: readonly [string, string] | null;
  /** A piece of a line. */
  readonly piece: string;
}

type Make = (matter: Matter, random: Random) => RandomPattern;

const MAKES: readonly Make[] = [
  ({ word }) => ({ pattern: word, literal: true }),
  ({ piece }) => ({ pattern: piece, literal: true }),
  ({ word }) => ({ pattern: word, word: true }),
  ({ word }, random) => ({ pattern: otherCase(word, random), case: "insensitive" }),
  ({ piece }, random) => ({ pattern: otherCase(piece, random), literal: true, case: "insensitive" }),
  ({ word, other }) => ({ pattern: `${word}|${other}` }),
  ({ word, other }) => ({ pattern: `(?i)${word}|${absent(other)}` }),
  ({ word }, random) => ({ pattern: withClass(word, random, "\\w") }),
  ({ word }, random) => ({ pattern: withClass(word, random, `[a-m${word[0]}]`) }),
  ({ word, pair }) => ({ pattern: pair === null ? `${word}\\s+` : pair.join("\\s+") }),
  ({ word }) => ({ pattern: `${word}\\w+` }),
  ({ word }) => ({ pattern: `^\\s*${word}` }),
  ({ word }) => ({ pattern: absent(word), literal: true }),
];

/** Of one file; null: it has nothing to make one of, or cannot be read. */
export function randomPattern(path: string | Buffer, random: Random): RandomPattern | null {
  const matter = matterOf(textOf(path, random), random);
  const make = MAKES[Math.floor(random() * MAKES.length)];
  return matter === null || make === undefined ? null : make(matter, random);
}

/** Bytes that are looked at. */
const PIECE = 16_384;

function textOf(path: string | Buffer, random: Random): string {
  const place = random();
  let fd = -1;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const from = Math.floor(place * Math.max(0, fstatSync(fd).size - PIECE));
    const bytes = Buffer.alloc(PIECE);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, PIECE, from));
  } catch {
    return "";
  } finally {
    if (fd !== -1) closeSync(fd);
  }
}

function matterOf(text: string, random: Random): Matter | null {
  // The first and the last line may be parts of one, and a character at their ends too.
  // Nobody may search for a NUL.
  const lines = text
    .split("\n")
    .filter((line) => /\w{3}/.test(line) && !["\ufffd", "\0"].some((odd) => line.includes(odd)));
  const line = pick(lines, random);
  if (line === undefined) return null;
  const words = line.match(/[A-Za-z_]\w{2,30}/g) ?? [];
  const word = pick(words, random);
  if (word === undefined) return null;
  const other = pick(pick(lines, random)?.match(/\w{3,30}/g) ?? [], random) ?? word;
  const [, first = "", second = ""] = /(\w{2,20})\s+(\w{2,20})/.exec(line) ?? [];
  const bare = line.trim();
  const start = Math.floor(random() * Math.max(1, bare.length - 3));
  const piece = bare.slice(start, start + 3 + Math.floor(random() * 10));
  return { word, other, pair: first === "" ? null : [first, second], piece };
}

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}

function otherCase(text: string, random: Random): string {
  return Array.from(text, (one) => (random() < 0.5 ? one.toUpperCase() : one.toLowerCase())).join("");
}

/** One of its characters, but for the first, may be another. */
function withClass(word: string, random: Random, one: string): string {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return `${word.slice(0, at)}${one}${word.slice(at + 1)}`;
}

/** Hardly anywhere. */
function absent(word: string): string {
  return `${Array.from(word).toReversed().join("")}zqx${word.length}`;
}
