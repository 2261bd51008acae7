/**
 * What is known of a class of characters, for `grams.ts`: all of it where the characters are few or ASCII, else the
 * bytes that they start with and those that they end in. Of `.` and its like nothing is told. No class is gone through character by character.
 */
import type { Class } from "rregex";
import { GRAM_ASCII, GRAM_CLASS, GRAM_STRINGS } from "../model/limits.ts";
import { type Known, UNKNOWN } from "./gram-concat.ts";
import { bytesOf, type Strings } from "./gram-strings.ts";

interface Span {
  readonly first: number;
  readonly last: number;
}

const NEWLINE = 0x0a;
const ASCII_END = 0x7f;
/** The bits of a character that its last byte holds, and each but its first. */
const BITS = 6;
const REST = 0x3f;
const BEHIND = 0x80;

/** A search by line finds no newline, whatever the class holds. */
export function knownOfClass(given: Class, multiline: boolean): Known {
  const spans = spansOf(given);
  const ascii = within(spans, 0, ASCII_END).flatMap(codes);
  if (ascii.length > GRAM_ASCII) return UNKNOWN;
  const letters = ascii
    .filter((code) => multiline || code !== NEWLINE)
    .map((code) => String.fromCharCode(code));
  const beyond = within(spans, ASCII_END + 1, Number.POSITIVE_INFINITY);
  const size = beyond.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (size === 0 || letters.length + size <= GRAM_CLASS) {
    const others = beyond.flatMap(codes).map((code) => bytesOf(String.fromCodePoint(code)));
    return { kind: "exact", strings: new Set([...letters, ...others]) };
  }
  const start = new Set([...letters, ...firstBytes(beyond, GRAM_STRINGS - letters.length)]);
  return { kind: "edges", start, end: new Set([...letters, ...lastBytes(beyond)]), told: [] };
}

function spansOf(given: Class): Span[] {
  const { ranges } = given["@values"][0];
  const spans = ranges.map(({ start, end }) => ({ first: codeOf(start), last: codeOf(end) }));
  const noText = given["@variant"] === "Bytes" && spans.some(({ last }) => last > ASCII_END);
  if (noText) throw new Error("bytes that are no text");
  return spans;
}

function codeOf(end: string | number): number {
  return typeof end === "number" ? end : (end.codePointAt(0) ?? 0);
}

function within(spans: readonly Span[], least: number, most: number): Span[] {
  return spans
    .map(({ first, last }) => ({ first: Math.max(first, least), last: Math.min(last, most) }))
    .filter(({ first, last }) => first <= last);
}

function codes({ first, last }: Span): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** The first two bytes of each where these are no more than `most`, else the first. */
function firstBytes(spans: readonly Span[], most: number): Strings {
  const pairs = spans.map(({ first, last }) => ({ first: pairOf(first), last: pairOf(last) }));
  const count = pairs.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  if (count <= most) {
    return new Set(
      pairs.flatMap(codes).map((pair) => String.fromCharCode(pair >> BITS, BEHIND | (pair & REST))),
    );
  }
  const leads = pairs.flatMap(({ first, last }) => codes({ first: first >> BITS, last: last >> BITS }));
  return new Set(leads.map((lead) => String.fromCharCode(lead)));
}

/**
 * The first two bytes as a number that rises with the character, the second in six bits. Between those of two
 * characters lie those of the characters between them, and some that no text holds.
 */
function pairOf(code: number): number {
  if (code < 0x8_00) return (0xc0 << BITS) + code;
  return code < 0x1_00_00 ? (0xe0 << BITS) + (code >> BITS) : (0xf0 << BITS) + (code >> (2 * BITS));
}

function lastBytes(spans: readonly Span[]): Strings {
  const ends = spans.flatMap(({ first, last }) => codes({ first, last: Math.min(last, first + REST) }));
  return new Set(ends.map((code) => String.fromCharCode(BEHIND | (code & REST))));
}
