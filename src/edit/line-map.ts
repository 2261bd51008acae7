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
  const number = numbering();
  const places = stayed(numbered(before, number), numbered(after, number));
  const runs = runsOf(places);
  return {
    runs,
    find: (first, last) => {
      const run = runs.find((run) => run.first <= first && last <= run.last);
      return run === undefined ? null : first + run.by;
    },
  };
}

/** A number for every text: lines are compared often, and files may have a million of them. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}

/** The lines as numbers, without their ends: somebody may have changed these alone. */
function numbered(text: TextLines, number: (text: string) => number): Int32Array {
  const lines = new Int32Array(text.count());
  for (const at of lines.keys()) {
    const span = text.span(at + 1);
    if (span !== null) lines[at] = number(text.bytes.toString("latin1", span.start, span.end));
  }
  return lines;
}

/** A part of both versions, from line to line, the ends not included; counted from 0. */
interface Region {
  readonly old: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

interface Pair {
  readonly old: number;
  readonly now: number;
}

/** For each line the place where it stands now, counted from 0, or -1. */
function stayed(before: Int32Array, after: Int32Array): Int32Array {
  const places = new Int32Array(before.length).fill(-1);
  const open: Region[] = [{ old: [0, before.length], now: [0, after.length] }];
  let looks = LOOKS * (before.length + after.length);
  for (let region = open.pop(); region !== undefined && looks > 0; region = open.pop()) {
    looks -= sizeOf(region);
    const pairs = pairsIn(region, before, after);
    for (const { old, now } of pairs) places[old] = now;
    if (pairs.length > 0) open.push(...between(pairs, region));
  }
  return places;
}

function sizeOf({ old, now }: Region): number {
  return old[1] - old[0] + now[1] - now[0];
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

/** Where the lines of one text stand. */
interface Places {
  readonly old: number[];
  readonly now: number[];
}

/**
 * Lines of a region that stayed, in order. If they are not all in the order that they had, something was moved: then
 * of equal lines nobody knows which ones, and only those that are there once are told, as many as are in order.
 */
function pairsIn({ old, now }: Region, before: Int32Array, after: Int32Array): readonly Pair[] {
  const texts = new Map<number, Places>();
  const placesOf = (text: number): Places => {
    const known = texts.get(text) ?? { old: [], now: [] };
    texts.set(text, known);
    return known;
  };
  for (let at = old[0]; at < old[1]; at += 1) placesOf(before[at] ?? -1).old.push(at);
  for (let at = now[0]; at < now[1]; at += 1) placesOf(after[at] ?? -1).now.push(at);
  const kept = [...texts.values()].filter(({ old, now }) => old.length === now.length);
  const pairs = inOrder(kept);
  if (isAscending(pairs)) return pairs;
  return longestAscending(inOrder(kept.filter(({ old }) => old.length === 1)));
}

function inOrder(texts: readonly Places[]): Pair[] {
  const pairs = texts.flatMap(({ old, now }) => old.map((line, at) => ({ old: line, now: now[at] ?? -1 })));
  return pairs.sort((a, b) => a.old - b.old);
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

function runsOf(places: Int32Array): Run[] {
  const runs: Run[] = [];
  for (const [at, place] of places.entries()) {
    if (place === -1) continue;
    const [line, by] = [at + 1, place - at];
    const last = runs.at(-1);
    if (last !== undefined && last.last + 1 === line && last.by === by) {
      runs[runs.length - 1] = { ...last, last: line };
    } else runs.push({ first: line, last: line, by });
  }
  return runs;
}
