/** The index of a session that may not see all of the tree. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createWorkspace, type Workspace, type WorkspaceOptions } from "../../src/quarry.ts";
import { tree } from "../support/tree.ts";

const FILES = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".gitignore": ".env\n*.log\n",
  ".env": "needle\n",
  "a.ts": "needle\n",
  "a.log": "needle\n",
  "app/.env": "needle\n",
  "app/b.ts": "needle\n",
  "secrets/.env": "needle\n",
  "secrets/deep/key.ts": "needle\n",
  "src/c.ts": "needle\n",
};

async function opened(
  root: string,
  more: Pick<WorkspaceOptions, "index" | "deny" | "allow">,
): Promise<Workspace> {
  const env = { ...process.env, QUARRY_CACHE_DIR: join(tree(), "cache") };
  const workspace: Workspace = await createWorkspace({
    root,
    env,
    index: more.index ?? "now",
    deny: more.deny,
    allow: more.allow,
  });
  while (more.index !== "off" && (await workspace.indexStatus())?.phase !== "ready") await setTimeout(20);
  return workspace;
}

interface Told {
  readonly engine: string;
  readonly files: readonly string[];
  readonly denied: number;
}

async function searched({ tools }: Workspace, pattern = "needle", paths = "."): Promise<Told> {
  const { content, details } = await tools.search({ pattern, paths });
  if (!("engine" in details)) throw new Error(content[0].text);
  return { engine: details.engine, files: details.files, denied: details.skipped.denied };
}

async function found({ tools }: Workspace, paths = "."): Promise<Told> {
  const { content, details } = await tools.find({ paths });
  if (!("engine" in details)) throw new Error(content[0].text);
  return { engine: details.engine, files: details.files.toSorted(), denied: details.skipped.denied };
}

describe("The index of a session with denied globs", () => {
  it("answers without what is denied, and counts what a walk meets, also what ignore rules leave out", async () => {
    const workspace = await opened(tree(FILES), { deny: [".env", "secrets/"] });
    try {
      // `.env`, `app/.env` and the folder.
      const told = { engine: "index", files: ["a.ts", "app/b.ts", "src/c.ts"], denied: 3 };
      expect(await searched(workspace)).toEqual(told);
      expect(await searched(workspace, "nowhere")).toEqual({ ...told, files: [] });
      expect(await searched(workspace, "needle", "app")).toEqual({ ...told, files: ["app/b.ts"], denied: 1 });
      const names = await found(workspace);
      expect(names).toMatchObject({ engine: "index", denied: 3 });
      expect(names.files.filter((path) => /secrets|env/.test(path))).toEqual([]);
      expect(await found(workspace, "**/*.ts")).toMatchObject({ engine: "index", files: told.files });
    } finally {
      await workspace.close();
    }
  }, 60_000);

  it("counts what came and went since, links too", async () => {
    const root = tree(FILES);
    const [workspace, plain] = [
      await opened(root, { deny: [".env", "secrets/", "*.pem"] }),
      await opened(root, { deny: [".env", "secrets/", "*.pem"], index: "off" }),
    ];
    const both = async (denied: number): Promise<void> => {
      const told = await searched(workspace);
      expect(told).toMatchObject({ engine: "index", denied });
      expect(await searched(plain)).toEqual({ ...told, engine: "ripgrep" });
    };
    try {
      await both(3);
      writeFileSync(join(root, "src/.env"), "needle\n");
      symlinkSync("a.ts", join(root, "link.pem"));
      await both(5);
      rmSync(join(root, ".env"));
      rmSync(join(root, "link.pem"));
      await both(3);
      mkdirSync(join(root, "new/secrets"), { recursive: true });
      writeFileSync(join(root, "new/secrets/x.ts"), "needle\n");
      await both(4);
      rmSync(join(root, "new"), { recursive: true });
      await both(3);
    } finally {
      await workspace.close();
      await plain.close();
    }
  }, 60_000);

  it("leaves to ripgrep what only a walk can count, and says so", async () => {
    const root = tree(FILES);
    symlinkSync("../secrets", join(root, "app/secrets"));
    const workspace = await opened(root, { deny: ["secrets/"] });
    try {
      const { details } = await workspace.tools.search({ pattern: "needle" });
      expect(details).toMatchObject({
        engine: "ripgrep",
        engineWhy: "Only ripgrep says whether it leaves out links that are withheld",
      });
    } finally {
      await workspace.close();
    }
  }, 60_000);

  it("says nothing of a denied file where the pattern is only in what ignore rules leave out", async () => {
    const workspace = await opened(tree({ ...FILES, ".env": "PASSWORD\n", "a.log": "word\n" }), {
      deny: [".env"],
    });
    try {
      const { content } = await workspace.tools.search({ pattern: "PASSWORD" });
      expect(content[0].text).not.toContain(".env");
    } finally {
      await workspace.close();
    }
  }, 60_000);
});

describe("The index of a session with allowed folders", () => {
  it("lists what lies in them, in pages, and counts them all", async () => {
    const root = tree(FILES);
    const workspace = await opened(root, { allow: ["src", "app"] });
    const plain = await opened(root, { allow: ["src", "app"], index: "off" });
    try {
      const told = await found(workspace, "src");
      expect(told).toMatchObject({ engine: "index", files: ["src/c.ts"], denied: 0 });
      expect(await found(plain, "src")).toEqual({ ...told, engine: "ripgrep" });
      const { details } = await workspace.tools.find({ limit: 1 });
      expect(details).toMatchObject({ engine: "index", totalFiles: 2 });
    } finally {
      await workspace.close();
      await plain.close();
    }
  }, 60_000);
});
