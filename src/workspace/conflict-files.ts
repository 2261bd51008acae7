/** Keeps the conflicts that a named session listed between processes. What is damaged is as if it were never listed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "./cache.ts";
import type { ConflictList, SavedConflicts } from "./conflict-list.ts";

const FILE = "conflicts.json";

export async function saveConflicts(list: ConflictList, folder: string): Promise<void> {
  await writePrivateFile(join(folder, FILE), JSON.stringify(list.saved()));
}

export async function loadConflicts(list: ConflictList, folder: string): Promise<void> {
  const text = await readFile(join(folder, FILE), "utf8").catch(() => null);
  if (text === null) return;
  try {
    // The folder is ours alone, and the file is written whole.
    list.restore(JSON.parse(text) as SavedConflicts);
  } catch {
    // Whoever wants them lists them again.
  }
}
