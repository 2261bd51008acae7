import { afterAll, expect, test } from "vitest";
import { plant } from "../differential/tree.ts";
import { withOddFiles } from "./odd-files.ts";
import { searchLaw } from "./search-law.ts";

const planted = plant();
afterAll(planted.remove);

test("The index finds the files that ripgrep finds, in their order", async () => {
  const { cases, byIndex, matched } = await searchLaw(withOddFiles(planted), 300);
  expect(byIndex / cases).toBeGreaterThan(0.4);
  expect(matched / cases).toBeGreaterThan(0.4);
}, 240_000);
