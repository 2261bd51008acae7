import { expect, test } from "vitest";
import { cross } from "./crossing.ts";

const SECONDS = Number(process.env["QUARRY_LONG_SECONDS"] ?? 600);
/** What a heap may wander between two collections. */
const SLACK = 64;
/** Without a pause the clients measure the machine; with one they leave it to whoever else needs it. */
const BETWEEN = 1_000;

test(`no answer crosses between 64 clients with the same ids for ${SECONDS} s; memory and descriptors are flat`, async () => {
  const report = await cross({
    clients: 64,
    milliseconds: SECONDS * 1000,
    rounds: Number.POSITIVE_INFINITY,
    warm: Math.min(60_000, SECONDS * 200),
    between: BETWEEN,
  });
  const { answers, wrong, before, after, course } = report;
  console.log(JSON.stringify({ answers, wrong: wrong.length, before, after, course }));
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThan(64 * 3);
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
  expect(after.mebibytes).toBeLessThan(before.mebibytes + SLACK);
  expect([before.children, after.children]).toEqual([0, 0]);
});
