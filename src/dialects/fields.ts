/**
 * The input of a tool, said once: each field with its type and what the model is told of it. The JSON schema that a
 * client gets and the check of what a model sends are both made from it. Lenient where there is no doubt (a number
 * or a list as text, a boolean as a word, null for nothing), and otherwise an error that names the field.
 */
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";
import { truthOf } from "./truth.ts";

interface FieldBase {
  readonly description: string;
  readonly required?: true;
  /** Other names that are understood; the schema does not tell of them. */
  readonly aliases?: readonly string[];
}

export type Field = FieldBase &
  (
    | { readonly type: "string" | "boolean" | "number" | "strings" | "numbers" }
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
        : F["type"] extends "numbers"
          ? readonly number[]
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

/** `spelled`: fields that this schema calls by one of their aliases. */
export function jsonSchema(fields: Fields, spelled: Readonly<Record<string, string>> = {}): JsonSchema {
  const entries = Object.entries(fields).map(([name, field]) => [spelled[name] ?? name, field] as const);
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
  if (field.type === "numbers") return { type: "array", items: { type: "number" }, description };
  if (field.type !== "strings") return { type: field.type, description };
  return { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }], description };
}

/** What a model sent, read. `spelled` as in the schema, for what is said of a name. @throws INVALID_INPUT */
export function readFields<F extends Fields>(
  fields: F,
  input: unknown,
  spelled: Readonly<Record<string, string>> = {},
): InputOf<F> {
  const names = namesOf(fields);
  const given = new Map<string, { readonly as: string; readonly value: unknown }>();
  for (const [as, value] of Object.entries(object(input))) {
    const name = names.get(as);
    if (name === undefined) throw unknownField(as, fields, spelled);
    if (value === undefined || value === null) continue;
    const other = given.get(name);
    if (other !== undefined) {
      throw new ToolError("INVALID_INPUT", `${other.as} and ${as} mean the same; give one of them`);
    }
    given.set(name, { as, value });
  }
  const read = Object.entries(fields).map(([name, field]) => {
    const sent = given.get(name);
    return [name, value(sent?.as ?? spelled[name] ?? name, field, sent?.value)];
  });
  return Object.fromEntries(read) as InputOf<F>;
}

/** Every name that is understood, with the field that it means. Of each table once: every call asks for it. */
function namesOf(fields: Fields): ReadonlyMap<string, string> {
  let names = NAMES.get(fields);
  if (names === undefined) {
    names = new Map(
      Object.entries(fields).flatMap(([name, { aliases = [] }]) =>
        [name, ...aliases].map((as): [string, string] => [as, name]),
      ),
    );
    NAMES.set(fields, names);
  }
  return names;
}

const NAMES = new WeakMap<Fields, ReadonlyMap<string, string>>();

function unknownField(name: string, fields: Fields, spelled: Readonly<Record<string, string>>): ToolError {
  const told = (field: string): string => spelled[field] ?? field;
  const names = namesOf(fields);
  // A name that is nearly understood means its field, whatever the schema calls that.
  const near = names.get(nearest(name, [...names.keys()]) ?? "");
  return new ToolError("INVALID_INPUT", `There is no field ${JSON.stringify(name)}`, {
    hint: `${near === undefined ? "" : `Did you mean ${told(near)}? `}The fields are ${Object.keys(fields).map(told).join(", ")}`,
  });
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
  numbers: "a list of numbers",
} as const;

const READ: Readonly<Record<Field["type"], (given: unknown, field: Field) => unknown>> = {
  string: (given) => (typeof given === "string" ? given : undefined),
  boolean: (given) => {
    if (typeof given === "boolean") return given;
    return typeof given === "string" || typeof given === "number" ? truthOf(`${given}`) : undefined;
  },
  number: (given) => number(given),
  numbers: (given) => {
    const list = typeof given === "string" ? inText(given) : given;
    const read = Array.isArray(list) ? list.map(number) : [undefined];
    return read.includes(undefined) ? undefined : read;
  },
  strings: (given) => (typeof given === "string" ? (listInText(given) ?? given) : strings(given)),
  choice: (given, field) =>
    field.type === "choice" && field.choices.includes(given as string) ? given : undefined,
};

function number(given: unknown): number | undefined {
  const read = typeof given === "string" && /^[-+]?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : given;
  return typeof read === "number" ? read : undefined;
}

function strings(given: unknown): readonly string[] | undefined {
  return Array.isArray(given) && given.every((item) => typeof item === "string") ? given : undefined;
}

/** A list that was sent as its JSON text. */
function listInText(text: string): readonly string[] | undefined {
  return text.trimStart().startsWith('["') ? strings(inText(text)) : undefined;
}

function inText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(given: unknown): string {
  const text = JSON.stringify(given) ?? typeof given;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
