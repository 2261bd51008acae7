import { afterAll, expect, test } from "vitest";
import { plant } from "../differential/tree.ts";
import { searchLaw } from "./search-law.ts";

const tree = plant();
afterAll(tree.remove);

test("The index finds the files that ripgrep finds, in their order", async () => {
  const { cases, byIndex, matched } = await searchLaw(tree, 300);
  expect(byIndex / cases).toBeGreaterThan(0.4);
  expect(matched / cases).toBeGreaterThan(0.4);
}, 240_000);
