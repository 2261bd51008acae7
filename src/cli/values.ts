/**
 * Reads the value of a flag: whole numbers, decimals, sizes, choices. Called by the argument parser; what was
 * not given stays undefined, what is no such value is a ToolError that says what would be.
 */
import { ToolError } from "../model/errors.ts";
import { nearest } from "../format/nearest.ts";
import { bytesOf } from "../workspace/byte-size.ts";

/** Past this, numbers stop being exact, timers overflow, and nobody means it. */
const MOST = 1_000_000_000;

export function readInteger(flag: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= MOST) return number;
  throw wrong(flag, text, `a whole number from ${min} to ${MOST}`);
}

export function readDecimal(flag: string, text: string | undefined, min: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  // A timer of Node counts milliseconds up to 2^31.
  const max = 1_000_000;
  if (number >= min && number <= max) return number;
  throw wrong(flag, text, `a number from ${min} to ${max}`);
}

export function readBytes(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = bytesOf(text);
  if (bytes !== null) return bytes;
  throw wrong(flag, text, "a size in bytes, such as 500, 64K, 10M or 1G");
}

export function readChoice<T extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  const near = nearest(text, choices);
  const hint = near === null ? undefined : `Did you mean ${near}?`;
  throw wrong(flag, text, `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`, hint);
}

function wrong(flag: string, text: string, expected: string, hint?: string): ToolError {
  const message = `${flag} must be ${expected}, not ${JSON.stringify(text)}`;
  return new ToolError("INVALID_INPUT", message, hint === undefined ? {} : { hint });
}
