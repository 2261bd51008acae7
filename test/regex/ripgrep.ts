/** The real ripgrep for the tests of this room, over a folder of their own. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rgPath } from "@vscode/ripgrep";

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Tree {
  readonly root: string;
  rg(...args: readonly string[]): Run;
  remove(): void;
}

/** Writes files, each with its content, and runs ripgrep among them. */
export function plant(files: Readonly<Record<string, string>>): Tree {
  const root = mkdtempSync(join(tmpdir(), "quarry-regex-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return {
    root,
    rg(...args) {
      const { status, stdout, stderr } = spawnSync(rgPath, ["--no-config", "--no-messages", ...args], {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      return { status, stdout, stderr };
    },
    remove() {
      rmSync(root, { recursive: true, force: true });
    },
  };
}
