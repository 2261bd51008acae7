/** Ten thousand edits in a race, or as many as `QUARRY_RACED_EDITS` says, shared by three kinds of writers. */
import { describe, expect, it } from "vitest";
import { race } from "./race.ts";

const edits = Math.ceil(Number(process.env["QUARRY_RACED_EDITS"] ?? 10_000) / 3);

describe.skipIf(process.platform !== "linux")("Edits raced with somebody else who writes", () => {
  it.each(["appends", "rewrites", "replaces"] as const)(
    "lose nothing of his in silence: he %s",
    async (way) => {
      const raced = await race(way, edits);
      console.info(way, JSON.stringify(raced));
      expect(raced.missing).toBeLessThanOrEqual(raced.told);
      expect(raced).toMatchObject({ undone: 0, left: [] });
    },
  );
});
