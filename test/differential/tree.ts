/**
 * The ground of the differential tests: a folder with real text in every encoding, name and place that could
 * make a search differ from ripgrep's. It is planted as a git repository and without one, and a third time with a
 * probe in every folder: a listed probe proves that ripgrep entered the folder, which it does not say otherwise.
 */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LINKS, plan } from "./layout.ts";

export interface Tree {
  /** A git repository. */
  readonly root: string;
  /** The same files, and no repository. */
  readonly bare: string;
  /** Twins of both with a probe in every folder. */
  readonly probed: { readonly root: string; readonly bare: string };
  /** Files whose names are UTF-8, with their text where it is text. */
  readonly files: readonly PlantedFile[];
  /** Folders whose names are UTF-8, links to folders among them. */
  readonly folders: readonly string[];
  readonly remove: () => void;
}

export interface PlantedFile {
  readonly path: string;
  readonly text: string | null;
}

export const PROBE = "zz-probe";
export const NAMES = "names";

/** Newest first must not be path order, and some files must be equally old. */
const MOMENTS = 9;
const EPOCH = 1_700_000_000;

export function plant(): Tree {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-differential-")));
  const root = join(place, "root");
  const bare = join(place, "bare");
  const probed = { root: join(place, "probed-root"), bare: join(place, "probed-bare") };
  const home = join(place, "home");
  mkdirSync(join(home, ".config/git"), { recursive: true });
  writeFileSync(join(home, ".config/git/ignore"), "*.userignored\n");
  const { files, folders } = plan();
  for (const base of [root, bare, probed.root, probed.bare]) {
    const repository = base === root || base === probed.root;
    const kept = repository ? files : files.filter(({ path }) => !text(path).startsWith(".git/"));
    const keptFolders = repository ? folders : folders.filter((path) => !/^\.git(\/|$)/.test(text(path)));
    for (const folder of keptFolders) mkdirSync(at(base, folder), { recursive: true });
    for (const { path, content } of kept) writeFileSync(at(base, path), content);
    for (const [path, target] of LINKS) symlinkSync(target, join(base, path));
    if (base !== root && base !== bare) {
      for (const folder of ["", ...keptFolders]) writeFileSync(at(base, folder, PROBE), "");
    }
    for (const [index, { path }] of kept.entries()) {
      const moment = EPOCH + ((index * 7) % MOMENTS) * 60 + (index % 2) * 0.125;
      utimesSync(at(base, path), moment, moment);
    }
  }
  plantNames(place, [...files.map(({ path }) => path), ...folders, ...LINKS.map(([path]) => path)]);
  const [oldHome, oldConfig] = [process.env["HOME"], process.env["XDG_CONFIG_HOME"]];
  process.env["HOME"] = home;
  delete process.env["XDG_CONFIG_HOME"];
  return {
    root,
    bare,
    probed,
    files: files.flatMap(({ path, text }) => (typeof path === "string" ? [{ path, text }] : [])),
    folders: folders.filter((path) => typeof path === "string"),
    remove: () => {
      rmSync(place, { recursive: true, force: true });
      restore("HOME", oldHome);
      restore("XDG_CONFIG_HOME", oldConfig);
    },
  };
}

/** One file for every base name, all in one folder: where ripgrep is asked about names alone. */
function plantNames(place: string, paths: readonly (string | Buffer)[]): void {
  mkdirSync(join(place, NAMES));
  for (const path of paths) {
    const bytes = Buffer.from(path);
    writeFileSync(at(join(place, NAMES), bytes.subarray(bytes.lastIndexOf(0x2f) + 1)), "");
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

/** A path below a base, whose bytes need not be UTF-8. */
function at(base: string, path: string | Buffer, ...more: readonly string[]): Buffer {
  const parts = [Buffer.from(base), Buffer.from(path), ...more.map((part) => Buffer.from(part))];
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("/")]).slice(0, -1));
}

function text(path: string | Buffer): string {
  return path.toString("latin1");
}
