import { array, assert, nat, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { fit } from "../../src/format/fit.ts";

describe("How much of a list fits", () => {
  it("is all of it, up to the last byte", () => {
    expect(fit(3, (shown) => "x".repeat(shown), 3)).toBe(3);
    expect(fit(3, (shown) => "x".repeat(shown), 2)).toBe(2);
    expect(fit(0, () => "", 0)).toBe(0);
  });

  it("is counted in bytes, not in characters", () => {
    expect(fit(3, (shown) => "界".repeat(shown), 8)).toBe(2);
    expect(fit(3, (shown) => "😀".repeat(shown), 8)).toBe(2);
  });

  it("is all of it where only a part has to say that it is one", () => {
    const textOf = (shown: number): string => "x".repeat(shown) + (shown < 10 ? "[cut to fit]" : "");
    expect(fit(10, textOf, 10)).toBe(10);
    expect(fit(10, textOf, 15)).toBe(10);
    expect(fit(10, textOf, 9)).toBe(0);
  });

  it("is the most that fits, and none where not even the first does", () => {
    assert(
      property(array(nat(50), { maxLength: 40 }), nat(20), nat(400), (sizes, note, cap) => {
        const textOf = (shown: number): string =>
          "x".repeat(
            sizes.slice(0, shown).reduce((sum, size) => sum + size, shown < sizes.length ? note : 0),
          );
        const shown = fit(sizes.length, textOf, cap);
        const fits = sizes.map((_, at) => at).filter((at) => textOf(at).length <= cap);
        const most = textOf(sizes.length).length <= cap ? sizes.length : Math.max(0, ...fits);
        expect(shown).toBe(most);
      }),
    );
  });
});
