import { assert, asyncProperty, check } from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import { Grounds } from "./mutation-ground.ts";
import { type Counted, closedRounds, play, playInProcess, processRounds, rounds } from "./mutations.ts";

const RUNS = 125;
const PROCESS_RUNS = 6;
/** What fails is made smaller for a while, and told before the time is up. */
const SOON = { interruptAfterTimeLimit: 400_000, markInterruptAsFailure: true } as const;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const grounds = new Grounds(40);
afterAll(() => grounds.remove());

const nothing = (): Counted => ({ steps: 0, asked: 0, byIndex: 0 });

describe("The index is as fresh as the disk", () => {
  it("after every change that a tree can have", async () => {
    const counted = nothing();
    await assert(
      asyncProperty(rounds, async (played) => {
        expect(await play(grounds, played, counted)).toBeNull();
      }),
      { numRuns: RUNS, ...SOON },
    );
    expect(counted.steps).toBeGreaterThan(1_700);
    expect(counted.byIndex / counted.asked).toBeGreaterThan(0.5);
  }, 600_000);

  it("when its process is stopped, or killed and started again", async () => {
    const counted = nothing();
    await assert(
      asyncProperty(processRounds, async (played) => {
        expect(await playInProcess(grounds, played, counted)).toBeNull();
      }),
      { numRuns: PROCESS_RUNS, ...SOON },
    );
    expect(counted.byIndex / counted.asked).toBeGreaterThan(0.5);
  }, 600_000);

  it.skipIf(!isRoot)(
    "when folders are shut and opened (needs root, to be another user)",
    async () => {
      const counted = nothing();
      await assert(
        asyncProperty(closedRounds, async (played) => {
          expect(await playInProcess(grounds, played, counted, NOBODY)).toBeNull();
        }),
        { numRuns: PROCESS_RUNS, ...SOON },
      );
      expect(counted.byIndex / counted.asked).toBeGreaterThan(0.2);
    },
    600_000,
  );

  it("and would not be without the barrier", async () => {
    const deaf = async (...options: Parameters<typeof openFeed>): ReturnType<typeof openFeed> => ({
      ...(await openFeed(...options)),
      settle: async () => {},
    });
    const report = await check(
      asyncProperty(
        rounds,
        async (played) => (await play(grounds, played, nothing(), { openFeed: deaf })) === null,
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(report.failed).toBe(true);
  }, 600_000);
});
