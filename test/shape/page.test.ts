import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Match } from "../../src/model/match.ts";
import type { Mode, Page } from "../../src/model/query.ts";
import { type PageHit, page, type PageTally } from "../../src/shape/page.ts";
import { all, stream } from "../support/query.ts";

interface Paged {
  readonly file: { readonly path: string };
  readonly lines: number;
  readonly chunks: () => AsyncIterable<readonly Match[]>;
}

const EVERYTHING: Page = { skipFiles: 0, maxFiles: null, maxMatches: null, maxPerFile: null };

/** Files with so many matches each, in chunks. */
function files(counts: readonly number[], chunk = 3): Paged[] {
  return counts.map((count, at) => {
    const path = `f${at}`;
    const matches = Array.from(
      { length: count },
      (_, line): Match => ({ path, line, text: "", submatches: [], before: [], after: [] }),
    );
    const chunks = Array.from({ length: Math.ceil(count / chunk) }, (_, part) =>
      matches.slice(part * chunk, (part + 1) * chunk),
    );
    return { file: { path }, lines: count, chunks: () => stream(chunks) };
  });
}

async function take(
  found: AsyncIterable<Paged> | readonly Paged[],
  limits: Partial<Page>,
  mode: Mode = "content",
): Promise<{ hits: PageHit[]; tally: PageTally }> {
  const tally: PageTally = { files: 0, matches: 0, more: false };
  const source = Array.isArray(found) ? stream(found as readonly Paged[]) : (found as AsyncIterable<Paged>);
  return { hits: await all(page(source, { ...EVERYTHING, ...limits }, mode, tally)), tally };
}

const names = (hits: readonly PageHit[]): string[] =>
  hits.map((hit) => ("line" in hit ? `${hit.path}:${hit.line}` : hit.path));

describe("pages", () => {
  it("together are the whole, each hit once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom<Mode>("content", "files", "count"),
        async (counts, maxFiles, mode) => {
          const whole = await take(files(counts), {}, mode);
          const hits: PageHit[] = [];
          let more = true;
          for (let skipFiles = 0; more; skipFiles += maxFiles) {
            const part = await take(files(counts), { skipFiles, maxFiles }, mode);
            expect(part.tally.files).toBe(Math.min(maxFiles, Math.max(0, counts.length - skipFiles)));
            hits.push(...part.hits);
            more = part.tally.more;
          }
          expect(hits).toEqual(whole.hits);
          expect(whole.tally.more).toBe(false);
        },
      ),
    );
  });

  it("say that there is more exactly when something was held back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 8 }),
        fc.option(fc.integer({ min: 1, max: 9 })),
        fc.option(fc.integer({ min: 1, max: 20 })),
        fc.option(fc.integer({ min: 1, max: 9 })),
        async (counts, maxFiles, maxMatches, maxPerFile) => {
          const { hits, tally } = await take(files(counts), { maxFiles, maxMatches, maxPerFile });
          const whole = await take(files(counts), {});
          expect(tally.more).toBe(hits.length < whole.hits.length);
          expect(tally.matches).toBe(hits.length);
          expect(hits.length).toBeLessThanOrEqual(maxMatches ?? Infinity);
          expect(new Set(hits.map(({ path }) => path)).size).toBe(tally.files);
          // What is handed out comes in the order of the whole.
          const order = names(whole.hits);
          const places = names(hits).map((name) => order.indexOf(name));
          expect(places).toEqual([...places].sort((one, other) => one - other));
        },
      ),
    );
  });

  it("give so many matches of each file, and so many in all", async () => {
    expect(names((await take(files([3, 1, 3]), { maxPerFile: 2 })).hits)).toEqual([
      "f0:0",
      "f0:1",
      "f1:0",
      "f2:0",
      "f2:1",
    ]);
    expect(names((await take(files([3, 1, 3]), { maxMatches: 4 })).hits)).toEqual([
      "f0:0",
      "f0:1",
      "f0:2",
      "f1:0",
    ]);
  });

  it("count lines in the mode that counts, and files in the mode that names", async () => {
    const counted = await take(files([3, 2]), {}, "count");
    expect([counted.hits, counted.tally]).toEqual([
      [
        { path: "f0", count: 3 },
        { path: "f1", count: 2 },
      ],
      { files: 2, matches: 5, more: false },
    ]);
    const named = await take(files([3, 2]), {}, "files");
    expect([named.hits, named.tally.matches]).toEqual([[{ path: "f0" }, { path: "f1" }], 2]);
  });

  it("pull no further than one file behind the last that they show", async () => {
    let pulled = 0;
    async function* counting(): AsyncGenerator<Paged> {
      for (const file of files(Array.from({ length: 100 }, () => 1))) {
        pulled++;
        yield file;
      }
    }
    await take(counting(), { skipFiles: 2, maxFiles: 3 });
    expect(pulled).toBe(6);
  });
});
