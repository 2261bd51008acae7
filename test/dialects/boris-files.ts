/**
 * The files that Boris's grep looks at below a place, without the engine's own walk. ripgrep lists a folder, and the
 * probes of the twin tree tell which folders it enters, with links and without. Each folder that can be reached has one
 * name: its own, else that of the first link by path; below a link ripgrep lists what it lists for a folder that is named.
 */
import { readdirSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import { twinOf } from "../differential/find-oracle.ts";
import { inOrder, onDisk } from "../differential/oracle.ts";
import { rgFiles } from "../differential/rg.ts";
import { latin1 } from "../differential/scope.ts";
import { PROBE } from "../differential/tree.ts";

const RULES: readonly string[] = ["--hidden", "--no-require-git", "-g=!.git", "-g=!node_modules"];

const KNOWN = new Map<string, Promise<ReadonlySet<string>>>();

/** Paths are latin1, one character a byte. The trees do not change, so that each folder is asked about once. */
export function borisFiles(root: string, folder: string): Promise<ReadonlySet<string>> {
  const key = `${root}\0${folder}`;
  const known = KNOWN.get(key) ?? filesBelow(root, folder);
  KNOWN.set(key, known);
  return known;
}

/** A folder that was named or linked to, and what ripgrep enters and lists in it. */
interface Area {
  readonly path: string;
  readonly real: string;
  readonly entered: ReadonlySet<string>;
  readonly files: readonly string[];
  /** Links in what is entered, to folders that `--follow` would enter. */
  readonly links: readonly string[];
}

async function filesBelow(root: string, folder: string): Promise<ReadonlySet<string>> {
  const areas = [await areaAt(root, folder, [])];
  const isShown = (real: string): boolean =>
    areas.some((area) => {
      const rest = restOf(area.real, real);
      return rest !== null && area.entered.has(childOf(area.path, rest));
    });
  let links = areas.flatMap((area) => area.links);
  for (let link = links.shift(); link !== undefined; link = links.shift()) {
    const real = realOf(root, link);
    if (isShown(real) || restOf(realOf(root, "."), real) === null) continue;
    // What was shown before is not shown again.
    const shown = areas.flatMap((area) => restOf(real, area.real) ?? []);
    const area = await areaAt(root, Buffer.from(link, "latin1").toString(), shown);
    areas.push(area);
    links = byPath(root, [...links, ...area.links]);
  }
  return new Set(areas.flatMap(({ files }) => files));
}

/** `without`: folders in it, as their paths go on from its own. */
async function areaAt(root: string, folder: string, without: readonly string[]): Promise<Area> {
  const path = latin1(folder);
  const operand = folder === "." ? "./" : folder;
  const foldersOf = async (flags: readonly string[]): Promise<ReadonlySet<string>> => {
    const probes = await rgFiles(twinOf(root), [...RULES, ...flags, "-g", PROBE, "--", operand]);
    return new Set(probes.map((probe) => dirname(probe)).filter(isWanted));
  };
  const isWanted = (below: string): boolean =>
    !without.some((rest) => restOf(childOf(path, rest), below) !== null);
  const [listed, entered, followed] = await Promise.all([
    rgFiles(root, [...RULES, "--max-filesize=10M", "--", operand]),
    foldersOf([]),
    foldersOf(["--follow"]),
  ]);
  return {
    path,
    real: realOf(root, path),
    entered,
    files: listed.filter((file) => isWanted(dirname(file))),
    links: byPath(
      root,
      [...entered].flatMap((one) => linksIn(root, one)).filter((link) => followed.has(link)),
    ),
  };
}

function linksIn(root: string, folder: string): string[] {
  return readdirSync(onDisk(root, folder), { encoding: "latin1", withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => childOf(folder, entry.name));
}

function byPath(root: string, paths: readonly string[]): string[] {
  const items = paths.map((path) => ({ path }));
  return inOrder({ root }, items, false).map(({ path }) => path);
}

function realOf(root: string, path: string): string {
  return realpathSync.native(onDisk(root, path), "buffer").toString("latin1");
}

function childOf(folder: string, rest: string): string {
  return rest === "" ? folder : folder === "." ? rest : `${folder}/${rest}`;
}

/** What is behind a folder in a path; null outside it. */
function restOf(folder: string, path: string): string | null {
  if (path === folder) return "";
  if (folder === ".") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
