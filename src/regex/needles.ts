/**
 * Bytes of which every text that matches holds at least one: a look that costs next to nothing, before the search.
 * From the parsed pattern, so that nothing is guessed. Called where many texts are searched one after the other.
 */
import type { Hir } from "rregex";
import type { Pattern } from "../model/query.ts";
import { build } from "./instance.ts";
import { regexOf } from "./ripgrep-regex.ts";

/** More than these are no quick look any more. */
const MOST = 8;

export interface Needles {
  /** null: nothing can be told from bytes. */
  readonly bytes: readonly Buffer[] | null;
  /** The pattern is nothing else: a text that holds one of them matches. */
  readonly enough: boolean;
}

export function needlesOf(pattern: Pattern): Needles {
  if (pattern.syntax === "pcre2") return UNKNOWN;
  try {
    const hir = build(regexOf(pattern, "text")).syntax();
    const bytes = needles(hir);
    // What is matched within lines can hold no newline.
    const inLine = bytes !== null && bytes.every((needle) => !needle.includes(NEWLINE));
    return { bytes, enough: inLine && hir.kind["@variant"] === "Literal" };
  } catch {
    // Too large, or on bytes: ripgrep knows.
    return UNKNOWN;
  }
}

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
