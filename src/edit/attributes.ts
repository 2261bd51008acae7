/**
 * Copies what a file carries besides its bytes (extended attributes, access lists, security labels) to the file that
 * will take its place. Node has no call for them, so `cp` does it; besides ripgrep it is the only program we start.
 * Called by `commit/stage.ts`, while the new bytes go to the disk.
 */
import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { ATTRIBUTES_TIME } from "../model/limits.ts";

/** By full name: the PATH of whoever starts us may lead into a repository. */
const PLACES = ["/usr/bin/cp", "/bin/cp", "/run/current-system/sw/bin/cp"];

let program: Promise<string | null> | null = null;

/**
 * From one open file to another. False: they may not all be there, and the file must be written in place.
 * Both are handed over as descriptors, so no name can lead elsewhere, and a removed file is not made again.
 */
export async function copyAttributes(from: number, to: number): Promise<boolean> {
  if (process.platform !== "linux") return false;
  program ??= findProgram();
  const cp = await program;
  return cp === null ? false : run(cp, from, to);
}

/** "all" alone would pass over an attribute that cannot be set; "xattr" makes that an error. */
const WHAT = [
  "--attributes-only",
  "--preserve=all,xattr",
  "--no-preserve=timestamps",
  "--",
  "/proc/self/fd/3",
  "/proc/self/fd/4",
];

function run(cp: string, from: number, to: number): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(cp, WHAT, {
      stdio: ["ignore", "ignore", "ignore", from, to],
      env: { LC_ALL: "C" },
      timeout: ATTRIBUTES_TIME,
      killSignal: "SIGKILL",
    });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
}

async function findProgram(): Promise<string | null> {
  for (const place of PLACES) {
    const there = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (there) return place;
  }
  return null;
}
