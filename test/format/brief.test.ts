import { expect, it } from "vitest";
import { briefAge, briefSize } from "../../src/format/brief.ts";

it("sizes take a few characters, rounded to the next unit where they round to it", () => {
  const sizes = [0, 999, 1000, 1049, 9_949, 9_950, 999_499, 999_500, 52_000_000, 1e9, 3e12];
  expect(sizes.map(briefSize)).toEqual([
    "0B",
    "999B",
    "1.0K",
    "1.0K",
    "9.9K",
    "10K",
    "999K",
    "1.0M",
    "52M",
    "1.0G",
    "3.0T",
  ]);
});

it("ages are whole units, none below zero", () => {
  const hour = 3_600_000;
  const ages = [
    -5,
    0,
    59_999,
    60_000,
    hour - 1,
    hour,
    47 * hour,
    48 * hour,
    60 * 24 * hour,
    90 * 24 * hour,
    1000 * 24 * hour,
  ];
  expect(ages.map(briefAge)).toEqual(["0s", "0s", "59s", "1m", "59m", "1h", "47h", "2d", "60d", "2mo", "2y"]);
});
