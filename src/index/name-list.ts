import { NAMES_SPLICED } from "../model/limits.ts";
import { comparePaths } from "../workspace/path-order.ts";
import { firstNotBefore } from "./ordered.ts";
import type { PathKey } from "./path-key.ts";

/**
 * The names of all files in one text, by path, so that those of a shape are found without looking at each. It is made
 * when it is asked for, and of the one before where few names came or went. Kept by `file-table.ts`, and for folders by
 * `folder-set.ts`.
 */

export interface NameText {
  /** Each behind a slash, and one behind the last. */
  readonly text: string;
  /** Where the slash of each is. */
  readonly starts: Uint32Array;
  /** 1 where one lies in another folder than the one before it. */
  readonly turns: Uint8Array;
  /** Of each the first four letters, the first of them lowest, and the last four, the last lowest; zeroes where it has less. */
  readonly heads: Int32Array;
  readonly tails: Int32Array;
}

export interface Keyed {
  readonly key: PathKey;
}

/** By path. */
type Keys = readonly Keyed[];

/** Files or folders in their order, by whose names those of a scope are looked up. */
export interface Named {
  /** Another whenever one came or went. */
  readonly version: number;
  readonly byPath: () => Keys;
  readonly names: () => NameText;
  /** Where those stand whose keys begin so: with a folder and its slash, or with nothing. */
  readonly range: (start: string) => readonly [from: number, to: number];
}

export class NameList {
  #names: NameText | null = null;
  /** Since the text was made. */
  readonly #came = new Set<PathKey>();
  readonly #went = new Set<PathKey>();
  #version = 0;

  /** Another whenever a name came or went. */
  get version(): number {
    return this.#version;
  }

  came(key: PathKey): void {
    this.#version += 1;
    if (this.#names !== null && !this.#went.delete(key)) this.#came.add(key);
  }

  went(key: PathKey): void {
    this.#version += 1;
    if (this.#names !== null && !this.#came.delete(key)) this.#went.add(key);
  }

  /** `keys` is all that came and did not go. */
  text(keys: Keys): NameText {
    const changes = this.#came.size + this.#went.size;
    if (this.#names !== null && changes === 0) return this.#names;
    const known = changes > NAMES_SPLICED ? null : this.#names;
    this.#names = (known === null ? null : spliced(known, keys, this.#came, this.#went)) ?? nameText(keys);
    this.#came.clear();
    this.#went.clear();
    return this.#names;
  }
}

/** Where those stand that begin so. A slash comes before all other bytes, so that they stand together. */
export function rangeOf(keys: Keys, start: string): readonly [from: number, to: number] {
  const isBefore = ({ key }: Keyed): number => (key.startsWith(start) ? -1 : comparePaths(key, start));
  return [placeOf(keys, start), firstNotBefore(keys, isBefore)];
}

/** Where a key is or would be. */
function placeOf(keys: Keys, key: PathKey): number {
  return firstNotBefore(keys, (one) => comparePaths(one.key, key));
}

export function nameText(keys: Keys): NameText {
  const starts = new Uint32Array(keys.length + 1);
  const turns = new Uint8Array(keys.length);
  const heads = new Int32Array(keys.length);
  const tails = new Int32Array(keys.length);
  let end = 0;
  const names = keys.map(({ key }, at) => {
    const slash = key.lastIndexOf("/");
    end += key.length - slash;
    starts[at + 1] = end;
    turns[at] = turnAt(keys, at);
    heads[at] = headOf(key, slash + 1);
    tails[at] = tailOf(key, slash + 1);
    return key.slice(slash + 1);
  });
  const text = ["", ...names, ""].join("/");
  return { text, starts, turns, heads, tails };
}

/** Of the text from `from` on, a byte for each letter. */
export function headOf(text: string, from: number = 0): number {
  let head = 0;
  for (let at = Math.min(text.length, from + 4) - 1; at >= from; at -= 1)
    head = (head << 8) | text.charCodeAt(at);
  return head;
}

export function tailOf(text: string, from: number = 0): number {
  let tail = 0;
  for (let at = Math.max(from, text.length - 4); at < text.length; at += 1)
    tail = (tail << 8) | text.charCodeAt(at);
  return tail;
}

function turnAt(keys: Keys, at: number): 0 | 1 {
  const [before, key] = [keys[at - 1]?.key, keys[at]?.key];
  if (before === undefined || key === undefined) return 1;
  const slash = key.lastIndexOf("/");
  return slash === before.lastIndexOf("/") && before.startsWith(key.slice(0, slash + 1)) ? 0 : 1;
}

/** Of the text before, with what came and without what went; null where that does not add up. */
function spliced(
  { text, starts, turns, heads, tails }: NameText,
  keys: Keys,
  came: ReadonlySet<PathKey>,
  went: ReadonlySet<PathKey>,
): NameText | null {
  const added = [...came].map((key) => placeOf(keys, key)).sort((one, other) => one - other);
  const removed = placesBefore(keys, added, went);
  const pieces: string[] = [];
  const [moved, turned] = [new Uint32Array(keys.length + 1), new Uint8Array(keys.length)];
  const [begun, ended] = [new Int32Array(keys.length), new Int32Array(keys.length)];
  const old = starts.length - 1;
  let [at, from, end] = [0, 0, 0];
  let [nextAdded, nextRemoved] = [0, 0];
  while (at < keys.length || from < old) {
    const run = Math.min((added[nextAdded] ?? keys.length) - at, (removed[nextRemoved] ?? old) - from);
    if (run < 0) return null;
    const shift = end - (starts[from] ?? 0);
    for (let one = 0; one < run; one += 1) moved[at + one] = (starts[from + one] ?? 0) + shift;
    pieces.push(text.slice(starts[from], starts[from + run]));
    turned.set(turns.subarray(from, from + run), at);
    begun.set(heads.subarray(from, from + run), at);
    ended.set(tails.subarray(from, from + run), at);
    // It may stand behind another than before.
    if (run > 0) turned[at] = turnAt(keys, at);
    end += (starts[from + run] ?? 0) - (starts[from] ?? 0);
    at += run;
    from += run;
    if (removed[nextRemoved] === from) {
      from += 1;
      nextRemoved += 1;
    } else if (added[nextAdded] === at) {
      const key = keys[at]?.key ?? "";
      const slash = key.lastIndexOf("/");
      pieces.push(`/${key.slice(slash + 1)}`);
      moved[at] = end;
      turned[at] = turnAt(keys, at);
      begun[at] = headOf(key, slash + 1);
      ended[at] = tailOf(key, slash + 1);
      end += key.length - slash;
      at += 1;
      nextAdded += 1;
    } else if (run === 0) return null;
  }
  moved[keys.length] = end;
  if (at < keys.length) return null;
  return { text: `${pieces.join("")}/`, starts: moved, turns: turned, heads: begun, tails: ended };
}

/** Where keys that went were: of those now before each, some have come, and before it others went. */
function placesBefore(keys: Keys, added: readonly number[], went: ReadonlySet<PathKey>): readonly number[] {
  return [...went].sort(comparePaths).map((key, gone) => {
    const place = placeOf(keys, key);
    return place - added.filter((at) => at < place).length + gone;
  });
}
