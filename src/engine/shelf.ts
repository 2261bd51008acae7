import { NAMES_PER_CHILD, UNREAD_OUTPUT } from "../model/limits.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import { matchDecoder } from "../ripgrep/decode.ts";
import type { Piece } from "../ripgrep/pieces.ts";
import { fileKey } from "../workspace/targets.ts";
import type { Found } from "../model/found.ts";
import { compareFiles, modificationTimes } from "./order.ts";

/**
 * Puts what a parallel scan found in order, in bounded memory. Records wait here undecoded; when they
 * outgrow what may be held, those of the files that come last are let go, and fetched again by name only
 * if somebody reads that far.
 */

/** Searches just these files again. They are known to be text, so naming them does not change the answer. */
export type Refetch = (names: readonly string[]) => AsyncIterable<Piece>;

/** A piece with the time of its file, where that is known by now. */
export interface Dated extends Piece {
  readonly mtime?: number | null;
}

interface Item {
  readonly file: FilePath;
  records: Buffer[];
  bytes: number;
  lines: number;
  letGo: boolean;
  mtime: number | null;
}

export async function* inOrder(
  query: Query,
  pieces: AsyncIterable<Dated>,
  refetch: Refetch,
  bound: number = UNREAD_OUTPUT,
): AsyncGenerator<Found> {
  const items = await gather(query, pieces, bound);
  await sort(query, items);
  for (const [at, item] of items.entries()) {
    yield {
      file: item.file,
      lines: item.lines,
      chunks: () => chunks(query, items, at, refetch, bound),
    };
    // Given out once; the next ones may need the room.
    item.records = [];
    item.letGo = true;
  }
}

async function gather(query: Query, pieces: AsyncIterable<Dated>, bound: number): Promise<Item[]> {
  const items = new Map<string, Item>();
  let held = 0;
  for await (const piece of pieces) {
    const key = fileKey(piece.file);
    const item = items.get(key) ?? {
      file: piece.file,
      records: [],
      bytes: 0,
      lines: 0,
      letGo: false,
      mtime: null,
    };
    items.set(key, item);
    item.mtime ??= piece.mtime ?? null;
    item.lines += piece.lines;
    item.bytes += piece.records.length;
    if (item.letGo) continue;
    item.records.push(piece.records);
    held += piece.records.length;
    if (held > bound) held = await letGo(query, [...items.values()], held, bound / 2);
  }
  return [...items.values()];
}

/** Lets go of the records that come last, until what is held fits. */
async function letGo(query: Query, items: Item[], held: number, bound: number): Promise<number> {
  await sort(query, items);
  let left = held;
  for (const item of items.reverse()) {
    if (left <= bound) break;
    // A name that is not UTF-8 cannot be handed to a program, so its file could not be fetched again.
    if (item.letGo || item.file.pathBytes !== undefined) continue;
    left -= item.records.reduce((bytes, records) => bytes + records.length, 0);
    item.records = [];
    item.letGo = true;
  }
  return left;
}

async function sort(query: Query, items: Item[]): Promise<void> {
  if (query.order === "mtime") {
    const unknown = items.filter((item) => item.mtime === null);
    const times = await modificationTimes(
      query.root,
      unknown.map((item) => item.file),
    );
    for (const [at, item] of unknown.entries()) item.mtime = times[at] ?? 0;
    items.sort((one, other) => (other.mtime ?? 0) - (one.mtime ?? 0) || compareFiles(one.file, other.file));
    return;
  }
  items.sort((one, other) => compareFiles(one.file, other.file));
}

async function* chunks(
  query: Query,
  items: readonly Item[],
  at: number,
  refetch: Refetch,
  bound: number,
): AsyncGenerator<readonly Match[]> {
  const item = items[at];
  if (item === undefined) return;
  const { decode } = matchDecoder(item.file, query.after);
  if (!item.letGo) {
    for (const [part, records] of item.records.entries()) {
      yield decode(records, part === item.records.length - 1);
    }
    return;
  }
  const batch = nextBatch(items, at, bound / 2);
  if (batch.length === 1) {
    // One file, however large: passed on as it comes.
    for await (const piece of refetch([item.file.path])) {
      if (!piece.binary) yield decode(piece.records, piece.last);
    }
    return;
  }
  const byPath = new Map(batch.map((member) => [member.file.path, member]));
  for (const member of batch) member.letGo = false;
  for await (const piece of refetch(batch.map((member) => member.file.path))) {
    if (!piece.binary) byPath.get(piece.file.path)?.records.push(piece.records);
  }
  yield* chunks(query, items, at, refetch, bound);
}

/** The files from here on that were let go, as many as fit one run and half the room. */
function nextBatch(items: readonly Item[], at: number, room: number): Item[] {
  const batch: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(at, at + NAMES_PER_CHILD)) {
    if (!item.letGo) continue;
    bytes += item.bytes;
    if (batch.length > 0 && bytes > room) break;
    batch.push(item);
  }
  return batch;
}
