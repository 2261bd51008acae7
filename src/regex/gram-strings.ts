/** Sets of byte strings, one character a byte, for `grams.ts`: joined, cut to their ends, and what they tell in grams. */
import { GRAM_STRINGS, GRAM_TEXT } from "../model/limits.ts";
import { ALL, allOf, anyOf, type GramQuery } from "./gram-query.ts";

export type Strings = ReadonlySet<string>;

/** What matches without taking a byte, and what nothing is known of. */
export const EMPTY: Strings = new Set([""]);

/** A gram that goes on beyond a set needs this much of it. */
export const EDGE = 2;
const GRAM = 3;
const NEWLINE = 0x0a;

/** The first two bytes of a character beyond ASCII are stored behind a newline, which no other gram holds. */
const PAIR = NEWLINE << 16;
const PAIR_LENGTH = 2;

export function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

export function cross(heads: Strings, tails: Strings): Strings {
  const joined = new Set<string>();
  for (const head of heads) for (const tail of tails) joined.add(head + tail);
  return joined;
}

export function union(sets: readonly Strings[]): Strings {
  return new Set(sets.flatMap((set) => Array.from(set)));
}

export function shortest(strings: Strings): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { length } of strings) least = Math.min(least, length);
  return least;
}

/** The first bytes of each, as many as leave no more than `most` strings; no more than `edge`. */
export function starts(strings: Strings, most: number = GRAM_STRINGS, edge: number = EDGE): Strings {
  return cut(strings, most, edge, (string, length) => string.slice(0, length));
}

export function ends(strings: Strings, most: number = GRAM_STRINGS, edge: number = EDGE): Strings {
  return cut(strings, most, edge, (string, length) => string.slice(Math.max(0, string.length - length)));
}

function cut(
  strings: Strings,
  most: number,
  edge: number,
  part: (string: string, length: number) => string,
): Strings {
  for (let length = edge; length > 0; length -= 1) {
    const parts = new Set(Array.from(strings, (string) => part(string, length)));
    if (parts.size <= most) return parts;
  }
  return EMPTY;
}

/** What a text tells that holds one of the strings. */
export function tell(strings: Strings): GramQuery {
  for (const string of strings) if (!tellsAnything(string)) return ALL;
  if (isProduct(strings)) return byPlace(strings);
  if (strings.size <= MANY) return anyOf(Array.from(strings, (string) => allOf(gramsIn(string))));
  return anyOf(byPairs(Array.from(strings, (string) => allOf(fewGramsIn(string)))));
}

function tellsAnything(string: string): boolean {
  if (string.length !== PAIR_LENGTH) return string.length >= GRAM;
  return pairOf(string.charCodeAt(0), string.charCodeAt(1)) !== ALL;
}

/** Strings of which the rare ones are told by one gram. */
const MANY = 8;
const NOT_ASCII = /[\x80-\xff]/g;

/**
 * Of a string with both ASCII and other bytes, the gram with most of the others. `(?i)sk` is nine strings, and in five
 * of them there is `ſ` or the Kelvin sign, which hardly any text holds.
 */
function fewGramsIn(string: string): GramQuery[] {
  const others = string.match(NOT_ASCII)?.length ?? 0;
  if (others === 0 || others === string.length || string.includes("\n")) return gramsIn(string);
  const places = Array.from({ length: string.length - GRAM + 1 }, (_, at) => string.slice(at, at + GRAM));
  const rarity = (gram: string): number => gram.match(NOT_ASCII)?.length ?? 0;
  return gramsIn(places.reduce((best, gram) => (rarity(gram) > rarity(best) ? gram : best)));
}

/** More different grams than these with the same first two bytes are told by those: `\s` has eleven of one kind. */
const OF_ONE_PAIR = 4;

function byPairs(parts: readonly GramQuery[]): GramQuery[] {
  const sharing = new Map<number, Set<number>>();
  for (const part of parts) {
    const pair = pairBefore(part);
    if (pair.kind !== "gram" || part.kind !== "gram") continue;
    sharing.set(pair.gram, (sharing.get(pair.gram) ?? new Set()).add(part.gram));
  }
  return parts.map((part) => {
    const pair = pairBefore(part);
    return pair.kind === "gram" && (sharing.get(pair.gram)?.size ?? 0) > OF_ONE_PAIR ? pair : part;
  });
}

function pairBefore(part: GramQuery): GramQuery {
  return part.kind === "gram" ? pairOf(part.gram >> 16, (part.gram >> 8) & 0xff) : ALL;
}

function pairOf(lead: number, behind: number): GramQuery {
  const isPair = lead >= 0xc2 && lead <= 0xf4 && (behind & 0xc0) === 0x80;
  return isPair ? { kind: "gram", gram: PAIR | (lead << 8) | behind } : ALL;
}

/** Each byte is free of the others, as in `[ab]x[cd]`: then the places say it in fewer grams than the strings. */
function isProduct(strings: Strings): boolean {
  const [first = ""] = strings;
  const places = Array.from(first, () => new Set<string>());
  for (const string of strings) {
    if (string.length !== first.length) return false;
    places.forEach((place, at) => place.add(string.charAt(at)));
  }
  return places.reduce((product, { size }) => product * size, 1) === strings.size;
}

function byPlace(strings: Strings): GramQuery {
  const found = Array.from(strings, gramsIn);
  return allOf((found[0] ?? []).map((_, place) => anyOf(found.map((grams) => grams[place] ?? ALL))));
}

/** In their order, those of a long string from its beginning. No other gram that holds a newline is stored. */
function gramsIn(string: string): GramQuery[] {
  if (string.length === PAIR_LENGTH) return [pairOf(string.charCodeAt(0), string.charCodeAt(1))];
  const grams: GramQuery[] = [];
  const end = Math.min(string.length, GRAM_TEXT + GRAM - 1);
  for (let at = 0; at + GRAM <= end; at += 1) {
    const bytes = [string.charCodeAt(at), string.charCodeAt(at + 1), string.charCodeAt(at + 2)] as const;
    const gram = (bytes[0] << 16) | (bytes[1] << 8) | bytes[2];
    grams.push(bytes.includes(NEWLINE) ? ALL : { kind: "gram", gram });
  }
  return grams;
}
