import { isUtf8 } from "node:buffer";
import { SNIFF, TEXT_IN_PROCESS } from "../model/limits.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import type { LinePlaces } from "../regex/match-bytes.ts";
import { textMatcher } from "../regex/matcher.ts";
import { type TextMatch, Undecided } from "../regex/text-match.ts";
import { maxCount } from "../ripgrep/argv.ts";
import { aborted } from "../ripgrep/child.ts";
import { matchDecoder } from "../ripgrep/decode.ts";
import { QUIET, type RunReport } from "../ripgrep/run.ts";
import { searchRun } from "../ripgrep/search.ts";
import { descriptorHoldsLateNul, mayHideNul } from "./late-nul.ts";
import { type Ground, timeLeft } from "./ground.ts";
import { isBinaryDescriptor, looksBinary } from "./sniff.ts";
import { lineCount, withContext } from "./text-context.ts";
import { turns } from "./turns.ts";

/**
 * Searches one text after the other as ripgrep would search files of that content: archive members, virtual
 * resources, a file that is open already. The agent's tools call it. Small UTF-8 is matched in process; what
 * the matcher cannot decide, other encodings, large texts and descriptors are piped to ripgrep. Nobody can tell which,
 * but by empty submatches inside a character, which only ripgrep has, and a record too long to hold, which loses its
 * text only there.
 */

export type TextInput =
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  /** A regular file, read from its start whatever the descriptor's offset. The caller closes it afterwards. */
  | { readonly kind: "descriptor"; readonly fd: number };

export interface TextOutcome {
  /** Matching lines, as ripgrep counts them. */
  readonly lines: number;
  /**
   * The text is binary, and has no matches for that. Of a descriptor it is known only where there would have been
   * some, and where there are very many, the first of them may have been passed on before.
   */
  readonly binary: boolean;
  /** A line was too long to hold and lost its text. */
  readonly elided: boolean;
  /** What ripgrep had to say about the text, for a ledger. */
  readonly report: RunReport;
}

export interface TextSearch extends AsyncIterable<Match> {
  /** Complete once the iteration has ended. */
  readonly outcome: () => TextOutcome;
}

/** A text whose lines are known. */
export interface HeldText extends LinePlaces {
  readonly bytes: Buffer;
  /** UTF-8 without a NUL byte. */
  readonly isPlain: () => boolean;
}

export interface TextSearcher {
  /** The matches with their context, whatever the query's mode. Whoever stops iterating ends the work. */
  readonly search: (input: TextInput, file: FilePath) => TextSearch;
  /**
   * The first matches of a text without the lines around them, at once; null: only `search` tells. `parts`: where in it
   * they are, start and length by turns; null: anywhere.
   */
  readonly now: (
    text: HeldText,
    file: FilePath,
    count: number,
    parts: readonly number[] | null,
  ) => readonly Match[] | null;
  /** The matching lines alone; in mode `files`, 1 if there are any. */
  readonly count: (input: TextInput, file: FilePath) => Promise<TextOutcome>;
}

const NOTHING: TextOutcome = { lines: 0, binary: false, elided: false, report: QUIET };
type Draft = { -readonly [K in keyof TextOutcome]: TextOutcome[K] };
const NO_RECORDS = Buffer.alloc(0);

