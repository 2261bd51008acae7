/**
 * The input of a tool, said once: each field with its type and what the model is told of it. The JSON schema that a
 * client gets and the check of what a model sends are both made from it. Lenient where there is no doubt (a number
 * or a list as text, null for nothing), and otherwise an error that names the field.
 */
import { ToolError } from "../model/errors.ts";

interface FieldBase {
  readonly description: string;
  readonly required?: true;
}

export type Field = FieldBase &
  (
    | { readonly type: "string" | "boolean" | "number" | "strings" }
    | { readonly type: "choice"; readonly choices: readonly string[] }
  );

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { readonly type: "choice"; readonly choices: readonly (infer C)[] }
  ? C
  : F["type"] extends "string"
    ? string
    : F["type"] extends "boolean"
      ? boolean
      : F["type"] extends "number"
        ? number
        : string | readonly string[];

export type InputOf<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends { readonly required: true }
    ? ValueOf<F[N]>
    : ValueOf<F[N]> | undefined;
};

export interface JsonSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export function jsonSchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, field]) => [name, property(field)])),
    required: entries.flatMap(([name, field]) => (field.required === true ? [name] : [])),
    additionalProperties: false,
  };
}

function property(field: Field): object {
  const { description } = field;
  if (field.type === "choice") return { type: "string", enum: field.choices, description };
  if (field.type !== "strings") return { type: field.type, description };
  return { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }], description };
}

/** What a model sent, read. @throws INVALID_INPUT */
export function readFields<F extends Fields>(fields: F, input: unknown): InputOf<F> {
  const given = object(input);
  const names = Object.keys(fields);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw new ToolError("INVALID_INPUT", `There is no field ${JSON.stringify(unknown)}`, {
      hint: `The fields are ${names.join(", ")}`,
    });
  }
  const read = names.map((name) => [name, value(name, fields[name] as Field, given[name])]);
  return Object.fromEntries(read) as InputOf<F>;
}

function object(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) {
    return input as Readonly<Record<string, unknown>>;
  }
  throw new ToolError("INVALID_INPUT", "The input must be an object of fields");
}

function value(name: string, field: Field, given: unknown): unknown {
  if (given === undefined || given === null) {
    if (field.required === true) throw new ToolError("INVALID_INPUT", `${name} is missing`);
    return undefined;
  }
  const read = READ[field.type](given, field);
  if (read !== undefined) return read;
  const expected = field.type === "choice" ? `one of ${field.choices.join(", ")}` : EXPECTED[field.type];
  throw new ToolError("INVALID_INPUT", `${name} must be ${expected}, not ${describe(given)}`);
}

const EXPECTED = {
  string: "a string",
  boolean: "true or false",
  number: "a number",
  strings: "a string or a list of strings",
} as const;

const READ: Readonly<Record<Field["type"], (given: unknown, field: Field) => unknown>> = {
  string: (given) => (typeof given === "string" ? given : undefined),
  boolean: (given) => {
    if (given === "true" || given === "false") return given === "true";
    return typeof given === "boolean" ? given : undefined;
  },
  number: (given) => {
    const number = typeof given === "string" && /^-?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : given;
    return typeof number === "number" ? number : undefined;
  },
  strings: (given) => (typeof given === "string" ? (listInText(given) ?? given) : strings(given)),
  choice: (given, field) =>
    field.type === "choice" && field.choices.includes(given as string) ? given : undefined,
};

function strings(given: unknown): readonly string[] | undefined {
  return Array.isArray(given) && given.every((item) => typeof item === "string") ? given : undefined;
}

/** A list that was sent as its JSON text. */
function listInText(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('["')) return undefined;
  try {
    return strings(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function describe(given: unknown): string {
  const text = JSON.stringify(given) ?? typeof given;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
