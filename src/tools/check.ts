import { ToolError } from "../model/errors.ts";

/**
 * Looks at what a caller gave before anything is done with it: a typo, a wrong type or a number out of
 * range is an error that names the field. Callers in TypeScript rarely meet it; callers in JavaScript do.
 */

type Check = (value: unknown) => string | null;

export type Shape = Readonly<Record<string, Check>>;

export const text: Check = (value) => (typeof value === "string" ? null : "must be a string");
export const yesNo: Check = (value) => (typeof value === "boolean" ? null : "must be true or false");
export const texts: Check = (value) =>
  typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string"))
    ? null
    : "must be a string or a list of strings";
export const instance: Check = (value) => (value instanceof AbortSignal ? null : "must be an AbortSignal");

export function oneOf(...words: readonly string[]): Check {
  return (value) => (words.includes(value as string) ? null : `must be one of ${words.join(", ")}`);
}

export function count(least: number): Check {
  return (value) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? null
      : `must be a whole number, at least ${least}`;
}

export const duration: Check = (value) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? null : "must be a positive number";

export function checkRequest(request: object, shape: Shape): void {
  for (const [field, value] of Object.entries(request)) {
    const check = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (check === undefined) {
      throw new ToolError("INVALID_INPUT", `There is no option "${field}"`, {
        hint: `The options are ${Object.keys(shape).join(", ")}`,
      });
    }
    const fault = value === undefined ? null : check(value);
    if (fault !== null) {
      throw new ToolError("INVALID_INPUT", `${field} ${fault}, not ${describe(value)}`);
    }
  }
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return value === null ? "null" : `a ${Array.isArray(value) ? "list" : typeof value}`;
}
