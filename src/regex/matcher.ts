/**
 * Matches text in memory exactly as ripgrep matches a file of that content. `sources/` asks it about archive members
 * and virtual resources, `index/` to verify its candidates. The text is valid UTF-8 without BOM and NUL; a record is
 * what `ripgrep/decode.ts` makes of one of ripgrep's. What may differ from ripgrep is undecided, nearly always before any
 * text is seen.
 */
import type { RRegex } from "rregex";
import { KNOWN_MATCHERS } from "../model/limits.ts";
import type { Pattern } from "../model/query.ts";
import { type Finder, regexFinder, textFinder, widerFinder } from "./finder.ts";
import { build, instanceNumber } from "./instance.ts";
import { type TextMatch, Undecided } from "./text-match.ts";
import { bytesMatch, type LinePlaces, matchBytes } from "./match-bytes.ts";
import { matchLines } from "./match-lines.ts";
import { matchRuns, matchSpans } from "./match-spans.ts";
import { lineNeedles, type Needles, needlesOf } from "./needles.ts";
import { parsedHoldsNewline } from "./newline.ts";
import { plainTexts } from "./plain-texts.ts";
import { remember } from "./recent.ts";
import { regexOf, unsafe } from "./ripgrep-regex.ts";
import { traitsOf } from "./traits.ts";
import { widerPattern } from "./wide.ts";

export type TextMatcher =
  /** Each may throw Undecided in the middle of a text. */
  | {
      readonly kind: "matcher";
      matches(text: string): Generator<TextMatch>;
      /** The first so many, of bytes that are UTF-8 without NUL; null: only `matches` tells. */
      readonly inBytes: InBytes | null;
      /** Whether there are any, of whole lines that are UTF-8 without NUL or byte order mark; null: `matches` tells. */
      readonly isIn: ((bytes: Buffer) => boolean) | null;
    }
  /** Ask ripgrep. */
  | { readonly kind: "undecided"; readonly why: string };

type InBytes = (
  bytes: Buffer,
  places: LinePlaces,
  count: number,
  /** Whole lines in which they are, start and length by turns; null: anywhere. */
  parts: readonly number[] | null,
) => readonly TextMatch[] | null;

/** The last ones: a call asks several times, and a compilation costs memory that does not come back. */
const known = new Map<string, TextMatcher>();
let instance = 0;

/** One matcher serves any number of texts; making one costs a compilation. */
export function textMatcher(pattern: Pattern): TextMatcher {
  const { text, syntax, case: letters, word, multiline, dotAll } = pattern;
  const key = JSON.stringify([text, syntax, letters, word, multiline, dotAll]);
  const matcher = known.get(key) ?? makeMatcher(pattern);
  if (instanceNumber() !== instance) {
    known.clear();
    instance = instanceNumber();
  }
  remember(known, key, matcher, KNOWN_MATCHERS);
  return matcher;
}

function makeMatcher(pattern: Pattern): TextMatcher {
  const texts = plainTexts(pattern);
  if (texts !== null) return inLines(textFinder(texts), needlesOf(pattern));
  const why = unsafe(pattern);
  if (why !== null) return undecided(why);
  try {
    return pattern.multiline ? acrossLines(pattern) : lineByLine(pattern);
  } catch (error) {
    return undecided(error instanceof Error ? error.message : String(error));
  }
}

function lineByLine(pattern: Pattern): TextMatcher {
  // With its flags: in `(a|\n)` ripgrep takes the newline out, in `(?i)(a|\n)` it refuses.
  if (parsedHoldsNewline(regexOf(pattern, "text"))) {
    return undecided("a newline in a search by line, which ripgrep refuses");
  }
  // First: were it built behind the matcher, the instance of the matcher might not be the one of those that follow.
  const needles = needlesOf(pattern);
  const wide = widerPattern(pattern);
  const finder = wide === null ? finderOf(pattern) : widerFinder(finderOf(wide), () => exactly(pattern));
  return inLines(finder, needles);
}

function finderOf(pattern: Pattern): Finder {
  return tried(build(regexOf(pattern, "line")));
}

/** Asked for in the middle of a text, when it is too late to say that it cannot be built here. */
function exactly(pattern: Pattern): Finder {
  try {
    return finderOf(pattern);
  } catch (cause) {
    throw new Undecided("a pattern that is too large with all letters", { cause });
  }
}

/** For what matches within a line. */
function inLines(finder: Finder, needles: Needles): TextMatcher {
  const texts = lineNeedles(needles);
  return {
    ...matcher((text) => matchLines(finder, text, texts)),
    inBytes: (bytes, places, count, parts) => matchBytes(finder, needles, { bytes, places, parts }, count),
    isIn: (bytes) => bytesMatch(finder, needles, bytes),
  };
}

/**
 * ripgrep goes by line all the same when no match can touch the end of a line. Else it searches the text behind each
 * match as if that were a text of its own, so that `^` and `\b` hold right behind a match: such matches never show,
 * but make records longer. Where that cannot be followed in linear time, it is ripgrep's.
 */
function acrossLines(pattern: Pattern): TextMatcher {
  const source = regexOf(pattern, "text");
  const regex = build(source);
  const traits = traitsOf(regex.syntax());
  const finder = tried(regex);
  if (traits.textStart || traits.crlf) return undecided("an anchor that ripgrep tests in its own buffer");
  if (!traits.lineEnds && traits.newlines === 0) return matcher((text) => matchLines(finder, text));
  if (traits.newlines === 0 && !traits.textEnd) return matcher((text) => matchRuns(finder, text));
  if (traits.empty) return undecided("a match across lines that may be empty");
  const newlines = traits.textEnd ? Number.POSITIVE_INFINITY : traits.newlines;
  if (!traits.looksBehind) return matcher((text) => matchSpans({ finder, newlines, again: null }, text));
  if (newlines === Number.POSITIVE_INFINITY) {
    return undecided("a match over any number of lines that looks at what is before it");
  }
  const again = regexFinder(build(`\\A(?:${source})`));
  return matcher((text) => matchSpans({ finder, newlines, again }, text));
}

/** An empty search makes the automaton's cache now, and finds out here whether it can. */
function tried(regex: RRegex): Finder {
  regex.isMatch("");
  return regexFinder(regex);
}

function matcher(matches: (text: string) => Generator<TextMatch>): Extract<TextMatcher, { kind: "matcher" }> {
  return { kind: "matcher", matches, inBytes: null, isIn: null };
}

function undecided(why: string): TextMatcher {
  return { kind: "undecided", why };
}
