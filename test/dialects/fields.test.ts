import { describe, expect, it } from "vitest";
import { jsonSchema, readFields } from "../../src/dialects/fields.ts";

const FIELDS = {
  pattern: { type: "string", required: true, description: "What" },
  case_insensitive: { type: "boolean", description: "Case", aliases: ["-i"] },
  context: { type: "number", description: "Lines", aliases: ["-C"] },
  range: { type: "numbers", description: "Two lines" },
} as const;

const COMPAT = { case_insensitive: "-i", context: "-C" };

function message(input: unknown, spelled: Readonly<Record<string, string>> = {}): string {
  try {
    readFields(FIELDS, input, spelled);
  } catch (cause) {
    const { message, hint } = cause as { message: string; hint?: string };
    return hint === undefined ? message : `${message}. ${hint}`;
  }
  return "";
}

describe("What a model sends is read", () => {
  it.each([
    ["true", true],
    ["Yes", true],
    ["on", true],
    [1, true],
    ["False", false],
    [" no ", false],
    ["off", false],
    ["0", false],
  ])("with booleans as words: %j", (given, read) => {
    expect(readFields(FIELDS, { pattern: "x", "-i": given }).case_insensitive).toBe(read);
  });

  it("with numbers and lists of numbers as text", () => {
    const input = { pattern: "x", context: " 3 ", range: '[1, "20"]' };
    expect(readFields(FIELDS, input)).toMatchObject({ context: 3, range: [1, 20] });
    expect(readFields(FIELDS, { pattern: "x", range: ["1", -1] }).range).toEqual([1, -1]);
  });

  it("by any of a field's names, and not by two at once", () => {
    expect(readFields(FIELDS, { pattern: "x", "-C": 2 }).context).toBe(2);
    expect(readFields(FIELDS, { pattern: "x", context: 2 }, COMPAT).context).toBe(2);
    expect(readFields(FIELDS, { pattern: "x", context: null, "-C": 2 }).context).toBe(2);
    expect(message({ pattern: "x", context: 1, "-C": 2 })).toBe(
      "context and -C mean the same; give one of them",
    );
  });

  it("and refused with the name as it was sent", () => {
    expect(message({ pattern: "x", "-i": "maybe" })).toBe('-i must be true or false, not "maybe"');
    expect(message({ pattern: "x", range: [1, "a"] })).toBe('range must be a list of numbers, not [1,"a"]');
    expect(message({ pattern: "x", range: "1-2" })).toBe('range must be a list of numbers, not "1-2"');
  });

  it("and an unknown field is refused with the nearest of the names that the schema tells of", () => {
    expect(message({ patern: "x" })).toBe(
      'There is no field "patern". Did you mean pattern? The fields are pattern, case_insensitive, context, range',
    );
    expect(message({ zebra: "x" }, COMPAT)).toBe(
      'There is no field "zebra". The fields are pattern, -i, -C, range',
    );
    expect(message({ toString: 1 })).toMatch(/^There is no field "toString"/);
  });
});

it("A schema calls each field by one name", () => {
  expect(Object.keys(jsonSchema(FIELDS).properties)).toEqual([
    "pattern",
    "case_insensitive",
    "context",
    "range",
  ]);
  const compat = jsonSchema(FIELDS, COMPAT);
  expect(Object.keys(compat.properties)).toEqual(["pattern", "-i", "-C", "range"]);
  expect(compat.required).toEqual(["pattern"]);
});
