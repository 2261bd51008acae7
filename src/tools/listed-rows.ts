import { ToolError } from "../model/errors.ts";
import type { LineRange, Selector } from "../model/selector.ts";

/** The rows of a list that a selector asks for: a folder's tree, an archive's members, URLs. They are one range. */
export function listedRows(selector: Selector | null, label: string, what: string): LineRange {
  if (selector === null) return { first: 1, last: null };
  const { ranges, raw, conflicts, tail } = selector;
  const [range, ...more] = ranges;
  if (range === undefined || more.length > 0 || raw || conflicts || tail !== null) {
    throw new ToolError("SELECTOR_INVALID", `${label} is ${what}, of which only one range is shown`, {
      hint: `Use ${label}:50- to go on in a long one`,
    });
  }
  return range;
}
