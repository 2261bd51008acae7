/**
 * What every text that matches holds: a look that costs next to nothing, before the search. From the parsed pattern, so
 * that nothing is guessed. Called where many texts are searched one after the other.
 */
import { isUtf8 } from "node:buffer";
import { GRAM_LETTERS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { gramSource } from "./gram-source.ts";
import { type Clause, clausesOf, lineStart, worthOf } from "./needle-runs.ts";
import { parsed } from "./parsed.ts";
import { plainTexts } from "./plain-texts.ts";

/** Of each, every match holds one. */
export interface Needle {
  /** Where one begins, from an offset on, or -1; asked for rising offsets. */
  readonly seek: (text: Haystack) => Seek;
  /** The bytes of which one is there, where they are few and no letter of them is left open. */
  readonly literals: readonly Buffer[] | null;
}

export type Seek = (from: number) => number;

export interface Needles {
  /** The rarest first; none: nothing can be told. */
  readonly all: readonly Needle[];
  /** The pattern is nothing else: a text that holds the first of them matches. */
  readonly enough: boolean;
  /** What a line that matches begins with, where that is known. */
  readonly start: Buffer | null;
}

/** Bytes, and the same as a text of one letter a byte, made once it is asked for. */
export class Haystack {
  readonly bytes: Buffer;
  #latin1: string | null = null;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  get latin1(): string {
    this.#latin1 ??= this.bytes.toString("latin1");
    return this.#latin1;
  }
}

/** At most one compilation, of a pattern that is quicker to build. */
export function needlesOf(pattern: Pattern): Needles {
  const source = gramSource(pattern);
  if (source === null) return UNKNOWN;
  if (source.kind === "texts") {
    // What is everywhere is also in a file that has no line, but for a byte order mark.
    if (source.texts.includes("")) return UNKNOWN;
    const whole = plainTexts(pattern);
    const enough = whole?.every((text, at) => text === source.texts[at]) ?? false;
    return { all: [ofLiterals(source.texts.map((text) => Buffer.from(text)))], enough, start: null };
  }
  try {
    const hir = parsed(source.text);
    const all = sought(clausesOf(hir));
    // What is matched within lines can hold no newline.
    const inLine = all[0]?.literals?.every((literal) => !literal.includes(NEWLINE)) ?? false;
    // Of a long text that is matched as it is, only the beginning was parsed.
    const whole = pattern.text.length <= GRAM_LETTERS;
    const enough = inLine && whole && !pattern.word && hir.kind["@variant"] === "Literal";
    return { all, enough, start: lineStart(hir) };
  } catch {
    // Too large, or on bytes: ripgrep knows.
    return UNKNOWN;
  }
}

/** The rarest as texts, for a search of lines; null where they are too short to be rare, or no text. */
export function lineNeedles({ all }: Needles): readonly string[] | null {
  const literals = all[0]?.literals ?? null;
  if (literals === null || literals.length > FEW) return null;
  const fit = literals.every(
    (needle) => needle.length >= LONG && isUtf8(needle) && !needle.includes(NEWLINE),
  );
  return fit ? literals.map(String) : null;
}

export function holdsAll(text: Haystack, { all }: Needles): boolean {
  return all.every(({ seek }) => seek(text)(0) !== -1);
}

/** Each is looked for by itself. */
const FEW = 4;
const LONG = 3;
/** Of what is shorter there is so much that looking for it is no help. */
const LEAST = 1.5;
/** What more than these would rule out costs more to look for. */
const MOST = 4;
const UNKNOWN: Needles = { all: [], enough: false, start: null };
const NEWLINE = 0x0a;

function sought(clauses: readonly Clause[]): readonly Needle[] {
  const [first, ...rest] = clauses.toSorted((one, other) => worthOf(other) - worthOf(one));
  // Even one letter is a quick look, where it is that letter.
  if (first === undefined || (worthOf(first) < LEAST && literalsOf(first) === null)) return [];
  return [first, ...rest.filter((clause) => worthOf(clause) >= LEAST)].slice(0, MOST).map(needleOf);
}

function needleOf(clause: Clause): Needle {
  const literals = literalsOf(clause);
  return literals === null ? ofRegex(clause) : ofLiterals(literals);
}

function literalsOf(clause: Clause): readonly Buffer[] | null {
  const literals = clause.map(({ literal }) => literal).filter((literal) => literal !== null);
  return literals.length === clause.length ? literals : null;
}

function ofLiterals(literals: readonly Buffer[]): Needle {
  return {
    literals,
    seek: ({ bytes }) => {
      const seeks = literals.map((literal) => rising((from) => bytes.indexOf(literal, from)));
      const [only] = seeks;
      return only !== undefined && seeks.length === 1 ? only : (from) => earliest(seeks, from);
    },
  };
}

function earliest(seeks: readonly Seek[], from: number): number {
  let first = -1;
  for (const seek of seeks) {
    const at = seek(from);
    if (at !== -1 && (first === -1 || at < first)) first = at;
  }
  return first;
}

function ofRegex(clause: Clause): Needle {
  const regex = new RegExp(clause.map(({ source }) => source).join("|"), "g");
  return {
    literals: null,
    seek: ({ latin1 }) =>
      rising((from) => {
        regex.lastIndex = from;
        return regex.exec(latin1)?.index ?? -1;
      }),
  };
}

/** What was found further on, or nowhere, is not looked for again. */
function rising(seek: Seek): Seek {
  let at = -2;
  return (from) => {
    if (at === -2 || (at !== -1 && at < from)) at = seek(from);
    return at;
  };
}
