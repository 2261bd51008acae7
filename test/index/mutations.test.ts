import { assert, asyncProperty, check } from "fast-check";
import { describe, expect, it } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import { type Counted, play, rounds } from "./mutations.ts";

const RUNS = 150;

describe("The index is as fresh as the disk", () => {
  it("after every change that a tree can have", async () => {
    const counted: Counted = { steps: 0, asked: 0, byIndex: 0 };
    await assert(
      asyncProperty(rounds, async (played) => {
        expect(await play(played, counted)).toBeNull();
      }),
      { numRuns: RUNS },
    );
    expect(counted.steps).toBeGreaterThan(2_000);
    expect(counted.byIndex / counted.asked).toBeGreaterThan(0.5);
  }, 600_000);

  it("and would not be without the barrier", async () => {
    const counted: Counted = { steps: 0, asked: 0, byIndex: 0 };
    const deaf = async (...options: Parameters<typeof openFeed>): ReturnType<typeof openFeed> => ({
      ...(await openFeed(...options)),
      settle: async () => {},
    });
    const report = await check(
      asyncProperty(rounds, async (played) => (await play(played, counted, { openFeed: deaf })) === null),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(report.failed).toBe(true);
  }, 600_000);
});
