import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { slice, type SliceTally } from "../../src/shape/slice.ts";
import { all, stream } from "../support/query.ts";

async function take(
  count: number,
  skip: number,
  limit: number | null,
): Promise<{ items: number[]; tally: SliceTally }> {
  const tally: SliceTally = { count: 0, more: false };
  const items = Array.from({ length: count }, (_, at) => at);
  return { items: await all(slice(stream(items), { skip, limit }, tally)), tally };
}

describe("slices", () => {
  it("together are the whole, each item once and in order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 12 }), async (count, limit) => {
        const items: number[] = [];
        let more = true;
        for (let skip = 0; more; skip += limit) {
          const part = await take(count, skip, limit);
          expect(part.tally.count).toBe(part.items.length);
          items.push(...part.items);
          more = part.tally.more;
        }
        expect(items).toEqual(Array.from({ length: count }, (_, at) => at));
      }),
    );
  });

  it("say that there is more exactly when there is", async () => {
    expect((await take(5, 2, 3)).tally).toEqual({ count: 3, more: false });
    expect((await take(5, 1, 3)).tally).toEqual({ count: 3, more: true });
    expect((await take(5, 9, 3)).tally).toEqual({ count: 0, more: false });
    expect((await take(5, 0, null)).tally).toEqual({ count: 5, more: false });
  });

  it("end what they pull from", async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<number> {
      try {
        for (let at = 0; ; at++) yield at;
      } finally {
        ended = true;
      }
    }
    const items = await all(slice(endless(), { skip: 1, limit: 2 }, { count: 0, more: false }));
    expect([items, ended]).toEqual([[1, 2], true]);
  });
});
