import { expect, it } from "vitest";
import { compile, parse } from "../../src/regex/compile.ts";

const MB = 1024 * 1024;

it("stays under 200 MB over 100,000 patterns", () => {
  let peak = 0;
  for (let i = 0; i < 100_000; i += 1) {
    expect(compile(String.raw`name${i}\w+(a|b)?`).kind).toBe("matcher");
    expect(parse(String.raw`name${i}(\w+|\d{3}`).kind).toBe("invalid");
    if (i % 500 === 0) peak = Math.max(peak, process.memoryUsage.rss());
  }
  expect(peak / MB).toBeLessThan(200);
});
