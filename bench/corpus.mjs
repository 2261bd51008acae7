// The trees that are searched: parts and copies of the Linux sources, or of any folder. Each is a copy of its own: a
// run writes into it, and hard links would change the times of the original.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { removeFolder, watchFolder } from "./cleanup.mjs";

/** Of Debian's package linux-source-6.1. */
const ARCHIVE = "/usr/src/linux-source-6.1.tar.xz";
/** Of version control: neither sources nor searched. */
const LEFT_OUT = new Set([".git", ".hg", ".svn", ".jj"]);

export function benchCache(given) {
  const cache = given ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "quarry-bench");
  mkdirSync(cache, { recursive: true });
  return cache;
}

/** The folder given, or the sources of the Debian package, unpacked once. */
export function findTree(given, cache) {
  if (given !== undefined) {
    // npm changes to the folder of the package, and says where it was called.
    const tree = resolve(process.env.INIT_CWD ?? ".", given);
    if (!statSync(tree).isDirectory()) throw new Error(`${tree} is no folder`);
    return tree;
  }
  const unpacked = join(cache, "linux-source-6.1");
  if (existsSync(unpacked)) return unpacked;
  if (!existsSync(ARCHIVE)) {
    throw new Error(`No --tree DIR, and no ${ARCHIVE}: apt-get install linux-source-6.1, or give any folder`);
  }
  console.log(`unpacking ${ARCHIVE}`);
  const half = watchFolder(join(cache, `unpacking-${process.pid}`));
  mkdirSync(half);
  execFileSync("tar", ["-xJf", ARCHIVE, "-C", half]);
  renameSync(join(half, "linux-source-6.1"), unpacked);
  removeFolder(half);
  return unpacked;
}

/**
 * `percent` of the tree at `to`: whole folders, chosen by a hash of their path, so that the same are chosen in every
 * run and a part has as many files to a folder as the whole. Over 100 percent the further copies lie beside the first,
 * in folders of their own, so that a path in a question is there in every scale.
 */
export function plantCorpus(tree, percent, to) {
  const entries = list(tree).filter(({ folder }) => percent >= 100 || share(folder) < percent / 100);
  const places = ["", ...Array.from({ length: Math.max(1, percent / 100) - 1 }, (_, at) => `copy-${at + 2}`)];
  const corpus = { root: to, percent, files: 0, bytes: 0, folders: 0 };
  for (const place of places) copy(tree, entries, join(to, place), corpus);
  // What is still to be written would be written while something is measured.
  if (process.platform !== "win32") execFileSync("sync");
  return corpus;
}

function list(tree) {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => {
      const parent = entry.parentPath ?? entry.path;
      return {
        folder: parent.slice(tree.length).replace(/^\/+/, ""),
        name: entry.name,
        link: entry.isSymbolicLink(),
      };
    })
    .filter(
      ({ folder, name }) => !LEFT_OUT.has(name) && !folder.split("/").some((part) => LEFT_OUT.has(part)),
    );
}

/** From 0 to 1, the same for a path on every machine. */
function share(folder) {
  return createHash("sha1").update(folder).digest().readUInt32BE(0) / 2 ** 32;
}

function copy(tree, entries, to, corpus) {
  const made = new Set();
  for (const { folder, name, link } of entries) {
    const [from, target] = [join(tree, folder, name), join(to, folder, name)];
    if (!made.has(folder)) {
      mkdirSync(dirname(target), { recursive: true });
      made.add(folder);
      corpus.folders += 1;
    }
    if (link) {
      symlinkSync(readlinkSync(from), target);
      continue;
    }
    const { size, atime, mtime } = statSync(from);
    copyFileSync(from, target, constants.COPYFILE_FICLONE);
    // A tree that an agent works in is older than its session.
    utimesSync(target, atime, mtime);
    corpus.files += 1;
    corpus.bytes += size;
  }
}
