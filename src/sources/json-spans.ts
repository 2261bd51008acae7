/**
 * Where the values of a JSON text begin and end, so that one can be replaced and all others stay as they are
 * written. Called by the notebook view. Accepts what `JSON.parse` accepts and nothing else, up to a depth; what
 * is wrong is a `SyntaxError` with its place. Nothing recurses: hostile nesting ends in that error, not in a crash.
 */
import { JSON_DEPTH } from "../model/limits.ts";

export interface ValueSpan {
  readonly start: number;
  readonly end: number;
}

/** A value of an object; of two with the same key, the last counts. */
export interface MemberSpan extends ValueSpan {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SHORT_ESCAPES = '"\\/bfnrt';
const WORDS = ["true", "false", "null"];

/** The first place from here on that is no blank. */
export function skipBlanks(text: string, at: number): number {
  let next = at;
  for (; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return next;
}

/** The end of the value that begins here. */
export function valueEnd(text: string, start: number): number {
  const closers: string[] = [];
  let at = start;
  for (;;) {
    at = skipBlanks(text, at);
    const closer = text[at] === "{" ? "}" : text[at] === "[" ? "]" : null;
    if (closer === null) at = scalarEnd(text, at);
    else {
      const first = skipBlanks(text, at + 1);
      if (text[first] !== closer) {
        if (closers.push(closer) > JSON_DEPTH) throw fault(text, at, `more than ${JSON_DEPTH} levels`);
        at = closer === "}" ? valueOfKey(text, first) : first;
        continue;
      }
      at = first + 1;
    }
    at = closeAll(text, at, closers);
    const open = closers.at(-1);
    if (open === undefined) return at;
    at = open === "}" ? valueOfKey(text, skipBlanks(text, at)) : at;
  }
}

/** Behind a value: all that ends with it, up to the next value's place or the end of the outermost. */
function closeAll(text: string, start: number, closers: string[]): number {
  let at = start;
  for (;;) {
    const closer = closers.at(-1);
    if (closer === undefined) return at;
    at = skipBlanks(text, at);
    if (text[at] === ",") return at + 1;
    if (text[at] !== closer) throw fault(text, at, `no comma and no ${closer}`);
    closers.pop();
    at++;
  }
}

/** The place behind a key and its colon. */
function valueOfKey(text: string, keyStart: number): number {
  const colon = skipBlanks(text, stringEnd(text, keyStart));
  if (text[colon] !== ":") throw fault(text, colon, "no colon behind a key");
  return colon + 1;
}

function scalarEnd(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return stringEnd(text, at);
  for (const word of WORDS) if (text.startsWith(word, at)) return at + word.length;
  NUMBER.lastIndex = at;
  if (!NUMBER.test(text)) throw fault(text, at, "no value");
  return NUMBER.lastIndex;
}

function stringEnd(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw fault(text, start, "no string");
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) throw fault(text, at, "a control character in a string");
    if (code !== BACKSLASH) continue;
    at++;
    if (SHORT_ESCAPES.includes(text.charAt(at) || "-")) continue;
    if (text[at] !== "u" || !/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5)))
      throw fault(text, at, "an escape that is none");
    at += 4;
  }
  throw fault(text, start, "a string without an end");
}

function fault(text: string, at: number, what: string): SyntaxError {
  const line = text.slice(0, at).split("\n").length;
  return new SyntaxError(`${at >= text.length ? "it ends too early" : what}, line ${line}`);
}

/** The members of an object whose text was seen to be valid; empty for any other value. */
export function membersOf(text: string, start: number): MemberSpan[] {
  const members: MemberSpan[] = [];
  if (text[start] !== "{") return members;
  for (let at = skipBlanks(text, start + 1); text[at] !== "}"; at = nextItem(text, at)) {
    const keyEnd = stringEnd(text, at);
    const value = skipBlanks(text, valueOfKey(text, at));
    const end = valueEnd(text, value);
    members.push({
      key: stringValue(text, { start: at, end: keyEnd }),
      keyStart: at,
      keyEnd,
      start: value,
      end,
    });
    at = end;
  }
  return members;
}

/** Most strings have no escape, and parsing a short one costs ten times its copy. */
export function stringValue(text: string, { start, end }: ValueSpan): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : inner;
}

/** The elements of an array whose text was seen to be valid; empty for any other value. */
export function elementsOf(text: string, start: number): ValueSpan[] {
  const elements: ValueSpan[] = [];
  if (text[start] !== "[") return elements;
  for (let at = skipBlanks(text, start + 1); text[at] !== "]"; at = nextItem(text, at)) {
    const end = valueEnd(text, at);
    elements.push({ start: at, end });
    at = end;
  }
  return elements;
}

/** From the end of one item to the beginning of the next, or to what closes them. */
function nextItem(text: string, end: number): number {
  const at = skipBlanks(text, end);
  return text[at] === "," ? skipBlanks(text, at + 1) : at;
}
