/** Processes killed while they build, as many as `QUARRY_LONG_CASES` says: 200 if it does not. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type KillGround, killGround, killOften } from "./kill.ts";
import { answersOf } from "./saved-ground.ts";

const TIMES = Number(process.env["QUARRY_LONG_CASES"] ?? 200);
let ground: KillGround;
beforeAll(async () => {
  ground = await killGround();
});
afterAll(() => ground.remove());

test(`A process that is killed while it builds leaves nothing that is wrong, ${TIMES} times`, async () => {
  for (const left of await killOften(ground, TIMES)) {
    expect(left).toEqual({ said: answersOf([ground.expected]), able: true, faults: [] });
  }
});
