import { afterAll, expect, test } from "vitest";
import { plant } from "../differential/tree.ts";
import { findLaw } from "./find-law.ts";

const tree = plant();
afterAll(tree.remove);

test("The index lists what ripgrep's walk finds, in its order and number", async () => {
  const { cases, byIndex, matched } = await findLaw(tree, 300);
  expect(byIndex / cases).toBeGreaterThan(0.4);
  expect(matched / cases).toBeGreaterThan(0.4);
}, 240_000);
