/** Patches for the tests of the parser: parse one, or say how it is refused. */
import { ToolError } from "../../../src/model/errors.ts";
import type { Operation, Patch } from "../../../src/model/patch.ts";
import { parsePatch } from "../../../src/edit/patch/parse.ts";

export const HEADER = "¶a.ts#0A3B";

/** Tags known: 0A3B of any path. */
export async function parse(...rows: string[]): Promise<Patch> {
  return await parsePatch(rows.join("\n"), async (_, tag) => tag === "0A3B");
}

/** Below the usual header, which is row 1. */
export async function operations(...rows: string[]): Promise<readonly Operation[]> {
  return (await parse(HEADER, ...rows)).sections[0]?.operations ?? [];
}

export async function warningsOf(...rows: string[]): Promise<readonly string[]> {
  return (await parse(HEADER, ...rows)).warnings;
}

/** `CODE message / hint`. */
export async function refusal(...rows: string[]): Promise<string> {
  try {
    await parse(...rows);
  } catch (error) {
    if (error instanceof ToolError) return `${error.code} ${error.message} / ${error.hint ?? ""}`;
    throw error;
  }
  return "parsed";
}
