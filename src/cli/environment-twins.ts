/**
 * Every flag of the server has a twin in the environment, `--allow-dir` is QUARRY_ALLOW_DIR: what is set there counts as
 * if it stood first on the command line. A list is apart by commas outside braces and brackets, folders as PATH is.
 */
import { delimiter } from "node:path";
import { truthOf } from "../dialects/truth.ts";
import { ToolError } from "../model/errors.ts";
import { type Command, type Flag, flagsOf } from "./flags.ts";

/** Flags that mean nothing there. */
const ONLY_TYPED: ReadonlySet<string> = new Set(["help", "print-config"]);

export function twins(command: Command, env: NodeJS.ProcessEnv): string[] {
  return flagsOf(command).flatMap(([name, flag]) => {
    const twin = twinOf(name);
    const value = twin === null ? undefined : env[twin];
    if (value === undefined) return [];
    if (value.trim() !== "") return asTyped(name, flag, value);
    // Somebody meant to protect the server, and what was to be put there was not.
    if (name !== "token") return [];
    throw new ToolError("INVALID_INPUT", `${twin} is empty`, { hint: "Unset it to serve without a token" });
  });
}

/** null: a flag that means nothing there. */
export function twinOf(flag: string): string | null {
  return ONLY_TYPED.has(flag) ? null : `QUARRY_${flag.replaceAll("-", "_").toUpperCase()}`;
}

function asTyped(name: string, flag: Flag, value: string): string[] {
  if (flag.type === "switch") return isOn(name, value) ? [`--${name}`] : [];
  if (flag.type !== "list") return [`--${name}=${value}`];
  const items = name === "allow-dir" ? value.split(delimiter) : splitList(value);
  return items.filter((item) => item.trim() !== "").map((item) => `--${name}=${item.trim()}`);
}

/** Commas inside `{a,{b,c}}` and `[,]` belong to a glob, and so does one behind a backslash. */
function splitList(value: string): string[] {
  const items: string[] = [""];
  let depth = 0;
  // Of each piece, the whole of what a glob takes together.
  for (const [piece] of value.matchAll(/\\.|\[[!^]?\]?[^\]]*\]|./gs)) {
    if (piece === "{") depth += 1;
    else if (piece === "}") depth = Math.max(0, depth - 1);
    if (piece === "," && depth === 0) items.push("");
    else items.push(`${items.pop() ?? ""}${piece}`);
  }
  return items;
}

function isOn(name: string, value: string): boolean {
  const truth = truthOf(value);
  if (truth !== undefined) return truth;
  throw new ToolError("INVALID_INPUT", `${twinOf(name)} is ${JSON.stringify(value)}, not true or false`);
}
