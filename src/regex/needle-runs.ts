/**
 * What every match of a parsed pattern holds, as texts to look for in bytes: runs of letters that stand together,
 * where a letter may be one of a few (as it is in either case). For `needles.ts`, which looks for them. In doubt nothing
 * is told.
 */
import type { Class, Hir } from "rregex";

/** Every match holds one of the runs of each clause. */
export type Clause = readonly Run[];

/** Bytes as they are, or a regex on bytes as latin1 that cannot take long: it has no repetition without end. */
export interface Run {
  readonly source: string;
  /** What it matches, where that is one text. */
  readonly literal: Buffer | null;
  /** How rare it is, in bytes of plain text. */
  readonly worth: number;
}

/** The clauses of a pattern, in the order of its parts. */
export function clausesOf(hir: Hir): readonly Clause[] {
  const closed: Clause[] = [];
  let open: Way[] = [];
  const close = (next: readonly Way[]): void => {
    const clause = either(trimmed(open));
    if (worthOf(clause) > 0) closed.push(clause);
    open = [...next];
  };
  for (const part of partsOf(hir)) {
    const run = runOf(part);
    if (run !== null) {
      if (sequence([...open, run]) === null) close([]);
      open.push(run);
      continue;
    }
    const again = repeated(part);
    if (again !== null) {
      // What comes before stands before the first of them, what comes behind stands behind the last.
      if (sequence([...open, again]) !== null) open.push(again);
      close([again]);
      continue;
    }
    close([]);
    closed.push(...inner(part));
  }
  close([]);
  return closed;
}

/** What every line that matches begins with; null where nothing of it is sure. */
export function lineStart(hir: Hir): Buffer | null {
  const [first, second] = partsOf(hir);
  if (first?.kind["@variant"] !== "Look" || first.kind["@values"][0]["@variant"] !== "StartLF") return null;
  return second?.kind["@variant"] === "Literal" ? (runOf(second)?.literal ?? null) : null;
}

/** More than these in a clause are no quick look any more. */
const MOST_RUNS = 8;
/** What a letter of a class is worth: of one that has more bytes, next to nothing. */
const SMALL_CLASS = 4;
const WEAK = 0.05;
/** Beyond these a regex may try too many ways. */
const MOST_TIMES = 64;
const MOST_WAYS = 64;

function partsOf(hir: Hir): readonly Hir[] {
  const { kind } = hir;
  if (kind["@variant"] === "Capture") return partsOf(kind["@values"][0].sub);
  return kind["@variant"] === "Concat" ? kind["@values"][0].flatMap(partsOf) : [hir];
}

/** Of a part that is no run. */
function inner({ kind }: Hir): readonly Clause[] {
  if (kind["@variant"] === "Repetition") {
    const { min, sub } = kind["@values"][0];
    return min > 0 ? clausesOf(sub) : [];
  }
  if (kind["@variant"] !== "Alternation") return [];
  const best = kind["@values"][0].map((part) => rarest(clausesOf(part)));
  const runs = best.flatMap((clause) => clause ?? []);
  return best.includes(null) || runs.length > MOST_RUNS ? [] : [runs];
}

export function rarest(clauses: readonly Clause[]): Clause | null {
  return clauses.reduce<Clause | null>(
    (best, one) => (best === null || worthOf(one) > worthOf(best) ? one : best),
    null,
  );
}

export function worthOf(clause: Clause): number {
  return Math.min(...clause.map(({ worth }) => worth));
}

/** What is there at least once, any number of times. */
function repeated({ kind }: Hir): Way | null {
  if (kind["@variant"] !== "Repetition") return null;
  const { min, sub } = kind["@values"][0];
  return min > 0 ? runOf(sub) : null;
}

interface Way extends Run {
  /** How many ways there are to match it. */
  readonly ways: number;
  /** One of these, by themselves. */
  readonly either?: readonly Run[];
}

function either(runs: readonly Way[]): Clause {
  const [only] = runs;
  const single = runs.length === 1 ? only?.either : undefined;
  return single === undefined || single.length > MOST_RUNS ? [joined(runs)] : single;
}

