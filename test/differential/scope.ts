/**
 * Which files a request means, told by ripgrep's own lists. Paths are latin1 strings throughout, one character a
 * byte. What ripgrep has no flag for is put together from several of its answers: an include glob is what it lists
 * with no ignore rules and `-g`, and counts only among what the ignore rules left.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FindRequest } from "../../src/quarry.ts";
import { rgFiles } from "./rg.ts";
import { NAMES } from "./tree.ts";

/** One of a request's paths, and what it stands for. */
export interface Place {
  /** As the request has it. */
  readonly given: string;
  readonly kind: "file" | "folder" | "missing";
  /** The file or folder as ripgrep is told of it: relative to the root, or absolute outside it. */
  readonly path: string;
  /** What must match below the folder, anchored there. */
  readonly glob: string | null;
}

export type ScopeRequest = Omit<FindRequest, "paths" | "kinds" | "order" | "limit" | "skip"> & {
  readonly root: string;
};

export interface Scope {
  readonly request: ScopeRequest;
  readonly places: readonly Place[];
}

const VERSION_CONTROL = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

export function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** The rules that decide what ripgrep walks, as its own flags. */
export function ruleFlags(request: ScopeRequest): string[] {
  const byName = request.globsMatchNames === true;
  const exclude = list(request.exclude).filter((glob) => !byName || !glob.includes("/"));
  return [
    ...(request.ignore === "off" ? ["--no-ignore"] : []),
    ...(request.ignore === "everywhere" ? ["--no-require-git"] : []),
    ...((request.hidden ?? true) ? ["-."] : []),
    ...(request.follow === true ? ["-L"] : []),
    ...(request.maxFileSize === undefined ? [] : ["--max-filesize", String(request.maxFileSize)]),
    ...exclude.flatMap((glob) => ["-g", `!${blanksKept(glob)}`]),
    ...list(request.types).flatMap((type) => ["-t", type]),
    ...list(request.typeGlobs).flatMap((glob) => ["--type-add", `oracle:${glob}`]),
    ...(list(request.typeGlobs).length > 0 ? ["-t", "oracle"] : []),
  ];
}

export function operand(place: Place): string {
  return place.path === "." ? "./" : place.path;
}

/** Which of the paths that ripgrep finds below a place are meant. */
export async function meant(scope: Scope, place: Place): Promise<(path: string) => boolean> {
  const { request } = scope;
  if (place.kind === "file") {
    const limit = request.maxFileSize;
    const fits = limit === undefined || statSync(resolve(request.root, place.path)).size <= limit;
    return () => fits;
  }
  const [included, matching] = await Promise.all([
    includedBelow(request, place),
    matchingBelow(request, place),
  ]);
  return (path) => {
    const rest = below(place, path);
    if (passesBy(request, rest.split("/"), "file")) return false;
    return (included === null || included(path)) && (matching === null || matching.has(rest));
  };
}

/** Folders of version control and folders to skip are not entered, unless the place itself is one or lies in one. */
export function passesBy(
  request: ScopeRequest,
  segments: readonly string[],
  kind: "file" | "folder",
): boolean {
  const entered = kind === "file" ? segments.slice(0, -1) : segments;
  return (
    VERSION_CONTROL.some((name) => segments.includes(name)) ||
    list(request.skipFolders).some((name) => entered.includes(latin1(name)))
  );
}

async function includedBelow(
  request: ScopeRequest,
  place: Place,
): Promise<((path: string) => boolean) | null> {
  const globs = list(request.include);
  if (globs.length === 0) return null;
  if (request.globsMatchNames === true) {
    const names = new Set(
      await rgFiles(join(request.root, "..", NAMES), [...EVERYTHING, ...whitelist(globs), "./"]),
    );
    return (path) => names.has(path.slice(path.lastIndexOf("/") + 1));
  }
  const paths = new Set(
    await rgFiles(request.root, [
      ...EVERYTHING,
      ...linked(request),
      ...whitelist(globs),
      "--",
      operand(place),
    ]),
  );
  return (path) => paths.has(path);
}

/** Paths relative to the place. */
async function matchingBelow(request: ScopeRequest, place: Place): Promise<Set<string> | null> {
  if (place.glob === null) return null;
  const folder = resolve(request.root, place.path);
  return new Set(
    await rgFiles(folder, [...EVERYTHING, ...linked(request), ...whitelist([place.glob]), "./"]),
  );
}

export const EVERYTHING: readonly string[] = ["--no-ignore", "-."];

function linked(request: ScopeRequest): string[] {
  return request.follow === true ? ["-L"] : [];
}

/** After `-g`, a leading `!` or `#` is syntax; in a request it is a letter. */
export function whitelist(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => ["-g", blanksKept(glob.replace(/^[!#]/, "\\$&"))]);
}

function blanksKept(glob: string): string {
  return glob.replace(/ $/, "\\ ");
}

export function below(place: Place, path: string): string {
  return place.path === "." ? path : path.slice(latin1(place.path).length + 1);
}

export function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}
