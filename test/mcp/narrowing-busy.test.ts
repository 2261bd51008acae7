/** A process that has no descriptor left says so, and does not call the settings of the project wrong. */
import { expect, test, vi } from "vitest";
import { narrowing } from "../../src/mcp/narrowing.ts";
import { tree } from "../support/tree.ts";

vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  open: () => Promise.reject(Object.assign(new Error("too many"), { code: "EMFILE" })),
}));

test("settings that cannot be read for want of descriptors are no mistake of the project", async () => {
  await expect(narrowing(tree({ "quarry.json": "{}" }))).rejects.toMatchObject({
    code: "SERVER_BUSY",
    message: "quarry.json cannot be read at the moment (EMFILE)",
  });
});
