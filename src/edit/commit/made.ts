/** Folders that a commit made and that hold nothing when it is taken back. Used by `commit.ts` and `recover.ts`. */
import { rmdirSync } from "node:fs";
import { at, closeFolder, type Folder, openBelow } from "./folder.ts";

/** Removes the empty ones of a chain of folders below one that stays, the last first; never through a link. */
export function removeMade(base: Folder, below: readonly string[]): void {
  const [name, ...rest] = below;
  if (name === undefined) return;
  try {
    const folder = openBelow(base, name);
    try {
      removeMade(folder, rest);
    } finally {
      closeFolder(folder);
    }
    rmdirSync(at(base, name));
  } catch {
    // It is not there, or somebody has put something in it.
  }
}
