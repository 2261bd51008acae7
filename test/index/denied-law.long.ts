/** The law of what a session may not see, over about as many comparisons as `QUARRY_LONG_CASES` says: 20,000 without it. */
import { expect, test } from "vitest";
import { deniedLaw } from "./denied-law.ts";

const CASES = Number(process.env["QUARRY_LONG_CASES"] ?? 20_000);
/** Of one tree that changes, at the least. */
const COMPARISONS = 6;

test(`The index finds, orders and counts what a session may see, and may not, ${CASES} times`, async () => {
  const { cases, byIndex, counted } = await deniedLaw(Math.ceil(CASES / COMPARISONS));
  console.log({ cases, byIndex, counted });
  expect(byIndex / cases).toBeGreaterThan(0.4);
  expect(counted / cases).toBeGreaterThan(0.1);
});
