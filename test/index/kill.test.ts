import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillGround, killGround, killOften } from "./kill.ts";
import { answersOf } from "./saved-ground.ts";

let ground: KillGround;
beforeAll(async () => {
  ground = await killGround();
});
afterAll(() => ground.remove());

test("A process that is killed while it builds leaves nothing that is wrong, or for long", async () => {
  for (const left of await killOften(ground, 5)) {
    expect(left).toEqual({ said: answersOf([ground.expected]), engine: "index", faults: [] });
  }
});
