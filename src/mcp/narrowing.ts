/**
 * What a project asks of those who serve it: `quarry.json` in the working folder or in a client's root, or `quarry` in its
 * package.json. It can only narrow what the command line allows, because whoever wrote the project did not start the
 * server.
 */
import { constants } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";
import { PROJECT_SETTINGS } from "../model/limits.ts";
import { isInside } from "./roots.ts";

export interface Narrowing {
  /** The folders that are left of those that are allowed; null: the root. */
  readonly allow: (given: readonly string[] | null) => Promise<readonly string[] | null>;
  readonly deny: readonly string[];
  readonly readOnly: boolean;
  readonly disabledTools: readonly string[];
  readonly maxFileSize: number | null;
  /** false: none, whatever was typed. */
  readonly index: boolean;
}

const NONE: Narrowing = {
  allow: (given) => Promise.resolve(given),
  deny: [],
  readOnly: false,
  disabledTools: [],
  maxFileSize: null,
  index: true,
};

/** @throws INVALID_INPUT when it is there and cannot be understood: a rule must not be passed over in silence */
export async function narrowing(root: string): Promise<Narrowing> {
  const own = await readText(root, "quarry.json");
  if (own !== null) return read(root, "quarry.json", parse("quarry.json", own));
  const manifest = await readText(root, "package.json");
  // One that says nothing to quarry may be as broken as it likes.
  if (manifest?.includes('"quarry"') !== true) return NONE;
  const parsed = parse("package.json", manifest);
  const part = isObject(parsed) ? parsed["quarry"] : undefined;
  return part === undefined ? NONE : read(root, "package.json", part);
}

const KEYS = ["allow", "deny", "readOnly", "disableTools", "maxFileSize", "index"];

function read(root: string, file: string, given: unknown): Narrowing {
  if (!isObject(given)) throw wrong(file, "what it says to quarry must be an object");
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const near = nearest(unknown, KEYS);
    const hint = near === null ? `The settings are ${KEYS.join(", ")}` : `Did you mean ${near}?`;
    throw wrong(file, `there is no setting ${JSON.stringify(unknown)}`, hint);
  }
  const list = (key: string): readonly string[] => {
    const value = given[key] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw wrong(file, `${key} must be a list of strings`);
  };
  const { readOnly = false, maxFileSize = null, index = true } = given;
  if (typeof readOnly !== "boolean") throw wrong(file, "readOnly must be true or false");
  if (typeof index !== "boolean") throw wrong(file, "index must be true or false");
  if (maxFileSize !== null && (!Number.isSafeInteger(maxFileSize) || Number(maxFileSize) < 0))
    throw wrong(file, "maxFileSize must be a number of bytes");
  const asked = list("allow");
  return {
    allow: async (allowed) => {
      if (asked.length === 0) return allowed;
      const left = await inside(root, asked, allowed ?? [root]);
      if (left.length > 0) return left;
      const hint = "Name folders inside of those";
      throw wrong(file, "allow names no folder that is there and that the command line allows", hint);
    },
    deny: list("deny"),
    readOnly,
    disabledTools: list("disableTools"),
    maxFileSize: maxFileSize === null ? null : Number(maxFileSize),
    index,
  };
}

/** Links resolved: one in the project that leads out of it must not widen anything. */
async function inside(root: string, asked: readonly string[], allowed: readonly string[]): Promise<string[]> {
  const real = async (folders: readonly string[]): Promise<string[]> => {
    const found = await Promise.all(
      folders.map((folder) => realpath(resolve(root, folder)).catch(() => null)),
    );
    return found.filter((folder) => folder !== null);
  };
  const outer = await real(allowed);
  return (await real(asked)).filter((folder) => outer.some((one) => isInside(one, folder)));
}

/** null: it is not there. */
async function readText(root: string, file: string): Promise<string | null> {
  let handle: FileHandle | null = null;
  try {
    // A pipe or a device must not keep the server from its client.
    handle = await open(join(root, file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const info = await handle.stat();
    if (!info.isFile()) throw wrong(file, "it is no regular file");
    if (info.size > PROJECT_SETTINGS) throw wrong(file, "it is too large");
    return (await handle.readFile("utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw wrong(file, `it cannot be read (${code})`);
  } finally {
    await handle?.close();
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not the parser's words, which quote the text: the file may be a link to anything.
    throw wrong(file, "it is no JSON");
  }
}

function wrong(file: string, what: string, hint?: string): ToolError {
  return new ToolError("INVALID_INPUT", `${file}: ${what}`, hint === undefined ? {} : { hint });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
