/**
 * What a project asks of those who serve it: `quarry.json` in the working folder, or `quarry` in its package.json. It
 * can only narrow what the command line allows, because whoever wrote the project did not start the server.
 */
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";

export interface Narrowing {
  /** The folders that are left of those that are allowed; null: the root. */
  readonly allow: (given: readonly string[] | null) => readonly string[] | null;
  readonly deny: readonly string[];
  readonly readOnly: boolean;
  readonly disabledTools: readonly string[];
  readonly maxFileSize: number | null;
}

const NONE: Narrowing = {
  allow: (given) => given,
  deny: [],
  readOnly: false,
  disabledTools: [],
  maxFileSize: null,
};

/** @throws INVALID_INPUT when it is there and cannot be understood: a rule must not be passed over in silence */
export async function narrowing(root: string): Promise<Narrowing> {
  const own = await readJson(join(root, "quarry.json"));
  if (own !== null) return read(root, "quarry.json", own);
  const manifest = await readJson(join(root, "package.json")).catch(() => null);
  const part = isObject(manifest) ? manifest["quarry"] : undefined;
  return part === undefined ? NONE : read(root, "package.json", part);
}

const KEYS = ["allow", "deny", "readOnly", "disableTools", "maxFileSize"];

function read(root: string, file: string, given: unknown): Narrowing {
  const wrong = (what: string, hint?: string): ToolError =>
    new ToolError("INVALID_INPUT", `${file}: ${what}`, hint === undefined ? {} : { hint });
  if (!isObject(given)) throw wrong("what it says to quarry must be an object");
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const near = nearest(unknown, KEYS);
    throw wrong(
      `there is no setting ${JSON.stringify(unknown)}`,
      near === null ? `The settings are ${KEYS.join(", ")}` : `Did you mean ${near}?`,
    );
  }
  const list = (key: string): readonly string[] => {
    const value = given[key] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw wrong(`${key} must be a list of strings`);
  };
  const { readOnly = false, maxFileSize = null } = given;
  if (typeof readOnly !== "boolean") throw wrong("readOnly must be true or false");
  if (maxFileSize !== null && (!Number.isSafeInteger(maxFileSize) || Number(maxFileSize) < 0))
    throw wrong("maxFileSize must be a number of bytes");
  const asked = list("allow").map((folder) => resolve(root, folder));
  return {
    allow: (allowed) => {
      if (asked.length === 0) return allowed;
      const left = asked.filter((folder) => (allowed ?? [root]).some((outer) => isInside(outer, folder)));
      if (left.length > 0) return left;
      throw wrong("allow names no folder that the command line allows", "Name folders inside of those");
    },
    deny: list("deny"),
    readOnly,
    disabledTools: list("disableTools"),
    maxFileSize: maxFileSize === null ? null : Number(maxFileSize),
  };
}

async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return null;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("INVALID_INPUT", `${path} is no JSON: ${why}`, { cause });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}
