// Nothing of a run stays behind: temporary folders and child processes, also when it is interrupted or fails.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders = new Set();
const children = new Set();

export function temporaryFolder(purpose) {
  return watchFolder(mkdtempSync(join(tmpdir(), `quarry-bench-${purpose}-`)));
}

/** Is removed at the end of the run if nobody has before. */
export function watchFolder(folder) {
  folders.add(folder);
  return folder;
}

export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  folders.delete(folder);
}

/** Is killed at the end of the run if it has not ended before. */
export function watchChild(child) {
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** Of a process that somebody else started and handed over by its number. */
export function watchProcess(pid) {
  const child = { pid, kill: (signal) => process.kill(pid, signal) };
  children.add(child);
  return () => children.delete(child);
}

function cleanUp() {
  for (const child of children) {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
  }
  for (const folder of folders) removeFolder(folder);
}

process.once("exit", cleanUp);
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
]) {
  process.once(signal, () => process.exit(code));
}
