/**
 * What is looked for in a text, by a regex or as texts that stand for themselves. `matcher.ts` makes one for a pattern;
 * the searches by line and across lines ask it. Offsets are in UTF-16 units.
 */
import type { RRegex } from "rregex";
import { isMatchIn } from "./instance.ts";
import { isAscii, unitOffsets } from "./lines.ts";

export interface Finder {
  readonly isMatch: (text: string) => boolean;
  /** The same of bytes that are UTF-8; one with a wider finder may say so of others. */
  readonly isMatchIn: (bytes: Buffer) => boolean;
  /** Where the first match begins, or -1; one with a wider finder may point to a line before it. */
  readonly first: (text: string) => number;
  readonly all: (text: string) => Submatch[];
}

export type Submatch = [start: number, end: number];

/** ripgrep has further matches, empty and in the middle of a character, which have no offset in UTF-16. */
export function regexFinder(regex: RRegex): Finder {
  return {
    isMatch: (text) => regex.isMatch(text),
    isMatchIn: (bytes) => isMatchIn(regex, bytes),
    first: (text) => {
      const found = regex.find(text);
      return found === undefined ? -1 : unitOffsets(text)(found.start);
    },
    all: (text) => {
      const offset = unitOffsets(text);
      return regex.findAll(text).map(({ start, end }) => [offset(start), offset(end)]);
    },
  };
}

/**
 * `wide` finds the same in ASCII, and more beyond; `exact` is made once, where that has found something there, and asked
 * from then on: of a text in which `wide` finds much, all of it would be found in vain. Where it cannot be made, what it
 * throws is thrown.
 */
export function widerFinder(wide: Finder, exact: () => Finder): Finder {
  let made: Finder | null = null;
  let failure: unknown = null;
  const make = (): Finder => {
    if (failure !== null) throw failure;
    try {
      return exact();
    } catch (cause) {
      failure = cause;
      throw cause;
    }
  };
  return {
    isMatch: (text) => {
      if (made !== null) return made.isMatch(text);
      return wide.isMatch(text) && (isAscii(text) || (made = make()).isMatch(text));
    },
    isMatchIn: (bytes) => (made ?? wide).isMatchIn(bytes),
    first: (text) => (made ?? wide).first(text),
    all: (text) => {
      if (made !== null) return made.all(text);
      if (isAscii(text)) return wide.all(text);
      return wide.isMatch(text) ? (made = make()).all(text) : [];
    },
  };
}

/** Of several texts the first that fits where one does, as in a regex with bars between them. */
export function textFinder(texts: readonly string[]): Finder {
  const needles = texts.map((text) => Buffer.from(text));
  const next = texts.length === 1 ? nextOfOne(texts[0] ?? "") : nextOfSome(texts);
  return {
    isMatch: (text) => texts.some((one) => text.includes(one)),
    isMatchIn: (bytes) => needles.some((needle) => bytes.includes(needle)),
    first: (text) => next(text, 0)?.[0] ?? -1,
    all: (text) => {
      const found: Submatch[] = [];
      for (let one = next(text, 0); one !== null; one = next(text, one[1])) found.push(one);
      return found;
    },
  };
}

type Next = (text: string, from: number) => Submatch | null;

function nextOfOne(sought: string): Next {
  return (text, from) => {
    const at = text.indexOf(sought, from);
    return at === -1 ? null : [at, at + sought.length];
  };
}

/** Nothing in it repeats, so that it takes no longer than the texts are long. */
function nextOfSome(texts: readonly string[]): Next {
  const any = new RegExp(texts.map((text) => text.replace(SYNTAX, "\\$&")).join("|"), "g");
  return (text, from) => {
    any.lastIndex = from;
    const found = any.exec(text);
    return found === null ? null : [found.index, any.lastIndex];
  };
}

const SYNTAX = /[\\.+*?()|[\]{}^$/-]/g;
