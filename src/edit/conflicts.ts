/**
 * The unresolved merge conflicts of a text, as git writes them: merge, diff3 and zdiff3 style, any length of marks
 * from seven on. Asked by read for `:conflicts`. It takes what git itself can take apart and nothing else: a second
 * `=======` in a region, or a region within a region, leaves open which line belongs to whom, and is told as broken.
 * Marks of another length within a region are text: git writes longer ones into a base that had conflicts itself.
 * Pure, one look at each line.
 */
import type { Conflict, ConflictSide } from "../model/conflict.ts";
import type { LineSpan } from "../model/selector.ts";

export type LineAt = (line: number) => string | null;

export interface FoundConflicts {
  /** In order, none within another. */
  readonly conflicts: readonly Conflict[];
  /** Lines of marks that belong to no whole region, in order. */
  readonly broken: readonly number[];
}

type MarkSign = "<" | "|" | "=" | ">";

interface Mark {
  readonly sign: MarkSign;
  readonly size: number;
  readonly name: string;
}

/** A region that has begun. */
interface Opened {
  readonly start: number;
  readonly size: number;
  readonly oursName: string;
  base: number | null;
  baseName: string | null;
  middle: number | null;
  /** A mark stood where none may be. */
  spoiled: boolean;
}

/** git's own length, unless an attribute says otherwise. */
const SIZE = 7;

export function findConflicts(lineCount: number, lineAt: LineAt): FoundConflicts {
  const reader = new Reader();
  for (let line = 1; line <= lineCount; line += 1) {
    const mark = markOf(lineAt(line) ?? "");
    if (mark !== null) reader.take(line, mark);
  }
  return reader.found();
}

/** The mark that a line is, or null. */
export function markOf(line: string): Mark | null {
  const sign = line[0];
  if (sign !== "<" && sign !== "|" && sign !== "=" && sign !== ">") return null;
  let size = 1;
  while (line[size] === sign) size += 1;
  if (size < SIZE) return null;
  const behind = line[size];
  if (behind !== undefined && behind !== " " && behind !== "\t" && behind !== "\r") return null;
  const name = line.slice(size).trim();
  // Nobody names the middle: what has text behind it is a heading or a rule.
  return sign === "=" && name !== "" ? null : { sign, size, name };
}

/** The lines of one side; `last` is `first - 1` where it has none. null: the conflict has no base. */
export function sideSpan(conflict: Conflict, side: ConflictSide): LineSpan | null {
  const { start, base, middle, end } = conflict;
  if (side === "ours") return { first: start + 1, last: (base ?? middle) - 1 };
  if (side === "theirs") return { first: middle + 1, last: end - 1 };
  return base === null ? null : { first: base + 1, last: middle - 1 };
}

/** Puts marks together, those of each length by themselves. */
class Reader {
  readonly #open = new Map<number, Opened[]>();
  readonly #whole: Conflict[] = [];
  readonly #broken: number[] = [];

  take(line: number, mark: Mark): void {
    const open = this.#open.get(mark.size) ?? [];
    const last = open.at(-1);
    if (mark.sign === "<") {
      open.push(opening(line, mark));
      this.#open.set(mark.size, open);
    } else if (mark.sign === ">") {
      open.pop();
      this.#close(line, last, open.at(-1), mark);
    } else if (last !== undefined) {
      advance(last, line, mark.sign, mark.name);
    }
  }

  #close(line: number, opened: Opened | undefined, around: Opened | undefined, { size, name }: Mark): void {
    if (opened === undefined) {
      if (size === SIZE) this.#broken.push(line);
      return;
    }
    const { start, base, middle, oursName, baseName } = opened;
    if (opened.spoiled || middle === null) {
      if (tellsItself(opened)) this.#broken.push(start);
      if (around !== undefined) around.spoiled = true;
      return;
    }
    this.#whole.push({ start, base, middle, end: line, size, oursName, theirsName: name, baseName });
  }

  found(): FoundConflicts {
    const unclosed = [...this.#open.values()].flat().filter(tellsItself);
    const broken = this.#broken.concat(unclosed.map(({ start }) => start));
    const conflicts: Conflict[] = [];
    for (const cluster of clusters(this.#whole)) {
      const outer = outermost(cluster);
      if (outer !== null) conflicts.push(outer);
      else for (const { start } of cluster) broken.push(start);
    }
    return { conflicts, broken: outside(broken.sort(ascending), conflicts) };
  }
}

function opening(start: number, { size, name }: Mark): Opened {
  return { start, size, oursName: name, base: null, baseName: null, middle: null, spoiled: false };
}

function advance(opened: Opened, line: number, sign: "|" | "=", name: string): void {
  if (sign === "=" && opened.middle === null) {
    opened.middle = line;
  } else if (sign === "|" && opened.middle === null && opened.base === null) {
    opened.base = line;
    opened.baseName = name;
  } else {
    opened.spoiled = true;
  }
}

/** A single longer mark is decoration more often than a conflict. */
function tellsItself({ size, base, middle }: Opened): boolean {
  return size === SIZE || base !== null || middle !== null;
}

/** Regions that share lines, together. */
function clusters(whole: readonly Conflict[]): Conflict[][] {
  const found: Conflict[][] = [];
  let reach = 0;
  for (const region of [...whole].sort((a, b) => a.start - b.start)) {
    if (region.start > reach) found.push([]);
    found.at(-1)?.push(region);
    reach = Math.max(reach, region.end);
  }
  return found;
}

/** The region that all others are only text of, or null. */
function outermost(cluster: readonly Conflict[]): Conflict | null {
  const [outer, ...others] = cluster;
  if (outer === undefined) return null;
  return others.every(({ size, end }) => size !== outer.size && end < outer.end) ? outer : null;
}

/** Lines that lie in none of the regions; both in order. */
function outside(lines: readonly number[], regions: readonly Conflict[]): number[] {
  let at = 0;
  return lines.filter((line) => {
    while ((regions[at]?.end ?? Number.POSITIVE_INFINITY) < line) at += 1;
    return line < (regions[at]?.start ?? Number.POSITIVE_INFINITY);
  });
}

function ascending(a: number, b: number): number {
  return a - b;
}
