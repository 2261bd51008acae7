import { comparePaths } from "../workspace/path-order.ts";
import { edits, farthest, nameDistance } from "../format/nearest.ts";

/**
 * How near the paths of a walk come to one that is not there. Paths are looked at one by one and only the best are
 * kept, for there may be a million. Called by `missing-path.ts`. Pure.
 */

/** The path that was asked for, relative, in its plainest form. */
export interface Wanted {
  readonly path: string;
  /** It ended in a slash. */
  readonly folder: boolean;
}

interface Ranked {
  readonly path: string;
  readonly kind: "file" | "folder";
  /** 0: it ends with the whole wanted path; 1: but for letters that look alike; 2: its name is similar. */
  readonly group: 0 | 1 | 2;
  readonly score: number;
  /** Components at the end that are the same. */
  readonly tail: number;
}

/** A letter of the name counts as so many of the folders before it; folders that differ by more all differ. */
const NAME_WEIGHT = 3;
const PATH_MOST = 12;

export interface RankOptions {
  /** How many of the nearest are kept. */
  readonly keep: number;
  /** Whether a path may be seen; asked only of those that come near. */
  readonly allows: (path: string, kind: "file" | "folder") => boolean;
}

export class PathRank {
  readonly #wanted: Wanted;
  readonly #options: RankOptions;
  readonly #folded: string;
  readonly #name: string;
  readonly #letters: number;
  /** By name, since a tree has many files of one; Infinity for what is nothing alike. */
  readonly #distances = new Map<string, number>();
  readonly #folders = new Set<string>();
  /** The best, in order. */
  readonly #ranked: Ranked[] = [];
  /** Folders of the ground may overlap, so that a path is met twice. */
  readonly #exact = new Set<string>();

  constructor(wanted: Wanted, options: RankOptions) {
    this.#wanted = wanted;
    this.#options = options;
    this.#folded = folded(wanted.path);
    this.#name = nameOf(this.#folded);
    this.#letters = letters(this.#name);
  }

  /** A file, and with it the folders that it is in. */
  meet(path: string): void {
    if (!this.#wanted.folder) this.#rank(path, "file");
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (this.#folders.has(folder)) return;
      this.#folders.add(folder);
      this.#rank(folder, "folder");
    }
  }

  /** The only one that ends with the whole wanted path. */
  unique(): string | null {
    return this.#exact.size === 1 ? (this.#ranked[0]?.path ?? null) : null;
  }

  /** The nearest first; folders end in a slash. */
  nearest(): string[] {
    return this.#ranked.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
  }

  #rank(path: string, kind: "file" | "folder"): void {
    const name = nameOf(path);
    const distance = this.#distances.get(name) ?? this.#distance(name);
    if (distance === Number.POSITIVE_INFINITY) return;
    const plain = folded(path);
    const group = endsWith(path, this.#wanted.path) ? 0 : endsWith(plain, this.#folded) ? 1 : 2;
    const worst = this.#ranked[this.#options.keep - 1];
    // What cannot be among the best is not compared letter by letter.
    const least =
      NAME_WEIGHT * distance + Math.min(Math.abs(plain.length - this.#folded.length), PATH_MOST + 1);
    if (
      group > 0 &&
      worst !== undefined &&
      (group > worst.group || (group === worst.group && least > worst.score))
    )
      return;
    if (!this.#options.allows(path, kind)) return;
    if (group === 0) this.#exact.add(path);
    if (this.#ranked.some((other) => other.path === path)) return;
    const away = Math.min(edits(this.#folded, plain, PATH_MOST), PATH_MOST + 1);
    const score = NAME_WEIGHT * distance + away;
    this.#ranked.push({ path, kind, group, score, tail: sameTail(this.#folded, plain) });
    this.#ranked.sort(compareRanked);
    this.#ranked.length = Math.min(this.#ranked.length, this.#options.keep);
  }

  #distance(name: string): number {
    const plain = folded(name);
    const most = farthest(this.#name);
    const goesOn = plain.startsWith(this.#name);
    // An edit changes at most two letters of all that a name has.
    const isFar = !goesOn && bits(letters(plain) ^ this.#letters) > 2 * most;
    const distance = isFar ? most + 1 : nameDistance(this.#name, plain, most);
    const kept = distance > most ? Number.POSITIVE_INFINITY : distance;
    this.#distances.set(name, kept);
    return kept;
  }
}

/** Which letters a name has, as bits; several letters may share one. */
function letters(name: string): number {
  let set = 0;
  for (let at = 0; at < name.length; at++) set |= 1 << (name.charCodeAt(at) & 31);
  return set;
}

function bits(set: number): number {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
}

function compareRanked(one: Ranked, other: Ranked): number {
  return (
    one.group - other.group ||
    one.score - other.score ||
    other.tail - one.tail ||
    comparePaths(one.path, other.path)
  );
}

/** Without what a keyboard, a file system or a screenshot's name changes: composition, apostrophes, blanks, case. */
function folded(text: string): string {
  return sameLetters(text).toLowerCase();
}

const PLAIN_ASCII = /^[\0-\x7f]*$/;

/** The same name as other systems and keyboards write it. */
export function sameLetters(name: string): string {
  if (PLAIN_ASCII.test(name)) return name;
  return name
    .normalize("NFC")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u00a0\u202f]/g, " ");
}

/** Whole components. */
function endsWith(path: string, tail: string): boolean {
  return path.endsWith(tail) && (path.length === tail.length || path.at(-tail.length - 1) === "/");
}

function sameTail(one: string, other: string): number {
  const [a, b] = [one.split("/").reverse(), other.split("/").reverse()];
  const end = a.findIndex((name, at) => name !== b[at]);
  return end === -1 ? a.length : end;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
