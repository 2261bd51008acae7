/** The law of damage: no crash, no other answer, and afterwards the index answers and what is saved is sound. */
import { assert, asyncProperty } from "fast-check";
import { expect } from "vitest";
import { eachMinute } from "../support/each-minute.ts";
import { damage, tried } from "./damage.ts";
import { answersOf, type SavedGround } from "./saved-ground.ts";

/** In which part of the cases the damage was noticed. */
export async function damageLaw(ground: SavedGround, numRuns: number): Promise<number> {
  const expected = answersOf(ground.expected);
  const tally = { cases: 0, noticed: 0 };
  const law = asyncProperty(damage, async (damage) => {
    const { said, healed, able, faults, ...rest } = await tried(ground, damage);
    tally.cases += 1;
    if (rest.noticed) tally.noticed += 1;
    expect(said).toEqual(expected);
    expect(healed).toEqual(expected.slice(0, 1));
    expect(able).toBe(true);
    expect(faults).toEqual([]);
  });
  await eachMinute(
    () => tally,
    // Small already.
    () => assert(law, { numRuns, endOnFailure: true }),
  );
  return tally.noticed / tally.cases;
}
