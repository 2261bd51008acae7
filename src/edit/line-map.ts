/**
 * Where the lines of a version that was shown stand in the file as it is now. Called by `edit` when a file has changed
 * since. Pure.
 *
 * Only what is certain counts, and a diff alone is not: of two equal lines it takes any. Lines of one text are taken
 * to have stayed, each of them, if there are as many of them as before, and they come in the order of all others that
 * stayed. Between two lines that stayed, the same is asked again: there may be one closing bracket before and after,
 * however many were added elsewhere. What is left was changed, or cannot be told from others, and has no place.
 */
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
  /** Where these lines stand now, if it is certain that they are the same ones, still together; else null. */
  readonly find: (first: number, last: number) => number | null;
}

/** How often a line is looked at, on average, before what is left between the others is given up. */
const LOOKS = 32;

export function mapLines(before: TextLines, after: TextLines): LineMap {
  const runs = joined(runsOf(before, after));
  return {
    runs,
    find: (first, last) => {
      const run = runs.find((run) => run.first <= first && last <= run.last);
      return run === undefined ? null : first + run.by;
    },
  };
}

/**
 * What is equal at both ends needs no look at every line. Of texts that are in none of the lines between there are as
 * many as before; from such a line on to the end everything stayed.
 */
function runsOf(before: TextLines, after: TextLines): Run[] {
  const [old, now] = [before.count(), after.count()];
  const most = Math.min(old, now);
  let top = 0;
  while (top < most && textAt(before, top + 1) === textAt(after, top + 1)) top += 1;
  let bottom = 0;
  while (bottom < most - top && textAt(before, old - bottom) === textAt(after, now - bottom)) bottom += 1;
  const between = new Set([
    ...textsOf(before, top + 1, old - bottom),
    ...textsOf(after, top + 1, now - bottom),
  ]);
  while (top > 0 && between.has(textAt(before, top))) top -= 1;
  while (bottom > 0 && between.has(textAt(before, old - bottom + 1))) bottom -= 1;
  const middle = stayed(textsOf(before, top + 1, old - bottom), textsOf(after, top + 1, now - bottom));
  return [
    { first: 1, last: top, by: 0 },
    ...middle.map(({ old, now }) => ({ first: old + top + 1, last: old + top + 1, by: now - old })),
    { first: old - bottom + 1, last: old, by: now - old },
  ];
}

/** Without its end: somebody may have changed that alone. */
function textAt(text: TextLines, line: number): string {
  const span = text.span(line);
  return span === null ? "" : text.bytes.toString("latin1", span.start, span.end);
}

function textsOf(text: TextLines, first: number, last: number): string[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => textAt(text, first + at));
}

/** A line of both versions, counted from 0. */
interface Pair {
  readonly old: number;
  readonly now: number;
}

/** A part of both versions, from line to line, the ends not included. */
interface Region {
  readonly old: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

/** The lines that stayed, in order. */
function stayed(before: readonly string[], after: readonly string[]): Pair[] {
  const texts = new Map<string, number>();
  const [old, now] = [numbered(before, texts), numbered(after, texts)];
  const pairsIn = pairing(old, now, texts.size);
  const found: Pair[] = [];
  const open: Region[] = [{ old: [0, old.length], now: [0, now.length] }];
  let looks = LOOKS * (old.length + now.length);
  for (let region = open.pop(); region !== undefined && looks > 0; region = open.pop()) {
    looks -= region.old[1] - region.old[0] + region.now[1] - region.now[0];
    const pairs = pairsIn(region);
    for (const pair of pairs) found.push(pair);
    if (pairs.length > 0) for (const gap of between(pairs, region)) open.push(gap);
  }
  return found.sort((a, b) => a.old - b.old);
}

/** A number for every text: lines are compared often, and a file may have a million of them. */
function numbered(lines: readonly string[], texts: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const known = texts.get(line) ?? texts.size;
    if (known === texts.size) texts.set(line, known);
    return known;
  });
}

/** The parts between lines that stayed, where there is something left in both versions. */
function between(pairs: readonly Pair[], { old, now }: Region): Region[] {
  const regions: Region[] = [];
  let [oldFrom, nowFrom] = [old[0], now[0]];
  for (const pair of [...pairs, { old: old[1], now: now[1] }]) {
    if (pair.old > oldFrom && pair.now > nowFrom) {
      regions.push({ old: [oldFrom, pair.old], now: [nowFrom, pair.now] });
    }
    [oldFrom, nowFrom] = [pair.old + 1, pair.now + 1];
  }
  return regions;
}

/**
 * Finds the lines of a region that stayed, in order. If they do not all come in the order that they had, something was
 * moved: then of equal lines nobody knows which, and only those that are there once are told, as many as are in order.
 */
function pairing(before: Int32Array, after: Int32Array, texts: number): (region: Region) => readonly Pair[] {
  /** By text: how many there are before, how many more than after, and where the next one stands now. */
  const count = new Int32Array(texts);
  const surplus = new Int32Array(texts);
  const next = new Int32Array(texts);
  /** By place: where the one after this of the same text stands. */
  const following = new Int32Array(after.length);
  return ({ old, now }) => {
    const oldTexts = before.subarray(...old);
    const nowTexts = after.subarray(...now);
    for (const list of [count, surplus]) {
      for (const text of oldTexts) list[text] = 0;
      for (const text of nowTexts) list[text] = 0;
    }
    for (const text of oldTexts) count[text] = surplus[text] = (count[text] ?? 0) + 1;
    for (let at = now[1] - 1; at >= now[0]; at -= 1) {
      const text = after[at] ?? 0;
      surplus[text] = (surplus[text] ?? 0) - 1;
      following[at] = next[text] ?? 0;
      next[text] = at;
    }
    const pairs: Pair[] = [];
    for (const [at, text] of oldTexts.entries()) {
      if (surplus[text] !== 0) continue;
      const place = next[text] ?? 0;
      pairs.push({ old: old[0] + at, now: place });
      next[text] = following[place] ?? 0;
    }
    if (isAscending(pairs)) return pairs;
    return longestAscending(pairs.filter((pair) => count[before[pair.old] ?? 0] === 1));
  };
}

function isAscending(pairs: readonly Pair[]): boolean {
  return pairs.every(({ now }, at) => now > (pairs[at - 1]?.now ?? -1));
}

/** By piles: the last pair of each is the lowest that so many can end with. */
function longestAscending(pairs: readonly Pair[]): readonly Pair[] {
  const piles: number[] = [];
  const below = new Int32Array(pairs.length).fill(-1);
  const nowOf = (at: number | undefined): number => (at === undefined ? -1 : (pairs[at]?.now ?? -1));
  for (const [at, { now }] of pairs.entries()) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nowOf(piles[middle]) < now) low = middle + 1;
      else high = middle;
    }
    below[at] = piles[low - 1] ?? -1;
    piles[low] = at;
  }
  const chain: Pair[] = [];
  for (let at = piles.at(-1) ?? -1; at !== -1; at = below[at] ?? -1) chain.push(pairs[at] as Pair);
  return chain.reverse();
}

/** Without empty ones, those that touch and moved alike made one. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    if (run.first > run.last) continue;
    const last = result.at(-1);
    if (last !== undefined && last.last + 1 === run.first && last.by === run.by) {
      result[result.length - 1] = { ...last, last: run.last };
    } else result.push(run);
  }
  return result;
}
