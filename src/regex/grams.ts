/**
 * From a pattern to the trigrams that every matching text holds, for `index/` to choose its candidates by. Of every part
 * of the parsed pattern is known which strings it matches, if they are few, else with which they start and end, and
 * what its matches must hold; parts joined, the end of one and the start of the next tell the grams between them. The
 * idea is Russ Cox's. In doubt nothing is told: a candidate too many costs time, one too few hides a match.
 */
import type { Hir } from "rregex";
import { GRAM_QUERY, GRAM_STRINGS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { knownOfClass } from "./gram-class.ts";
import { concatenation, endOf, type Known, startOf, summary, UNKNOWN } from "./gram-concat.ts";
import { ALL, anyOf, atMost, type GramQuery } from "./gram-query.ts";
import { gramSource } from "./gram-source.ts";
import { runOf } from "./gram-run.ts";
import { bytesOf, EMPTY, ends, starts, tell, union } from "./gram-strings.ts";
import { parsed } from "./parsed.ts";
import { traitsOf } from "./traits.ts";

export interface Grams {
  readonly query: GramQuery;
  /**
   * A match may hold newlines: its grams may lie in different lines, so that the query holds for a whole file, not for
   * a block of its lines.
   */
  readonly acrossLines: boolean;
}

/** One compilation at most, and none for plain texts whose case counts. */
export function gramsOf(pattern: Pattern): Grams {
  const { multiline } = pattern;
  const source = gramSource(pattern);
  if (source === null) return { query: ALL, acrossLines: multiline };
  if (source.kind === "texts") {
    const known = alternation(source.texts.map((text) => exactly(bytesOf(text))));
    return { query: bounded(summary(known)), acrossLines: source.texts.some((text) => text.includes("\n")) };
  }
  try {
    const hir = parsed(source.text);
    const newlines = traitsOf(hir).newlines > 0;
    return { query: bounded(summary(knownOf(hir, multiline))), acrossLines: multiline && newlines };
  } catch {
    // Too large, on bytes, or not for a search by line: ripgrep knows.
    return { query: ALL, acrossLines: multiline };
  }
}

function bounded(query: GramQuery): GramQuery {
  return atMost(query, GRAM_QUERY);
}

function knownOf({ kind }: Hir, multiline: boolean): Known {
  switch (kind["@variant"]) {
    case "Literal": {
      const string = Buffer.from(Array.from(kind["@values"][0]["@values"][0])).toString("latin1");
      if (!multiline && string.includes("\n")) throw new Error("a newline, which ripgrep refuses by line");
      return exactly(string);
    }
    case "Class":
      return knownOfClass(kind["@values"][0], multiline);
    case "Repetition": {
      const { min, max, sub } = kind["@values"][0];
      return repetition(knownOf(sub, multiline), min, max ?? Number.POSITIVE_INFINITY);
    }
    case "Capture":
      return knownOf(kind["@values"][0].sub, multiline);
    case "Concat":
      return concatenation(kind["@values"][0].map((part) => knownOf(part, multiline)));
    case "Alternation":
      return alternation(kind["@values"][0].map((part) => knownOf(part, multiline)));
    case "Empty":
    case "Look":
      return exactly("");
    default:
      throw new Error("a part of a pattern that is not known here");
  }
}

function exactly(string: string): Known {
  return { kind: "exact", strings: new Set([string]) };
}

/** After so many of a byte in a row, more of them tell no other grams. */
const TIMES = 4;

function repetition(once: Known, min: number, max: number): Known {
  if (max === 0) return exactly("");
  if (min === 0) {
    if (once.kind === "exact" && max === 1) return { kind: "exact", strings: union([EMPTY, once.strings]) };
    return withRun(UNKNOWN, once, true);
  }
  const times = Math.min(min, TIMES);
  // What one holds is said once.
  const again: Known = once.kind === "exact" ? once : { ...once, told: [] };
  const least = concatenation([once, ...Array.from({ length: times - 1 }, () => again)]);
  if (least.kind === "edges" || times === max) return least;
  const { strings } = least;
  const edges: Known = { kind: "edges", start: starts(strings), end: ends(strings), told: [tell(strings)] };
  return min === 1 ? withRun(edges, once, false) : edges;
}

function withRun(known: Known, once: Known, optional: boolean): Known {
  const run = once.kind === "exact" ? runOf(once.strings, optional) : null;
  return run === null || known.kind === "exact" ? known : { ...known, run };
}

function alternation(parts: readonly Known[]): Known {
  if (parts.every(({ kind }) => kind === "exact")) {
    const strings = union(parts.map(startOf));
    if (strings.size <= GRAM_STRINGS) return { kind: "exact", strings };
  }
  return {
    kind: "edges",
    start: starts(union(parts.map(startOf))),
    end: ends(union(parts.map(endOf))),
    told: [bounded(anyOf(parts.map(summary)))],
  };
}
