/**
 * What the parsed pattern says of its matches: whether they can hold newlines and how many, be empty, and which looks
 * they take around them. `matcher.ts` chooses by it how a text is searched; the choice must be ripgrep's.
 */
import type { Hir } from "rregex";

export interface Traits {
  /** The most newlines that a match can hold; infinite when there is no bound. */
  readonly newlines: number;
  /** A match may be empty. */
  readonly empty: boolean;
  /** `^` or `$`, of a line or of the text. */
  readonly lineEnds: boolean;
  /** Anything that depends on the character before: `^`, `\b`. */
  readonly looksBehind: boolean;
  readonly textStart: boolean;
  readonly textEnd: boolean;
  readonly crlf: boolean;
}

const NOTHING: Traits = {
  newlines: 0,
  empty: true,
  lineEnds: false,
  looksBehind: false,
  textStart: false,
  textEnd: false,
  crlf: false,
};
const NEWLINE = 0x0a;

export function traitsOf({ kind }: Hir): Traits {
  switch (kind["@variant"]) {
    case "Empty":
      return NOTHING;
    case "Literal": {
      const newlines = Array.from(kind["@values"][0]["@values"][0]).filter((byte) => byte === NEWLINE).length;
      return { ...NOTHING, newlines, empty: false };
    }
    case "Class": {
      const { ranges } = kind["@values"][0]["@values"][0];
      const holds = ranges.some(({ start, end }) => code(start) <= NEWLINE && NEWLINE <= code(end));
      return { ...NOTHING, newlines: holds ? 1 : 0, empty: false };
    }
    case "Look":
      return lookTraits(kind["@values"][0]["@variant"]);
    case "Repetition": {
      const { min, max, sub } = kind["@values"][0];
      const once = traitsOf(sub);
      const most = max ?? Number.POSITIVE_INFINITY;
      // Nothing, however often, is nothing: 0 times infinity is no number.
      const newlines = once.newlines === 0 || most === 0 ? 0 : once.newlines * most;
      return { ...once, newlines, empty: once.empty || min === 0 };
    }
    case "Capture":
      return traitsOf(kind["@values"][0].sub);
    case "Concat":
      return together(kind["@values"][0].map(traitsOf), {
        newlines: (a, b) => a + b,
        empty: (a, b) => a && b,
      });
    case "Alternation":
      return together(kind["@values"][0].map(traitsOf), {
        newlines: Math.max,
        empty: (a, b) => a || b,
      });
    default:
      throw new Error("a part of a pattern that is not known here");
  }
}

function lookTraits(look: string): Traits {
  return {
    ...NOTHING,
    lineEnds: /^(?:Start|End)(?:LF|CRLF)?$/.test(look),
    looksBehind: !/^(?:End(?:LF)?|WordEndHalf\w+)$/.test(look),
    textStart: look === "Start",
    textEnd: look === "End",
    crlf: look.endsWith("CRLF"),
  };
}

interface Joint {
  readonly newlines: (a: number, b: number) => number;
  readonly empty: (a: boolean, b: boolean) => boolean;
}

function together(parts: readonly Traits[], { newlines, empty }: Joint): Traits {
  return parts.reduce((a, b) => ({
    newlines: newlines(a.newlines, b.newlines),
    empty: empty(a.empty, b.empty),
    lineEnds: a.lineEnds || b.lineEnds,
    looksBehind: a.looksBehind || b.looksBehind,
    textStart: a.textStart || b.textStart,
    textEnd: a.textEnd || b.textEnd,
    crlf: a.crlf || b.crlf,
  }));
}

function code(end: string | number): number {
  return typeof end === "number" ? end : (end.codePointAt(0) ?? 0);
}