/** null: it is no run. */
function runOf({ kind }: Hir): Way | null {
  switch (kind["@variant"]) {
    case "Literal":
      return ofBytes(Buffer.from(Array.from(kind["@values"][0]["@values"][0])));
    case "Class":
      return ofClass(kind["@values"][0]);
    case "Capture":
      return runOf(kind["@values"][0].sub);
    case "Repetition": {
      const { min, max, sub } = kind["@values"][0];
      const once = min === max && min <= MOST_TIMES ? runOf(sub) : null;
      if (once === null || once.ways > 1) return null;
      return { source: `(?:${once.source}){${min}}`, literal: null, worth: once.worth * min, ways: 1 };
    }
    case "Concat": {
      const parts = kind["@values"][0].map(runOf);
      return parts.includes(null) ? null : sequence(parts.filter((part) => part !== null));
    }
    case "Alternation": {
      const parts = kind["@values"][0].map(runOf);
      const runs = parts.filter((part) => part !== null);
      const ways = runs.reduce((sum, run) => sum + run.ways, 0);
      if (runs.length < parts.length || ways > MOST_WAYS) return null;
      const source = `(?:${runs.map((run) => run.source).join("|")})`;
      return { source, literal: null, worth: worthOf(runs), ways, either: runs };
    }
    case "Empty":
    case "Look":
      return NOTHING;
    default:
      return null;
  }
}

const NOTHING: Way = { source: "", literal: Buffer.alloc(0), worth: 0, ways: 1 };

function sequence(runs: readonly Way[]): Way | null {
  const ways = runs.reduce((product, run) => product * run.ways, 1);
  return ways > MOST_WAYS ? null : { ...joined(runs), ways };
}

function joined(runs: readonly Run[]): Run {
  const literals = runs.map(({ literal }) => literal).filter((literal) => literal !== null);
  return {
    source: runs.map(({ source }) => source).join(""),
    literal: literals.length === runs.length ? Buffer.concat(literals) : null,
    worth: runs.reduce((sum, { worth }) => sum + worth, 0),
  };
}

/** Without what at its ends is nearly any letter. */
function trimmed(runs: readonly Way[]): readonly Way[] {
  const isWorth = ({ worth }: Run): boolean => worth > WEAK;
  const first = runs.findIndex(isWorth);
  return first === -1 ? [] : runs.slice(first, runs.findLastIndex(isWorth) + 1);
}

function ofBytes(literal: Buffer): Way {
  return { source: escaped(literal.toString("latin1")), literal, worth: literal.length, ways: 1 };
}

function ofClass({ "@values": [{ ranges }] }: Class): Way | null {
  const codes: number[] = [];
  for (const range of ranges) {
    const [first, last] = [codeOf(range.start), codeOf(range.end)];
    if (last - first > ASCII || codes.length > ASCII) return null;
    for (let code = first; code <= last; code += 1) codes.push(code);
  }
  const narrow = codes.filter((code) => code < ASCII);
  const wide = codes.filter((code) => code >= ASCII);
  // A number is a byte, which beyond ASCII is no letter.
  const isBytes = ranges.some(({ start }) => typeof start === "number");
  if (wide.length > SMALL_CLASS || (isBytes && wide.length > 0)) return null;
  const letters = wide.map((code) => escaped(Buffer.from(String.fromCodePoint(code)).toString("latin1")));
  if (narrow.length > 0) letters.unshift(`[${narrow.map((code) => hex(code)).join("")}]`);
  const worth = codes.length <= SMALL_CLASS ? 1 - Math.log2(Math.max(1, codes.length)) / 8 : WEAK;
  return { source: `(?:${letters.join("|")})`, literal: null, worth, ways: 1 };
}

const ASCII = 0x80;

function codeOf(end: string | number): number {
  return typeof end === "number" ? end : (end.codePointAt(0) ?? 0);
}

function escaped(latin1: string): string {
  return Array.from(latin1, (letter) => hex(letter.charCodeAt(0))).join("");
}

function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, "0")}`;
}
