/** Numbers as models send them: a fraction is cut off where whole ones are meant; what is no number is an error. */
import { ToolError } from "../model/errors.ts";

export function wholeNumber(name: string, given: number, least: 0 | 1): number {
  const positive = least === 0 ? given >= 0 : given > 0;
  if (Number.isFinite(given) && positive) return Math.max(Math.floor(given), least);
  const what = least === 1 ? "a positive number" : "a non-negative number";
  throw new ToolError("INVALID_INPUT", `${name} must be ${what}, not ${given}`);
}

export function number(name: string, given: number): number {
  if (Number.isFinite(given)) return given;
  throw new ToolError("INVALID_INPUT", `${name} must be a number, not ${given}`);
}
