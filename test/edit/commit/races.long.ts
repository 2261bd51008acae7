import { expect, test } from "vitest";
import { ground, leftovers } from "./ground.ts";
import { race } from "./races.ts";

const EDITS = Number(process.env["QUARRY_RACED_EDITS"] ?? 10_000);

test.each(["appends", "replaces"] as const)(
  "edits raced with a writer that %s lose nothing in silence",
  async (writer) => {
    const g = await ground({});
    const raced = await race(g, writer, EDITS);
    console.log(writer, JSON.stringify(raced));
    expect(raced.lost).toBeLessThanOrEqual(raced.told);
    expect(leftovers(g).filter((name) => !name.startsWith("rescued/"))).toEqual([]);
  },
);
