/** docs/dialects.md names a test for each row, and has a row for each parameter of a dialect. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type DialectName, type DialectOptions, toolDefinitions } from "../../src/quarry.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(`${root}/docs/dialects.md`, "utf8");

/** The dialects whose section is written. */
const WRITTEN: readonly DialectName[] = ["claude", "boris"];

/** What stands between the heading of a dialect and the next of its rank. */
function section(dialect: DialectName): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${dialect}\n`)) ?? "";
}

type Row = readonly [seed: string, ours: string, proof: string];

/** The rows of all tables whose third column is the test. */
function rowsOf(text: string): Row[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const [heading, , ...rows] = block
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map(cells);
    return heading?.[2] === "test"
      ? rows.map(([seed = "", ours = "", proof = ""]): Row => [seed, ours, proof])
      : [];
  });
}

function cells(line: string): string[] {
  return line
    .slice(1, line.lastIndexOf("|"))
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

const REFERENCE = /`(test\/[^`]+)`: "([^"]+)"/g;

/** What is wrong with the tests that a row names. */
function faults([seed, ours, proof]: Row): string[] {
  if (ours.startsWith("Does not apply: ") && proof === "–") return [];
  const named = [...proof.matchAll(REFERENCE)];
  const rest = proof.replaceAll(REFERENCE, "").replaceAll("; ", "");
  if (named.length === 0 || rest !== "") return [`${seed}: no test in ${JSON.stringify(proof)}`];
  return named.flatMap(([, file = "", title = ""]) =>
    titlesIn(file).some((one) => one.includes(title))
      ? []
      : [`${seed}: no ${JSON.stringify(title)} in ${file}`],
  );
}

/** The titles of a file's tests: the texts that open one, also behind a table of cases. */
function titlesIn(file: string): string[] {
  if (!existsSync(`${root}/${file}`)) return [];
  const source = readFileSync(`${root}/${file}`, "utf8");
  const titles = source.matchAll(/(?:\b(?:it|test)\(|\)\()\s*(?:"((?:[^"\\]|\\.)*)"|['`]([^'`]*)['`])/g);
  return [...titles].map(([, double, other]) => double ?? other ?? "");
}

/** Names of parameters, of every tool of a dialect. */
function parameters(dialect: DialectName, options: DialectOptions = {}): string[] {
  return toolDefinitions(dialect, options).flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
}

describe.each(WRITTEN)("the section of %s", (dialect) => {
  const rows = rowsOf(section(dialect));

  test("names tests that there are, row by row", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.flatMap(faults)).toEqual([]);
  });

  test("has a row for every parameter of its tools", () => {
    const compat = dialect === "boris" ? parameters(dialect, { anthropicCompat: true }) : [];
    const missing = [...parameters(dialect), ...compat].filter(
      (name) => !rows.some(([seed]) => seed.includes(`\`${name}\``)),
    );
    expect(missing).toEqual([]);
  });
});

describe("a row is faulty", () => {
  const known = "test/docs/dialects.test.ts";

  test.each([
    ["without a test", ["a", "b", ""], 1],
    ["with a test of no file", ["a", "b", '`test/none.test.ts`: "x"'], 1],
    ["with a title that no test has", ["a", "b", `\`${known}\`: "names no tests"`], 1],
    ["with words beside the test", ["a", "b", `see \`${known}\`: "names tests that there are"`], 1],
    ["with a dash, unless it does not apply", ["a", "b", "–"], 1],
    ["not where a part of a title is named", ["a", "b", `\`${known}\`: "names tests that there are"`], 0],
    ["not where two are", ["a", "b", `\`${known}\`: "row by row"; \`${known}\`: "has a row for every"`], 0],
    ["not where nothing applies", ["a", "Does not apply: there is none", "–"], 0],
  ] as const)("%s", (_, row, count) => {
    expect(faults(row)).toHaveLength(count);
  });
});
