/**
 * The official conformance suite, once with each revision: the newest over our room, the older ones with their sessions
 * over `quarry mcp`. All of both is a long run.
 */
import { expect, test } from "vitest";
import { runQuarry, runRoom } from "./conformance/cases.ts";

test("the conformance suite passes over our room but for what it does not offer", async () => {
  const { wrong } = await runRoom("2026-07-28");
  expect(wrong).toEqual([]);
});

test("the conformance suite passes over quarry mcp where it needs no handlers of its own", async () => {
  expect(await runQuarry("2025-11-25")).toEqual([]);
});
