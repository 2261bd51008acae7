/** The official conformance suite with both revisions, over our room and over `quarry mcp`. */
import { expect, test } from "vitest";
import { forgotten, runQuarry, runRoom } from "./conformance/cases.ts";

test("the conformance suite passes over our room, and none of it is forgotten", async () => {
  const older = await runRoom("2025-11-25");
  expect(older.wrong).toEqual([]);
  const newest = await runRoom("2026-07-28");
  expect(newest.wrong).toEqual([]);
  expect(await forgotten([...older.ran, ...newest.ran])).toEqual([]);
});

test.each(["2025-11-25", "2026-07-28"] as const)("it passes over quarry mcp with %s", async (revision) => {
  expect(await runQuarry(revision)).toEqual([]);
});
