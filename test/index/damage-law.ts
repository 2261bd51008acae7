/** The law of damage: no crash, no other answer, and afterwards the index answers and what is saved is sound. */
import { assert, asyncProperty } from "fast-check";
import { expect } from "vitest";
import { damage, tried } from "./damage.ts";
import { answersOf, type SavedGround } from "./saved-ground.ts";

/** In which part of the cases the damage was noticed. */
export async function damageLaw(ground: SavedGround, numRuns: number): Promise<number> {
  const expected = answersOf(ground.expected);
  let noticed = 0;
  let cases = 0;
  await assert(
    asyncProperty(damage, async (damage) => {
      const { said, healed, able, faults, ...rest } = await tried(ground, damage);
      cases += 1;
      if (rest.noticed) noticed += 1;
      expect(said).toEqual(expected);
      expect(healed).toEqual(expected.slice(0, 1));
      expect(able).toBe(true);
      expect(faults).toEqual([]);
    }),
    // Small already.
    { numRuns, endOnFailure: true },
  );
  return noticed / cases;
}
