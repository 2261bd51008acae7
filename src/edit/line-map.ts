/**
 * Where the lines of a version that was shown stand in the file as it is now. Only what is certain counts: the texts
 * are compared from the front and from the back, and a line whose place the two disagree on, such as one of several
 * equal ones where one was added, has none. Called by `edit` when a file has changed since. Pure but for loading.
 */
import type { LineSpan } from "../model/selector.ts";
import type { TextLines } from "../workspace/text-lines.ts";

/** Lines that stand together and moved together. */
export interface Run {
  readonly first: number;
  readonly last: number;
  /** What is added to a line's number. */
  readonly by: number;
}

export interface LineMap {
  /** In order. Lines that are in none were changed, or their place is not certain. */
  readonly runs: readonly Run[];
  /** Where these lines stand now, if it is certain that they are the same ones; else null. */
  readonly find: (first: number, last: number) => number | null;
}

/** More changes than this between two versions are not compared line by line. */
const MOST_CHANGES = 2_000;
/** Neighbours that are looked at to tell equal lines apart. */
const NEIGHBOURS = 64;
/** Places of equal lines that are told apart one by one. */
const PLACES = 1_000;

export async function mapLines(before: TextLines, after: TextLines): Promise<LineMap> {
  const [forth, back] = await Promise.all([align(before, after, "front"), align(before, after, "back")]);
  const runs = certain(agreed(forth, back), before, after);
  return {
    runs,
    find: (first, last) => {
      const span = { first, last };
      return isProven(before, after, runs, span) ? first + (runHolding(runs, span)?.by ?? 0) : null;
    },
  };
}

/**
 * Certain are lines that stand, with unchanged neighbours on both sides, in both versions exactly once. Lines whose
 * neighbour was changed are certain only if every other place of the same lines stayed too: else one of those may
 * have come to stand here.
 */
function isProven(before: TextLines, after: TextLines, runs: readonly Run[], span: LineSpan): boolean {
  const run = runHolding(runs, span);
  if (run === undefined) return false;
  if (hasNeighbours(before, after, run, span)) {
    for (let more = 1; more <= NEIGHBOURS; more *= 2) {
      const first = Math.max(span.first - more, run.first);
      const last = Math.min(span.last + more, run.last);
      if (isUnique(before, { first, last }) && isUnique(after, moved({ first, last }, run))) return true;
      if (first === run.first && last === run.last) break;
    }
  }
  return allStayed(before, after, runs, span, run);
}

/** On both sides an unchanged line, or the end of the file in both versions. */
function hasNeighbours(before: TextLines, after: TextLines, run: Run, { first, last }: LineSpan): boolean {
  const top = first > run.first || (run.first === 1 && run.by === 0);
  const ends = before.span(run.last + 1) === null && after.span(run.last + run.by + 1) === null;
  return top && (last < run.last || ends);
}

function isUnique(text: TextLines, span: LineSpan): boolean {
  return places(text, span, 2).length === 1;
}

function allStayed(
  before: TextLines,
  after: TextLines,
  runs: readonly Run[],
  span: LineSpan,
  run: Run,
): boolean {
  const was = places(before, span, PLACES);
  const is = places(after, moved(span, run), PLACES);
  if (was.length !== is.length || was.length === PLACES) return false;
  const more = span.last - span.first;
  return was.every((first, at) => {
    const same = runHolding(runs, { first, last: first + more });
    return same !== undefined && first + same.by === is[at];
  });
}

function moved({ first, last }: LineSpan, { by }: Run): LineSpan {
  return { first: first + by, last: last + by };
}

function runHolding(runs: readonly Run[], { first, last }: LineSpan): Run | undefined {
  return runs.find((run) => run.first <= first && last <= run.last);
}

/** The lines at which a block of lines stands, as many as are wanted. */
function places(text: TextLines, { first, last }: LineSpan, most: number): number[] {
  const [start, end] = [text.span(first)?.start, text.span(last)?.end];
  if (start === undefined || end === undefined) return [];
  const found: number[] = [];
  const { bytes } = text;
  const block = bytes.subarray(start, end);
  let line = 1;
  for (let at = bytes.indexOf(block, text.mark); at !== -1 && found.length < most; ) {
    if (isWholeLines(text, at, at + block.length)) {
      while ((text.span(line)?.next ?? Number.POSITIVE_INFINITY) <= at) line += 1;
      found.push(line);
    }
    if (at >= bytes.length) break;
    at = bytes.indexOf(block, at + 1);
  }
  return found;
}

function isWholeLines({ bytes, mark, wide }: TextLines, start: number, end: number): boolean {
  if (wide !== null && start % 2 !== 0) return false;
  const unit = (at: number): number =>
    wide === null ? (bytes[at] ?? -1) : wide === "utf-16le" ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
  const size = wide === null ? 1 : 2;
  if (start > mark && unit(start - size) !== 0x0a) return false;
  if (end + size > bytes.length || unit(end) === 0x0a) return true;
  return unit(end) === 0x0d && end + 2 * size <= bytes.length && unit(end + size) === 0x0a;
}

