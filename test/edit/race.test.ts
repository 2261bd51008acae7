/** A short race with each kind of writer; `race.long.ts` has ten thousand edits. */
import { describe, expect, it } from "vitest";
import { race } from "./race.ts";

describe.skipIf(process.platform !== "linux")("Edits raced with somebody else who writes", () => {
  it.each(["appends", "rewrites", "replaces"] as const)(
    "lose nothing of his in silence: he %s",
    async (way) => {
      const raced = await race(way, 25);
      expect(raced.missing).toBeLessThanOrEqual(raced.told);
      expect(raced).toMatchObject({ undone: 0, left: [] });
      // It was a race: he wrote, and some of our edits were made.
      expect(raced.written).toBeGreaterThan(5);
      expect(raced.applied).toBeGreaterThan(0);
    },
  );
});
