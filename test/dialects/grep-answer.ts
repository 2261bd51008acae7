/** An answer of grep against the text that it must have: all of it, or what fits and the rest in an artifact. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Truncation } from "../../src/dialects/kept.ts";
import type { Failure, ToolResult } from "../../src/dialects/result.ts";
import { textOf } from "./workspaces.ts";

/** The text of an answer, in its parts. */
export interface Layout {
  /** Before the lines; the only row where there are none. */
  readonly heading: readonly string[];
  readonly lines: readonly string[];
  /** After them, each behind an empty line. */
  readonly closing: readonly string[];
}

/** Which of an answer's notes are the law's. */
export type IsOurs = (note: string) => boolean;

/** What is said of an artifact takes about so much. */
const SLACK = 200;

interface Cut {
  readonly meta: { readonly truncation?: Truncation };
}

/** The answer's details, and how many of the lines it shows. */
export function expectText<D extends Cut>(
  result: ToolResult<D | Failure>,
  layout: Layout,
  { cap, isOurs, cache }: { readonly cap: number; readonly isOurs: IsOurs; readonly cache: string },
): { readonly details: D; readonly shown: number } {
  if (result.isError === true) throw new Error(textOf(result));
  const details = result.details as D;
  const text = withoutNotes(textOf(result), isOurs);
  const { truncation } = details.meta;
  if (truncation === undefined) {
    expect(text).toBe(textWith(layout, layout.lines.length));
    return { details, shown: layout.lines.length };
  }
  expect(withoutNotes(artifact(cache, truncation.artifactId), isOurs)).toBe(
    textWith(layout, layout.lines.length),
  );
  const shown = text.split("\n\n", 1).join("").split("\n").length - layout.heading.length;
  expect(text).toBe(textWith(layout, shown));
  const size = Buffer.byteLength(textOf(result));
  expect(size).toBeLessThanOrEqual(cap);
  expect(size + Buffer.byteLength(layout.lines[shown] ?? "") + SLACK).toBeGreaterThan(cap);
  return { details, shown };
}

/** Without what was cut off to fit. */
export function wholeText(result: ToolResult<Cut | Failure>, cache: string): string {
  const truncation = "meta" in result.details ? result.details.meta.truncation : undefined;
  return truncation === undefined ? textOf(result) : artifact(cache, truncation.artifactId);
}

function textWith({ heading, lines, closing }: Layout, shown: number): string {
  return [[...heading, ...lines.slice(0, shown)].join("\n"), ...closing].join("\n\n");
}

/** The last part of a text are its notes, one a line. */
function withoutNotes(text: string, isOurs: IsOurs): string {
  const parts = text.split("\n\n");
  if (parts.length === 1 || !/^\[.*\]$/m.test(parts.at(-1) ?? "")) return text;
  const notes = (parts.pop() ?? "").split("\n").filter(isOurs);
  return [...parts, ...(notes.length === 0 ? [] : [notes.join("\n")])].join("\n\n");
}

function artifact(cache: string, id: string | null): string {
  const files = readdirSync(cache, { recursive: true, encoding: "utf8" });
  return readFileSync(join(cache, files.find((path) => path.endsWith(`/artifacts/${id}.txt`)) ?? ""), "utf8");
}
