/**
 * The fields of a row from what an agent wrote: a JSON5 object of scalars. Called by `changeRow`.
 * A value that would not arrive as it was written is refused, with the way to write it.
 */
import { ToolError } from "../../model/errors.ts";
import type { Value } from "./statement.ts";

export type Fields = readonly (readonly [column: string, value: Value])[];

export async function rowValues(content: string): Promise<Fields> {
  const { default: JSON5 } = await import("json5");
  const parsed = parse(JSON5.parse, content);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw invalid("A row is a JSON5 object", EXAMPLE);
  // Own fields only: one that is called __proto__ is a column like any other, and there is none of that name.
  return Object.entries(parsed).map(([name, value]) => [name, scalar(name, value)] as const);
}

const EXAMPLE = "Write it as {name: 'Ada', active: true}";

function parse(read: (text: string) => unknown, content: string): unknown {
  try {
    return read(content);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^JSON5: /, "") : String(cause);
    throw new ToolError("ROW_INVALID", `The row is no valid JSON5: ${why}`, { hint: EXAMPLE, cause });
  }
}

function scalar(name: string, value: unknown): Value {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number") return number(name, value);
  if (typeof value !== "string")
    throw invalid(
      `The field ${name} holds ${Array.isArray(value) ? "a list" : "an object"}`,
      "Give it as JSON in a string",
    );
  if (/\p{Surrogate}/u.test(value))
    throw invalid(`The text of ${name} has half a character, which no database keeps`, "Leave it out");
  return value;
}

/** Whole numbers as such; larger ones than JavaScript keeps exactly only as text, which SQLite reads exactly. */
function number(name: string, value: number): Value {
  if (Number.isNaN(value))
    throw invalid(`The field ${name} is NaN, which SQLite turns into NULL`, "Write null");
  if (!Number.isInteger(value) || Object.is(value, -0)) return value;
  if (Number.isSafeInteger(value)) return BigInt(value);
  throw invalid(
    `The number in ${name} is too large to arrive exactly as it was written`,
    "Write it as a string: a column of a number's type keeps it as a number",
  );
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError("ROW_INVALID", message, { hint });
}
