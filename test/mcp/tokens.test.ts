/** What every conversation pays for the tools, counted as o200k counts. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";

/** Name, description and input schema of all tools, as JSON. */
function tokens(definitions: ReturnType<typeof toolDefinitions>): number {
  const told = definitions.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return encode(JSON.stringify(told)).length;
}

describe("the definitions of the quarry dialect", () => {
  test("cost at most 1,200 tokens together", () => {
    const cost = tokens(toolDefinitions());
    expect(cost).toBeLessThanOrEqual(1_200);
    // Five tools cannot cost less: the counter counts.
    expect(cost).toBeGreaterThan(500);
  });
});
