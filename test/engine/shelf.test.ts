import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { inOrder, type Refetch } from "../../src/engine/shelf.ts";
import type { Match } from "../../src/model/match.ts";
import type { Order, Query } from "../../src/model/query.ts";
import type { Piece } from "../../src/ripgrep/pieces.ts";
import { searchRun } from "../../src/ripgrep/search.ts";
import { normaliseSearch } from "../../src/tools/normalise.ts";
import { all, stream } from "../support/query.ts";
import { plant, touch } from "../support/tree.ts";

const COUNT = 40;
const { root, remove } = plant(
  Object.fromEntries(
    Array.from({ length: COUNT }, (_, at) => [
      `d${at % 4}/f${at}`,
      Array.from(
        { length: 1 + ((at * 7) % 11) },
        (_, line) => `before\nneedle ${"x".repeat(at)} ${line}\nafter\n`,
      ).join("\n"),
    ]),
  ),
);
for (let at = 0; at < COUNT; at++) touch(root, `d${at % 4}/f${at}`, 1_000_000 + ((at * 17) % 10));
afterAll(remove);

async function ask(order: Order): Promise<Query> {
  return (await normaliseSearch({ root, pattern: "needle", order, before: 1, after: 1 }, {})).query;
}

function scan(query: Query, operands: readonly string[]): AsyncIterable<Piece> {
  return searchRun(query, {
    operands,
    nameGlobs: [],
    explain: false,
    env: {},
    timeoutMs: 20_000,
    signal: undefined,
    wanted: () => true,
  });
}

interface Read {
  readonly files: { readonly path: string; readonly lines: number; readonly matches: readonly Match[] }[];
  readonly fetched: string[][];
}

/** Reads everything, or only every n-th file, from a shelf of a size. */
async function read(query: Query, pieces: readonly Piece[], bound: number, every = 1): Promise<Read> {
  const fetched: string[][] = [];
  const refetch: Refetch = (names) => {
    fetched.push([...names]);
    return scan(query, names);
  };
  const files: Read["files"] = [];
  let at = 0;
  for await (const found of inOrder(query, stream(pieces), refetch, bound)) {
    const matches = at++ % every === 0 ? (await all(found.chunks())).flat() : [];
    files.push({ path: found.file.path, lines: found.lines, matches });
  }
  return { files, fetched };
}

describe("a shelf", () => {
  it.each<Order>(["path", "mtime"])(
    "gives the same by %s whatever it may hold, and in whatever order it is filled",
    async (order) => {
      const query = await ask(order);
      const pieces = await all(scan(query, ["./"]));
      const whole = await read(query, pieces, Infinity);
      expect(whole.files).toHaveLength(COUNT);
      expect(whole.fetched).toEqual([]);
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(pieces, { minLength: pieces.length }),
          fc.constantFrom(1, 500, 3000, 10_000, 30_000),
          async (shuffled, bound) => {
            expect((await read(query, shuffled, bound)).files).toEqual(whole.files);
          },
        ),
        { numRuns: 12 },
      );
    },
  );

  it("lets go of what comes last, and fetches only what is read", async () => {
    const query = await ask("path");
    const pieces = await all(scan(query, ["./"]));
    const bytes = pieces.reduce((sum, { records }) => sum + records.length, 0);
    const { files, fetched } = await read(query, pieces, bytes / 2);
    const refetched = new Set(fetched.flat());
    expect(refetched.size).toBeGreaterThan(0);
    expect(refetched.size).toBeLessThan(COUNT);
    // The first ones were kept.
    expect(files.slice(0, 5).some(({ path }) => refetched.has(path))).toBe(false);
    expect(fetched.flat().length).toBe(refetched.size);
    const first = await read(query, pieces, bytes / 2, COUNT);
    expect(first.fetched).toEqual([]);
  });

  it("gives what is read in part as it gives the whole", async () => {
    const query = await ask("path");
    const pieces = await all(scan(query, ["./"]));
    const whole = await read(query, pieces, Infinity, 3);
    expect((await read(query, pieces, 2000, 3)).files).toEqual(whole.files);
  });

  it("puts the pieces of one file together", async () => {
    const query = await ask("path");
    const piece = (await all(scan(query, ["./"]))).find(({ lines }) => lines > 6);
    const records = piece?.records.toString().split(/(?<=\n)/) ?? [];
    const parts = records.map(
      (record, at): Piece => ({
        file: piece?.file ?? { path: "" },
        records: Buffer.from(record),
        lines: at === records.length - 1 ? (piece?.lines ?? 0) : 0,
        last: at === records.length - 1,
        binary: false,
        elided: false,
      }),
    );
    const whole = await read(query, piece === undefined ? [] : [piece], Infinity);
    expect(whole.files[0]?.matches.length).toBeGreaterThan(6);
    for (const bound of [Infinity, 1000, 1])
      expect((await read(query, parts, bound)).files).toEqual(whole.files);
  });
});
