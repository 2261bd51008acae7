/** Damaged indexes, as many as `QUARRY_LONG_CASES` says: 10,000 if it does not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { damageLaw } from "./damage-law.ts";
import { type SavedGround, savedGround } from "./saved-ground.ts";

const CASES = Number(process.env["QUARRY_LONG_CASES"] ?? 10_000);
let ground: SavedGround;
beforeAll(async () => {
  ground = await savedGround();
});
afterAll(() => ground.remove());

test(`An index whose files were damaged answers right, and heals, ${CASES} times`, async () => {
  expect(await damageLaw(ground, CASES)).toBeGreaterThan(0.5);
});