/** Runs that both found. */
function agreed(forth: readonly Run[], back: readonly Run[]): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const run of forth) {
    while ((back[at]?.last ?? Number.POSITIVE_INFINITY) < run.first) at += 1;
    for (let next = at; (back[next]?.first ?? Number.POSITIVE_INFINITY) <= run.last; next += 1) {
      const other = back[next] as Run;
      if (other.by !== run.by) continue;
      const [first, last] = [Math.max(run.first, other.first), Math.min(run.last, other.last)];
      if (first <= last) runs.push({ first, last, by: run.by });
    }
  }
  return runs;
}

/**
 * Without the lines at the ends of a run that could as well be one of the changed lines beside it: of two equal lines
 * nobody can say which one was taken out.
 */
function certain(runs: readonly Run[], before: TextLines, after: TextLines): Run[] {
  const trimmed = runs.map((run) => ({ ...run }));
  for (let at = 0; at <= runs.length; at += 1) {
    const [above, below] = [runs[at - 1], runs[at]];
    const was: Ends = [(above?.last ?? 0) + 1, (below?.first ?? before.count() + 1) - 1];
    const is: Ends = [
      (above === undefined ? 0 : above.last + above.by) + 1,
      (below === undefined ? after.count() + 1 : below.first + below.by) - 1,
    ];
    const changed = new Set([...contents(before, ...was), ...contents(after, ...is)]);
    const [over, under] = [trimmed[at - 1], trimmed[at]];
    const isChanged = (line: number): boolean => changed.has(contents(before, line, line)[0] ?? "");
    if (over !== undefined) while (over.last >= over.first && isChanged(over.last)) over.last -= 1;
    if (under !== undefined) while (under.first <= under.last && isChanged(under.first)) under.first += 1;
  }
  return trimmed.filter(({ first, last }) => first <= last);
}

type Ends = readonly [first: number, last: number];

/** Equal lines at both ends, as many as there are from one side first, and what a diff says of the rest. */
async function align(before: TextLines, after: TextLines, from: "front" | "back"): Promise<Run[]> {
  const [old, now] = [before.count(), after.count()];
  const shorter = Math.min(old, now);
  const head = (most: number): number => {
    let equal = 0;
    while (equal < most && same(before, equal + 1, after, equal + 1)) equal += 1;
    return equal;
  };
  const tail = (most: number): number => {
    let equal = 0;
    while (equal < most && same(before, old - equal, after, now - equal)) equal += 1;
    return equal;
  };
  const first = from === "front" ? head(shorter) : tail(shorter);
  const second = from === "front" ? tail(shorter - first) : head(shorter - first);
  const [top, bottom] = from === "front" ? [first, second] : [second, first];
  const middle = await diffed(
    contents(before, top + 1, old - bottom),
    contents(after, top + 1, now - bottom),
    from,
  );
  return joined([
    { first: 1, last: top, by: 0 },
    ...middle.map(({ first, last, by }) => ({ first: first + top, last: last + top, by })),
    { first: old - bottom + 1, last: old, by: now - old },
  ]);
}

function same(one: TextLines, line: number, other: TextLines, otherLine: number): boolean {
  const [a, b] = [one.span(line), other.span(otherLine)];
  if (a === null || b === null) return false;
  return one.bytes.compare(other.bytes, b.start, b.end, a.start, a.end) === 0;
}

function contents(text: TextLines, first: number, last: number): string[] {
  const lines: string[] = [];
  for (let line = first; line <= last; line += 1) {
    const span = text.span(line);
    if (span !== null) lines.push(text.bytes.toString("latin1", span.start, span.end));
  }
  return lines;
}

/** Runs of equal lines, counted from 1; none when there are too many differences to tell. */
async function diffed(
  before: readonly string[],
  after: readonly string[],
  from: "front" | "back",
): Promise<Run[]> {
  if (before.length === 0 || after.length === 0) return [];
  const { diffArrays } = await import("diff");
  const ordered = (lines: readonly string[]): string[] =>
    from === "front" ? [...lines] : [...lines].reverse();
  const changes = diffArrays(ordered(before), ordered(after), { maxEditLength: MOST_CHANGES });
  if (changes === undefined) return [];
  const runs: Run[] = [];
  let [old, now] = [0, 0];
  for (const { count, added, removed } of changes) {
    if (added) now += count;
    else if (removed) old += count;
    else {
      const [first, by] =
        from === "front"
          ? [old + 1, now - old]
          : [before.length - old - count + 1, after.length - now - (before.length - old)];
      runs.push({ first, last: first + count - 1, by });
      old += count;
      now += count;
    }
  }
  return from === "front" ? runs : runs.reverse();
}

/** In order, without empty ones, those that touch and moved alike made one. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    if (run.first > run.last) continue;
    const before = result.at(-1);
    if (before !== undefined && before.by === run.by && before.last + 1 === run.first) {
      result[result.length - 1] = { ...before, last: run.last };
    } else result.push(run);
  }
  return result;
}
