import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { ToolError } from "../model/errors.ts";
import type { FilePath } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { Target } from "../model/query.ts";
import { type Disk, patient } from "./disk.ts";

/**
 * What a caller's paths mean: files, folders, or folders with a glob for what lies below. A path that
 * exists is a path, whatever characters it has. Of several paths the missing ones are skipped and listed;
 * if all are missing it is an error.
 */

export interface Targets {
  readonly targets: readonly Target[];
  readonly notices: readonly Notice[];
}

const GLOB = /[*?[{]/;

/** The root as an absolute folder that is there. */
export async function resolveRoot(root: string): Promise<string> {
  const folder = resolve(root);
  const info = await stat(folder).catch((cause: unknown) => {
    throw new ToolError("PATH_NOT_FOUND", `The root ${folder} is not there`, { cause });
  });
  if (!info.isDirectory()) throw new ToolError("NOT_A_FOLDER", `The root ${folder} is no folder`);
  return folder;
}

export async function resolveTargets(root: string, paths: readonly string[]): Promise<Targets> {
  if (paths.length === 0) {
    throw new ToolError("INVALID_INPUT", "The list of paths is empty", {
      hint: "Leave it out to search the root",
    });
  }
  const read = await Promise.all(paths.map((path) => resolveTarget(root, path)));
  const targets = read.filter((target): target is Target => !(target instanceof ToolError));
  const failures = read.filter((target) => target instanceof ToolError);
  if (targets.length === 0) throw combine(failures);
  return {
    targets: unique(targets),
    notices: failures.map((failure) => ({ code: "PATH_SKIPPED", message: failure.message })),
  };
}

/** Refusals are thrown; what merely cannot be searched is returned, so that other paths still can. */
export async function resolveTarget(
  root: string,
  path: string,
  disk: Disk = patient,
): Promise<Target | ToolError> {
  if (path === "") throw new ToolError("INVALID_INPUT", "A path is empty", { hint: 'Use "." for the root' });
  if (path.includes("\0"))
    throw new ToolError("INVALID_INPUT", `The path ${JSON.stringify(path)} holds a NUL`);
  const absolute = await place(root, path, disk);
  const kind = await kindOf(absolute, disk);
  if (kind === "other") {
    return new ToolError("PATH_UNREADABLE", `${path} is neither a file nor a folder`, {
      hint: "Pipes, sockets and devices cannot be searched",
    });
  }
  if (kind === "closed") return closed(path);
  if (kind !== null) {
    if (kind === "folder") await refuseRoot(absolute, disk);
    return { path: displayPath(root, absolute), kind, glob: null };
  }
  if (!GLOB.test(path)) return missing(path);
  return resolveGlob(root, path, disk);
}

/** Splits a glob behind the last folder that is there by its literal name. */
async function resolveGlob(root: string, path: string, disk: Disk): Promise<Target | ToolError> {
  const segments = path.split(sep === "\\" ? /[\\/]/ : "/");
  const named: string[] = [];
  for (const segment of segments.slice(0, -1)) {
    const next = [...named, segment];
    const literal = !GLOB.test(segment);
    if (!literal && (await kindOf(resolve(root, next.join("/") || "/"), disk)) !== "folder") break;
    named.push(segment);
  }
  const base = await place(root, named.join("/") || (isAbsolute(path) ? "/" : "."), disk);
  const kind = await kindOf(base, disk);
  if (kind === "closed") return closed(path);
  if (kind === "file") {
    return new ToolError("NOT_A_FOLDER", `${named.join("/")} is no folder, so no glob goes below it`);
  }
  if (kind !== "folder") return missing(path);
  await refuseRoot(base, disk);
  const rest = segments.slice(named.length).join("/");
  // Below a named folder a glob is anchored there; a bare one means any depth.
  const glob = named.length === 0 || rest.includes("/") ? rest : `/${rest}`;
  return { path: displayPath(root, base), kind: "folder", glob };
}

/** Behind a link, `..` is the parent of what the link leads to, as it is for every program. */
async function place(root: string, path: string, disk: Disk): Promise<string> {
  const lexical = resolve(root, path);
  if (!path.split(/[\\/]/).includes("..")) return lexical;
  const given = isAbsolute(path) ? path : `${root}${sep}${path}`;
  const real = await disk.realpath(given).catch(() => null);
  if (real === null || real === (await disk.realpath(lexical).catch(() => null))) return lexical;
  return real;
}

/** A search from the root of a file system is never what was meant, and takes hours. */
export async function refuseRoot(folder: string, disk: Disk = patient): Promise<void> {
  const real = await disk.realpath(folder).catch(() => folder);
  if (parse(real).root !== real) return;
  throw new ToolError("ROOT_REFUSED", `Searching from ${real} is not allowed`, {
    hint: "Name the folder to look in",
  });
}

/** `closed`: a folder on the way may not be entered, so nobody knows what is there. */
async function kindOf(path: string, disk: Disk): Promise<"file" | "folder" | "other" | "closed" | null> {
  let info: Stats | null;
  try {
    info = await disk.stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return "closed";
    info = await disk.lstat(path).catch(() => null);
  }
  if (info === null || info.isSymbolicLink()) return null;
  if (info.isFile()) return "file";
  return info.isDirectory() ? "folder" : "other";
}

/** Relative to the root with `/` where it lies below, else absolute. */
export function displayPath(root: string, absolute: string): string {
  const path = relative(root, absolute);
  if (path === "") return ".";
  const outside = path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path);
  return (outside ? absolute : path).split(sep).join("/");
}

function missing(path: string): ToolError {
  return new ToolError("PATH_NOT_FOUND", `Path not found: ${path}`, {
    hint: "Check the spelling; find looks for names",
  });
}

function closed(path: string): ToolError {
  return new ToolError("PATH_UNREADABLE", `${path} cannot be reached: permission denied`, {
    hint: "A folder on the way may not be entered",
  });
}

function combine(failures: readonly ToolError[]): ToolError {
  const [first] = failures;
  if (first !== undefined && failures.length === 1) return first;
  const code = failures.every((failure) => failure.code === "PATH_NOT_FOUND")
    ? "PATH_NOT_FOUND"
    : "PATH_UNREADABLE";
  return new ToolError(
    code,
    `None of the paths can be searched: ${failures.map((failure) => failure.message).join("; ")}`,
  );
}

function unique(targets: readonly Target[]): Target[] {
  const seen = new Map(targets.map((target) => [`${target.path}\0${target.glob ?? ""}`, target]));
  return [...seen.values()];
}

/** Whether a path of an answer lies in a target, and which part of it a glob is matched against. */
export function below(target: Pick<Target, "path">, path: string): string | null {
  if (target.path === ".") return isAbsolute(path) ? null : path;
  if (!path.startsWith(target.path)) return null;
  if (path.length === target.path.length) return "";
  return path[target.path.length] === "/" ? path.slice(target.path.length + 1) : null;
}

/** What tells one file from another, also where names look alike. */
export function fileKey({ path, pathBytes }: FilePath): string {
  return pathBytes ?? path;
}

/** The path on disk. */
export function onDisk(root: string, path: string, pathBytes?: string): string | Buffer {
  if (pathBytes === undefined) return isAbsolute(path) ? path : join(root, path);
  const bytes = Buffer.from(pathBytes, "base64");
  return bytes[0] === 0x2f ? bytes : Buffer.concat([Buffer.from(`${root}/`), bytes]);
}
