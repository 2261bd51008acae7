import { expect, test } from "vitest";
import { cross } from "./crossing.ts";

test("no answer crosses between 16 clients with the same ids, and nothing is left of them", async () => {
  const { answers, wrong, before, after } = await cross({
    clients: 16,
    milliseconds: 20_000,
    rounds: 8,
    warm: 10_000,
  });
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThan(16 * 3);
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors);
  expect([before.children, after.children]).toEqual([0, 0]);
});
