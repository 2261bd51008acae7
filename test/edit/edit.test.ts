/** A few hundred edits on every run of the suite; `edit.long.ts` has a hundred thousand. */
import { describe, expect, it } from "vitest";
import { editsHold } from "./law.ts";

describe("An edit", () => {
  it("does what the plain model says, or is refused for its reasons, and every answer is true", async () => {
    const { applied, merged, mergeable } = await editsHold(300);
    expect(applied).toBeGreaterThan(120);
    expect(merged / mergeable).toBeGreaterThan(0.5);
  });
});