/** One searcher serves any number of texts, at the same time too. */
export function textSearcher(query: Query, ground: Ground): TextSearcher {
  const matcher = textMatcher(query.pattern);
  const turn = turns(ground.signal);

  const searchAs = (query: Query, input: TextInput, file: FilePath): TextSearch => {
    let outcome: Draft = { ...NOTHING };

    async function* inProcess(text: string, records: Iterable<TextMatch>): AsyncGenerator<Match> {
      const { before, after } = query;
      for (const match of withContext(text, records, { before, after, limit: maxCount(query) })) {
        outcome.lines += lineCount(match.text);
        yield { ...file, ...match };
        await turn();
      }
    }

    async function* byRipgrep(): AsyncGenerator<Match> {
      const run = searchRun(query, {
        operands: { stdin: input.kind === "bytes" ? input.bytes : input.fd },
        nameGlobs: [],
        explain: false,
        env: ground.env,
        timeoutMs: Math.max(1, timeLeft(query.timeoutMs, ground)),
        signal: ground.signal,
        wanted: () => true,
      });
      const { decode } = matchDecoder(file, query.after);
      let ended = false;
      for await (const { records, lines, last, binary: nul, elided } of run) {
        // Found again, by a run done again.
        if (ended) continue;
        ended = last;
        const binary = nul || (last && mayHideNul(query, lines) && (await hidesNul(input)));
        outcome.binary = binary;
        outcome.lines = binary ? 0 : lines;
        outcome.elided ||= elided;
        yield* decode(binary ? NO_RECORDS : records, last);
      }
      // Cut off by the clock: the last match waits for context that will not come.
      if (!ended) yield* decode(NO_RECORDS, true);
      outcome.report = about(file, run.report());
    }

    async function* matches(): AsyncGenerator<Match> {
      outcome = { ...NOTHING };
      await turn();
      outcome.binary = await isBinary(query, input);
      if (outcome.binary) return;
      const text = isOurs(query) ? plainText(input) : null;
      if (matcher.kind === "undecided" || text === null) {
        yield* byRipgrep();
        return;
      }
      let given = 0;
      try {
        for await (const match of inProcess(text, matcher.matches(text))) {
          given += 1;
          yield match;
        }
      } catch (cause) {
        if (!(cause instanceof Undecided)) throw cause;
        yield* behind(byRipgrep(), given);
      }
    }

    return { outcome: () => outcome, [Symbol.asyncIterator]: matches };
  };

  return {
    search: (input, file) => searchAs({ ...query, mode: "content" }, input, file),
    now: (text, file, count, parts) => {
      if (
        query.binary !== "ripgrep" ||
        matcher.kind === "undecided" ||
        matcher.inBytes === null ||
        !text.isPlain()
      )
        return null;
      if (ground.signal?.aborted) throw aborted(ground.signal);
      try {
        const records = matcher.inBytes(text.bytes, text, count, parts);
        return records?.map((record) => bareMatch(file, record)) ?? null;
      } catch (cause) {
        if (!(cause instanceof Undecided)) throw cause;
        return null;
      }
    },
    count: async (input, file) => {
      const mode = query.mode === "files" ? "files" : "count";
      const counted = searchAs({ ...query, mode, before: 0, after: 0 }, input, file);
      for await (const _ of counted) if (mode === "files") break;
      const outcome = counted.outcome();
      return mode === "files" ? { ...outcome, lines: Math.min(outcome.lines, 1) } : outcome;
    },
  };
}

/** Without the lines around it. Field by field: there are hundreds on a page. */
function bareMatch({ path, pathBytes }: FilePath, { line, text, submatches }: TextMatch): Match {
  const match = { path, line, text, submatches, before: NO_LINES, after: NO_LINES };
  return pathBytes === undefined ? match : { ...match, pathBytes };
}

const NO_LINES: Match["before"] = [];

/**
 * At its limit ripgrep takes what matches in the context behind for a match, but for context where it goes line by
 * line. It does so for `\z`, of what the matcher decides.
 */
function isOurs(query: Query): boolean {
  return query.after === 0 || maxCount(query) === null || !query.pattern.text.includes("\\z");
}

/** What can be told without a search. Across lines ripgrep does not look at every byte, so there it is asked. */
async function isBinary(query: Query, input: TextInput): Promise<boolean> {
  if (query.binary === "first-bytes") {
    return input.kind === "bytes"
      ? looksBinary(input.bytes.subarray(0, SNIFF))
      : isBinaryDescriptor(input.fd);
  }
  if (input.kind === "descriptor" || query.pattern.multiline) return false;
  return input.bytes.includes(0) && !isUtf16(input.bytes);
}

/** By its byte order mark, as ripgrep tells it: its NUL bytes are halves of letters. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  return mark === 0xfeff || mark === 0xfffe;
}

/** Bytes were looked at before. */
async function hidesNul(input: TextInput): Promise<boolean> {
  return input.kind === "descriptor" && descriptorHoldsLateNul(input.fd);
}

/** The text without its byte order mark, or null for what is ripgrep's. */
function plainText(input: TextInput): string | null {
  if (input.kind === "descriptor" || input.bytes.length > TEXT_IN_PROCESS) return null;
  const { bytes } = input;
  if (!isUtf8(bytes) || bytes.includes(0)) return null;
  const text = bytes.toString("utf8");
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** ripgrep calls the text `<stdin>`. */
function about({ path }: FilePath, report: RunReport): RunReport {
  const faults = report.faults.map((fault) => (fault.kind === "other" ? fault : { ...fault, path }));
  return { ...report, faults };
}

/** Without the first so many. */
async function* behind<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let passed = 0;
  for await (const item of items) {
    if (passed >= count) yield item;
    passed += 1;
  }
}
