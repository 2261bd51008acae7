import { ToolError } from "../model/errors.ts";
import type { FilePath } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import { TEXTS_TOGETHER } from "../model/limits.ts";
import { isLineLocal } from "../regex/line-local.ts";
import { Haystack, holdsAll, type Needles, needlesOf } from "../regex/needles.ts";
import { lineOffsetRun } from "../ripgrep/line-offsets.ts";
import type { Ledger } from "./ledger.ts";
import { type Ground, timeLeft } from "./ground.ts";
import type { TextSearcher } from "./search-text.ts";

/**
 * Which of many texts match, such as the members of an archive. A pattern that looks at one line only is put to
 * ripgrep once for many texts, one behind the other; any other is tried on each text by itself.
 */

export interface NamedText {
  readonly file: FilePath;
  /** UTF-8 without NUL. */
  readonly bytes: Buffer;
}

export type MatchingText = NamedText & {
  /** Matching lines; in mode `count` all of them, else at least one. */
  readonly lines: number;
};

export interface TextsOptions {
  readonly query: Query;
  readonly ground: Ground;
  readonly searcher: TextSearcher;
  readonly ledger: Ledger;
}

/** In the order given. */
export async function* matchingTexts(
  all: AsyncIterable<NamedText>,
  options: TextsOptions,
): AsyncGenerator<MatchingText> {
  const needles = needlesOf(options.query.pattern);
  const texts = promising(all, needles);
  if (needles.enough && options.query.mode !== "count") {
    for await (const text of texts) yield { ...text, lines: 1 };
    return;
  }
  if (!isLineLocal(options.query.pattern)) {
    yield* oneByOne(texts, options);
    return;
  }
  // ripgrep searches one batch while the next is gathered.
  let searching: Promise<readonly MatchingText[]> | null = null;
  try {
    for await (const batch of batches(texts)) {
      const found = searching;
      searching = searchBatch(batch, options);
      if (found !== null) yield* await found;
    }
    if (searching !== null) yield* await searching;
  } finally {
    await searching?.catch(() => {});
  }
}

/** Those that a look at their bytes does not rule out. */
async function* promising(texts: AsyncIterable<NamedText>, needles: Needles): AsyncGenerator<NamedText> {
  for await (const text of texts) if (holdsAll(new Haystack(withoutMark(text.bytes)), needles)) yield text;
}

async function* oneByOne(
  texts: AsyncIterable<NamedText> | Iterable<NamedText>,
  { query, ground, searcher, ledger }: TextsOptions,
): AsyncGenerator<MatchingText> {
  for await (const text of texts) {
    if (timeLeft(query.timeoutMs, ground) === 0) {
      ledger.timedOut();
      return;
    }
    const { lines, binary, report } = await searcher.count({ kind: "bytes", bytes: text.bytes }, text.file);
    ledger.record(report, () => true);
    if (binary) ledger.binary(text.file.path, false);
    else if (lines > 0) yield { ...text, lines };
  }
}

async function* batches(texts: AsyncIterable<NamedText>): AsyncGenerator<readonly NamedText[]> {
  let batch: NamedText[] = [];
  let bytes = 0;
  for await (const text of texts) {
    batch.push(text);
    bytes += text.bytes.length;
    if (bytes < TEXTS_TOGETHER) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

const NEWLINE = Buffer.from("\n");
const MARK = Buffer.from("\ufeff");

/** ripgrep does not search a byte order mark. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(MARK) ? bytes.subarray(3) : bytes;
}

/** By itself each text gives its own matches and its own fault, where one spoils the search of all. */
async function searchBatch(
  batch: readonly NamedText[],
  options: TextsOptions,
): Promise<readonly MatchingText[]> {
  try {
    const found = await searchTogether(batch, options);
    if (found !== null) return found;
  } catch (cause) {
    if (!(cause instanceof ToolError) || cause.code === "ABORTED") throw cause;
  }
  const found: MatchingText[] = [];
  for await (const text of oneByOne(batch, options)) found.push(text);
  return found;
}

/** null: something went wrong on the way. */
async function searchTogether(
  batch: readonly NamedText[],
  { query, ground, ledger }: TextsOptions,
): Promise<readonly MatchingText[] | null> {
  const parts: Buffer[] = [];
  const ends: number[] = [];
  let end = 0;
  for (const { bytes } of batch) {
    const text = withoutMark(bytes);
    parts.push(text);
    end += text.length;
    if (text.length > 0 && text.at(-1) !== NEWLINE[0]) {
      parts.push(NEWLINE);
      end += 1;
    }
    ends.push(end);
  }
  const run = lineOffsetRun(query, {
    bytes: Buffer.concat(parts),
    env: ground.env,
    timeoutMs: Math.max(1, timeLeft(query.timeoutMs, ground)),
    signal: ground.signal,
  });
  const lines = batch.map(() => 0);
  let at = 0;
  for await (const offsets of run) {
    for (const offset of offsets) {
      // They rise, as the texts do.
      while (offset >= (ends[at] ?? Number.POSITIVE_INFINITY)) at += 1;
      lines[at] = (lines[at] ?? 0) + 1;
    }
  }
  const report = run.report();
  if (report.faults.length > 0 || report.endedEarly !== null) return null;
  ledger.record(report, () => true);
  return batch.flatMap((text, index) => {
    const count = lines[index] ?? 0;
    return count > 0 ? [{ ...text, lines: count }] : [];
  });
}
