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
import { knownTools } from "./alike-tools.ts";
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
  if (own !== null) return checked(root, own, parse(own));
  const manifest = await readText(root, "package.json");
  // One that says nothing to quarry may be as broken as it likes.
  if (manifest?.text.includes('"quarry"') !== true) return NONE;
  const parsed = parse(manifest);
  const part = isObject(parsed) ? parsed["quarry"] : undefined;
  return part === undefined ? NONE : checked(root, manifest, part);
}

interface Settings {
  readonly file: string;
  readonly text: string;
  /** It is a link that leads out of the folder, to anything: what is in it is not repeated. */
  readonly isForeign: boolean;
}

/** What only the tools and globs themselves can say. */
async function checked(root: string, settings: Settings, given: unknown): Promise<Narrowing> {
  const own = read(root, settings, given);
  await knownTools(`${settings.file}: disableTools`, own.disabledTools, !settings.isForeign);
  if (own.deny.length === 0) return own;
  const { compileGlobs } = await import("../regex/glob.ts");
  try {
    compileGlobs(own.deny, "path");
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    throw wrong(settings.file, settings.isForeign ? "deny has a wrong glob" : `deny: ${cause.message}`);
  }
  return own;
}

const KEYS = ["allow", "deny", "readOnly", "disableTools", "maxFileSize", "index"];

function read(root: string, { file, isForeign }: Settings, given: unknown): Narrowing {
  if (!isObject(given)) throw wrong(file, "what it says to quarry must be an object");
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) {
    const near = isForeign ? null : nearest(unknown, KEYS);
    const hint = near === null ? `The settings are ${KEYS.join(", ")}` : `Did you mean ${near}?`;
    const what = isForeign
      ? "it has a setting that there is not"
      : `there is no setting ${JSON.stringify(unknown)}`;
    throw wrong(file, what, hint);
  }
  const list = (key: string): readonly string[] => {
    const value = given[key] === undefined ? [] : given[key];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw wrong(file, `${key} must be a list of strings`);
  };
  const { readOnly = false, maxFileSize = null, index = true } = given;
  if (typeof readOnly !== "boolean") throw wrong(file, "readOnly must be true or false");
  if (typeof index !== "boolean") throw wrong(file, "index must be true or false");
  if (maxFileSize !== null && (!Number.isSafeInteger(maxFileSize) || Number(maxFileSize) < 0))
    throw wrong(file, "maxFileSize must be a number of bytes");
  const asked = list("allow");
  // It says that nothing may be touched, and must not mean that all may.
  if (given["allow"] !== undefined && asked.length === 0)
    throw wrong(file, "allow names nothing", "Name folders, or leave it out");
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
async function readText(root: string, file: string): Promise<Settings | null> {
  let handle: FileHandle | null = null;
  try {
    // A pipe or a device must not keep the server from its client.
    handle = await open(join(root, file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const info = await handle.stat();
    if (!info.isFile()) throw wrong(file, "it is no regular file");
    if (info.size > PROJECT_SETTINGS) throw wrong(file, "it is too large");
    const text = (await handle.readFile("utf8")).replace(/^\uFEFF/, "");
    return { file, text, isForeign: await leadsOut(root, file) };
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (WITHOUT_ROOM.has(code)) throw busy(file, code);
    throw wrong(file, `it cannot be read (${code})`);
  } finally {
    await handle?.close();
  }
}

async function leadsOut(root: string, file: string): Promise<boolean> {
  const [folder, path] = await Promise.all([realpath(root), realpath(join(root, file))]);
  return !isInside(folder, path);
}

/** The process or the machine has too much open: no mistake of whoever wrote the file. */
const WITHOUT_ROOM: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

function busy(file: string, code: string): ToolError {
  return new ToolError("SERVER_BUSY", `${file} cannot be read at the moment (${code})`, {
    hint: "Too much is open: make the call again when other calls are done",
  });
}

function parse({ file, text }: Settings): unknown {
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
