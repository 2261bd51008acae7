/**
 * Bytes of which every text that matches holds at least one: a look that costs next to nothing, before the search.
 * From the parsed pattern, so that nothing is guessed. Called where many texts are searched one after the other.
 */
import { isUtf8 } from "node:buffer";
import type { Hir } from "rregex";
import { GRAM_LETTERS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { gramSource } from "./gram-source.ts";
import { build } from "./instance.ts";

/** More than these are no quick look any more. */
const MOST = 8;

export interface Needles {
  /** null: nothing can be told from bytes. */
  readonly bytes: readonly Buffer[] | null;
  /** The pattern is nothing else: a text that holds one of them matches. */
  readonly enough: boolean;
}

/** At most one compilation, of a pattern that is quicker to build. */
export function needlesOf(pattern: Pattern): Needles {
  const source = gramSource(pattern);
  if (source === null) return UNKNOWN;
  if (source.kind === "text") {
    const enough = source.text === pattern.text && !pattern.word && !source.text.includes("\n");
    return { bytes: [Buffer.from(source.text)], enough };
  }
  try {
    const regex = build(source.text);
    const hir = regex.syntax();
    regex.free();
    const bytes = needles(hir);
    // What is matched within lines can hold no newline.
    const inLine = bytes !== null && bytes.every((needle) => !needle.includes(NEWLINE));
    // Of a long text that is matched as it is, only the beginning was parsed.
    const whole = pattern.text.length <= GRAM_LETTERS;
    const enough = inLine && whole && !pattern.word && hir.kind["@variant"] === "Literal";
    return { bytes, enough };
  } catch {
    // Too large, or on bytes: ripgrep knows.
    return UNKNOWN;
  }
}

/** The same as texts, for a search of lines; null where they are too short to be rare, or no text. */
export function lineNeedles(pattern: Pattern): readonly string[] | null {
  const { bytes } = needlesOf(pattern);
  if (bytes === null || bytes.length > FEW) return null;
  const fit = bytes.every((needle) => needle.length >= LONG && isUtf8(needle) && !needle.includes(NEWLINE));
  return fit ? bytes.map(String) : null;
}

/** Each is looked for by itself. */
const FEW = 4;
const LONG = 3;
const UNKNOWN: Needles = { bytes: null, enough: false };
const NEWLINE = 0x0a;

function needles({ kind }: Hir): readonly Buffer[] | null {
  switch (kind["@variant"]) {
    case "Literal":
      return [Buffer.from(Array.from(kind["@values"][0]["@values"][0]))];
    case "Capture":
      return needles(kind["@values"][0].sub);
    case "Repetition": {
      const { min, sub } = kind["@values"][0];
      return min > 0 ? needles(sub) : null;
    }
    case "Concat": {
      const parts = kind["@values"][0].map(needles).filter((part) => part !== null);
      return parts.reduce<readonly Buffer[] | null>(
        (best, part) => (best === null || shortest(part) > shortest(best) ? part : best),
        null,
      );
    }
    case "Alternation": {
      const parts = kind["@values"][0].map(needles);
      const all = parts.flatMap((part) => part ?? []);
      return parts.includes(null) || all.length > MOST ? null : all;
    }
    default:
      return null;
  }
}

function shortest(needles: readonly Buffer[]): number {
  return Math.min(...needles.map(({ length }) => length));
}

export function holdsOne(bytes: Buffer, needles: Needles): boolean {
  return needles.bytes === null || needles.bytes.some((needle) => bytes.includes(needle));
}
