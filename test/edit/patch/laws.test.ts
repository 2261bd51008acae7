import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  oneof,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/model/errors.ts";
import type { Operation, Section } from "../../../src/model/patch.ts";
import { parsePatch } from "../../../src/edit/patch/parse.ts";
import { shapeOf } from "../../../src/edit/patch/shape.ts";
import { quoteName } from "../../../src/format/escape.ts";

/** Rows that would be something else without their +, and rows of any characters. */
const TEXT: Arbitrary<string> = oneof(
  string({ unit: "grapheme", maxLength: 12 }),
  string({ unit: "binary", maxLength: 6 }),
  constantFrom(
    "",
    " ",
    "+",
    "-x",
    "¶a#0000",
    "delete 4",
    "*** Abort",
    "@@",
    "12:34",
    "```",
    "# a#0000",
    "  +x",
  ),
).map((text) => text.replaceAll(/[\r\n]/g, ""));

const KINDS = [
  "replace",
  "replace block",
  "delete",
  "delete block",
  "insert before",
  "insert after",
  "insert after block",
  "insert head",
  "insert tail",
] as const;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly gap: number;
  readonly length: number;
  readonly body: readonly string[];
}

const STEP: Arbitrary<Step> = record({
  kind: constantFrom(...KINDS),
  gap: nat(3),
  length: nat(4),
  body: array(TEXT, { minLength: 1, maxLength: 5 }),
});

const PATH: Arbitrary<string> = oneof(
  string({ unit: "binary", minLength: 1, maxLength: 8 }),
  constantFrom(
    "a.ts",
    "a b#.ts",
    "¶",
    "# x",
    "*** x",
    "Update File: x",
    '"q"',
    "a\nb",
    "c:1-2",
    "x#1234",
    " ",
  ),
);

const FILES = uniqueArray(
  record({
    path: PATH,
    tag: nat(0xffff),
    steps: array(STEP, { minLength: 1, maxLength: 6 }),
    back: boolean(),
  }),
  { minLength: 1, maxLength: 3, selector: ({ path }) => path },
);

/** Operations that do not touch each other, one below the other in the file. */
function operationsOf(steps: readonly Step[]): Operation[] {
  let line = 1;
  return steps.map(({ kind, gap, length, body }) => {
    const first = line + gap;
    const last = first + length;
    line = last + 1;
    const place =
      kind === "replace" || kind === "delete"
        ? { first, last }
        : kind === "insert head" || kind === "insert tail"
          ? {}
          : { line: first };
    return { kind, ...place, ...(kind.startsWith("delete") ? {} : { body }), row: 0 } as Operation;
  });
}

/** The patch as it should be written, and what it should be read as. */
function print(files: readonly { path: string; tag: number; steps: readonly Step[]; back: boolean }[]): {
  text: string;
  sections: Section[];
} {
  const rows: string[] = [];
  const sections = files.map(({ path, tag, steps, back }) => {
    const digits = tag.toString(16).padStart(4, "0").toUpperCase();
    const ordered = back ? operationsOf(steps).reverse() : operationsOf(steps);
    const row = rows.push(`¶${quoteName(path)}#${digits}`);
    const operations = ordered.map((operation) => {
      const at = rows.push(shapeOf(operation));
      if ("body" in operation) rows.push(...operation.body.map((text) => `+${text}`));
      return { ...operation, row: at };
    });
    return { path, tag: digits, row, operations };
  });
  return { text: rows.join("\n"), sections };
}

describe("a patch", () => {
  it("written as it should be is read as it was meant, without a warning", async () => {
    await assert(
      asyncProperty(FILES, async (files) => {
        const { text, sections } = print(files);
        expect(await parsePatch(text, async () => true)).toEqual({ sections, warnings: [] });
        expect(await parsePatch(`${text}\n`, async () => true)).toEqual({ sections, warnings: [] });
        expect(await parsePatch(`${text.replaceAll("\n", "\r\n")}\r\n`, async () => true)).toEqual({
          sections,
          warnings: [],
        });
      }),
      { numRuns: 1_000 },
    );
  });

  const PIECE = oneof(
    TEXT,
    string({ unit: "binary", maxLength: 20 }),
    constantFrom(
      "¶",
      "¶a.ts#0A3B",
      "¶b.ts#1111",
      "# a.ts#0A3B",
      "*** ",
      "*** Begin Patch",
      "*** Update File: ¶a#0000",
      "replace ",
      "delete ",
      "insert ",
      "block ",
      "before ",
      "after ",
      "head:",
      "tail",
      "5",
      "3..4",
      "..",
      ":",
      "+",
      "-",
      " ",
      "\t",
      "\r",
      "\n",
      "\n",
      "\n",
      "```",
      "12:",
    ),
  );

  it("of garbage is read, or refused by its own error and no other", async () => {
    let read = 0;
    await assert(
      asyncProperty(array(PIECE, { maxLength: 40 }), boolean(), async (pieces, begun) => {
        const text = `${begun ? "¶a.ts#0A3B\ninsert after 3:\n" : ""}${pieces.join("")}`;
        const outcome = await parsePatch(text, async (_, tag) => tag === "0A3B").then(
          ({ sections }) => (read++, sections.every(({ operations }) => operations.length > 0)),
          (error: unknown) => error instanceof ToolError && error.code === "PATCH_INVALID",
        );
        expect(outcome).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(read).toBeGreaterThan(0);
  });
});
