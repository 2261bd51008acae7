import { afterAll, beforeAll, expect, test } from "vitest";
import { damageLaw } from "./damage-law.ts";
import { type SavedGround, savedGround } from "./saved-ground.ts";

let ground: SavedGround;
beforeAll(async () => {
  ground = await savedGround();
});
afterAll(() => ground.remove());

test("An index whose files were damaged answers right, and heals", async () => {
  expect(await damageLaw(ground, 100)).toBeGreaterThan(0.5);
});
