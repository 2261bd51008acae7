/**
 * The mutation machine over as many steps as `QUARRY_LONG_CASES` says: 100,000 if it does not. One in twenty is made
 * with the index in a process of its own, and as many where permissions count.
 */
import { asyncProperty, check } from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { eachMinute } from "../support/each-minute.ts";
import { Grounds } from "./mutation-ground.ts";
import {
  type Counted,
  closedRounds,
  type Played,
  play,
  playInProcess,
  processRounds,
  rounds,
} from "./mutations.ts";

const STEPS = Number(process.env["QUARRY_LONG_CASES"] ?? 100_000);
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const grounds = new Grounds(100);
afterAll(() => grounds.remove());

/** Plays until so many steps were made. */
async function playOut(
  arbitrary: typeof rounds,
  steps: number,
  one: (played: Played, counted: Counted) => ReturnType<typeof play>,
): Promise<Counted> {
  const counted: Counted = { steps: 0, asked: 0, byIndex: 0 };
  await eachMinute(
    () => counted,
    () => playOn(arbitrary, steps, counted, one),
  );
  console.log(counted);
  return counted;
}

async function playOn(
  arbitrary: typeof rounds,
  steps: number,
  counted: Counted,
  one: (played: Played, counted: Counted) => ReturnType<typeof play>,
): Promise<void> {
  while (counted.steps < steps) {
    const report = await check(
      asyncProperty(arbitrary, async (played) => {
        expect(await one(played, counted)).toBeNull();
      }),
      { numRuns: 20 },
    );
    if (report.failed)
      throw new Error(`Of seed ${report.seed}: ${JSON.stringify(report.counterexample)}`, {
        cause: report.errorInstance,
      });
  }
}

describe("The index is as fresh as the disk", () => {
  it(`in ${STEPS} steps`, async () => {
    const { byIndex, asked } = await playOut(rounds, STEPS * 0.9, (played, counted) =>
      play(grounds, played, counted),
    );
    expect(byIndex / asked).toBeGreaterThan(0.5);
  });

  it(`in ${STEPS / 20} steps of which some stop and kill its process`, async () => {
    const { byIndex, asked } = await playOut(processRounds, STEPS / 20, (played, counted) =>
      playInProcess(grounds, played, counted),
    );
    expect(byIndex / asked).toBeGreaterThan(0.5);
  });

  it.skipIf(!isRoot)(
    `in ${STEPS / 20} steps that shut folders (needs root, to be another user)`,
    async () => {
      const { byIndex, asked } = await playOut(closedRounds, STEPS / 20, (played, counted) =>
        playInProcess(grounds, played, counted, NOBODY),
      );
      expect(byIndex / asked).toBeGreaterThan(0.2);
    },
  );
});
