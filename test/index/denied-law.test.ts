import { expect, test } from "vitest";
import { deniedLaw } from "./denied-law.ts";

test("The index finds, orders and counts what a session may see, and may not, as ripgrep's walk does", async () => {
  const { cases, byIndex, counted } = await deniedLaw(40);
  expect(byIndex / cases).toBeGreaterThan(0.4);
  expect(counted / cases).toBeGreaterThan(0.1);
}, 240_000);
