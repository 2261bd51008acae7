/** The tables of docs/tools.md are the tools' own schemas. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";

const page = readFileSync(new URL("../../docs/tools.md", import.meta.url), "utf8");

/** Rows without the blanks that line them up. */
function rows(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replaceAll("\\*", "*").replaceAll(/\s+/g, " ").replaceAll(/-{3,}/g, "---").trim());
}

interface Property {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description: string;
}

export function fieldRows(name: string): string[] {
  const definition = toolDefinitions().find((one) => one.name === name);
  const fields = Object.entries(definition?.inputSchema.properties ?? {}) as [string, Property][];
  return fields.map(([field, { type, enum: choices, description }]) => {
    const kind = choices?.join(", ") ?? type ?? "string or list";
    const needed = definition?.inputSchema.required.includes(field) === true ? ", needed" : "";
    return `| \`${field}\` | ${kind}${needed} | ${description} |`;
  });
}

describe.each(["search", "find", "read", "edit", "write"])("the table of %s", (name) => {
  test("has every field as a client is told of it", () => {
    const expected = fieldRows(name);
    expect(expected.length).toBeGreaterThan(0);
    expect(rows(page)).toEqual(expect.arrayContaining(expected));
  });
});
