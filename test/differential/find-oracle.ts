/**
 * What `find()` must answer: the files that `rg --files` lists, and the folders in whose probed twins it lists the
 * probe. Folders are matched against globs by ripgrep too: as files, in a tree of their own for each depth.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FindCase } from "./cases.ts";
import { inOrder } from "./oracle.ts";
import { rgFiles } from "./rg.ts";
import {
  below,
  EVERYTHING,
  latin1,
  list,
  meant,
  operand,
  passesBy,
  type Place,
  ruleFlags,
  whitelist,
} from "./scope.ts";
import { NAMES, PROBE } from "./tree.ts";

export interface ExpectedEntry {
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** Everything there is, in order. */
export async function expectedFind(sought: FindCase): Promise<ExpectedEntry[]> {
  const { request } = sought;
  const places = sought.places.filter(({ kind }) => kind !== "missing");
  const kinds = request.kinds ?? "all";
  const typed = list(request.types).length + list(request.typeGlobs).length > 0;
  const found = await Promise.all(
    places.map(async (place) => [
      ...(kinds === "folders" ? [] : await filesBelow(sought, place)),
      ...(kinds === "files" || typed || place.kind === "file" ? [] : await foldersBelow(sought, place)),
    ]),
  );
  const entries = new Map(found.flat().map((entry) => [entry.path, entry]));
  return inOrder({ root: request.root, order: request.order ?? "mtime" }, [...entries.values()], false);
}

async function filesBelow(sought: FindCase, place: Place): Promise<ExpectedEntry[]> {
  const [paths, wanted] = await Promise.all([
    rgFiles(sought.request.root, [...ruleFlags(sought.request), "--", operand(place)]),
    meant(sought, place),
  ]);
  return paths.filter(wanted).map((path) => ({ path, kind: "file" }));
}

async function foldersBelow({ request }: FindCase, place: Place): Promise<ExpectedEntry[]> {
  const twin = twinOf(request.root);
  const probes = await rgFiles(twin, [
    ...ruleFlags(request),
    "-g",
    PROBE,
    "--",
    place.path.startsWith("/") ? twinOf(place.path) : operand(place),
  ]);
  const folders = probes
    .map((path) => (path.startsWith("/") ? untwinned(dirname(path)) : dirname(path)))
    .filter((path) => path !== place.path && path !== ".")
    .filter(
      (path) => path !== latin1(place.path) && !passesBy(request, below(place, path).split("/"), "folder"),
    );
  const include = list(request.include);
  const named = request.globsMatchNames === true;
  const rests = folders.map((path) => below(place, path));
  const [matching, included] = await Promise.all([
    place.glob === null ? null : matchingFolders([place.glob], rests),
    include.length === 0
      ? null
      : named
        ? matchingNames(include, join(request.root, "..", NAMES))
        : matchingFolders(include, folders),
  ]);
  return folders.flatMap((path) => {
    const key = named ? path.slice(path.lastIndexOf("/") + 1) : path;
    const wanted = matching?.has(below(place, path)) !== false && included?.has(key) !== false;
    return wanted ? [{ path, kind: "folder" as const }] : [];
  });
}

export function twinOf(path: string): string {
  return path.replace(/(?<=quarry-differential-\w+\/)(?=root|bare)/, "probed-");
}

function untwinned(path: string): string {
  return path.replace(/(?<=quarry-differential-\w+\/)probed-/, "");
}

async function matchingNames(globs: readonly string[], names: string): Promise<Set<string>> {
  return new Set(await rgFiles(names, [...EVERYTHING, ...forFolders(globs), "./"]));
}

/** Which of these folders some globs match. A folder of depth three is a file in the third tree. */
async function matchingFolders(globs: readonly string[], folders: readonly string[]): Promise<Set<string>> {
  const matching = new Set<string>();
  const depth = (path: string): number => path.split("/").length;
  for (const level of new Set(folders.map(depth))) {
    const paths = folders.filter((path) => depth(path) === level);
    const ground = mkdtempSync(join(process.env["HOME"] ?? "", "depth-"));
    try {
      for (const path of paths) {
        const bytes = Buffer.from(`${ground}/${path.replace(/^\//, "")}`, "latin1");
        mkdirSync(bytes.subarray(0, bytes.lastIndexOf(0x2f)), { recursive: true });
        writeFileSync(bytes, "");
      }
      const found = await rgFiles(ground, [...EVERYTHING, ...forFolders(globs), "./"]);
      const absolute = paths[0]?.startsWith("/") === true;
      for (const path of found) matching.add(absolute ? `/${path}` : path);
    } finally {
      rmSync(ground, { recursive: true });
    }
  }
  return matching;
}

/** A slash at the end asks for folders, and folders are all there is. */
function forFolders(globs: readonly string[]): string[] {
  return whitelist(globs.map((glob) => glob.replace(/(?<=.)\/$/, "")));
}
