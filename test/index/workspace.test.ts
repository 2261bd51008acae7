/** The index as whoever opens a workspace has it: in threads of its own, behind the tools. */
import { createHook } from "node:async_hooks";
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createWorkspace, type Workspace } from "../../src/quarry.ts";
import { plant } from "../support/tree.ts";

const { root, remove } = plant({
  ".git/HEAD": "ref: refs/heads/main\n",
  ".gitignore": "*.log\n",
  "a.ts": "export const needle = 1;\n",
  "deep/b.ts": "// needle\nlet other = 2;\n",
  "deep/c.log": "needle\n",
  "none.ts": "nothing\n",
});
const cache = plant({});
const env = { ...process.env, QUARRY_CACHE_DIR: join(cache.root, "cache") };
afterAll(() => {
  remove();
  cache.remove();
});

async function opened(): Promise<Workspace> {
  const workspace = await createWorkspace({ root, env, index: "now" });
  while ((await workspace.indexStatus())?.phase !== "ready") await setTimeout(20);
  return workspace;
}

/** The text of an answer and who gave it. */
async function asked(
  { tools }: Workspace,
  pattern: string,
): Promise<{ text: string; engine: string; files: readonly string[] }> {
  const { content, details } = await tools.search({ pattern });
  if (!("engine" in details)) throw new Error(content[0].text);
  return { text: content[0].text, engine: details.engine, files: details.files };
}

/**
 * What was begun meanwhile: trips to the thread pool for a file, each of which costs as much as thirty questions that
 * are answered at once, or processes.
 */
async function begun(what: "FSREQ" | "PROCESS", work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type.startsWith(what)) count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

describe("A workspace with an index", () => {
  it("looks at once at what is below its root, and only there", async () => {
    const elsewhere = plant({ "x.ts": "needle\n" });
    const workspace = await createWorkspace({ root, env, index: "now", allow: [root, elsewhere.root] });
    try {
      while ((await workspace.indexStatus())?.phase !== "ready") await setTimeout(20);
      const { search, find } = workspace.tools;
      const below = ["deep", "deep/*.ts", join(root, "*.ts"), "not there"];
      for (const paths of below) {
        expect([paths, await begun("FSREQ", () => find({ paths }))]).toEqual([paths, 0]);
      }
      expect(await begun("FSREQ", () => search({ pattern: "needle" }))).toBe(0);
      expect(await begun("FSREQ", () => find({ paths: elsewhere.root }))).toBeGreaterThan(0);
    } finally {
      await workspace.close();
      elsewhere.remove();
    }
  }, 120_000);

  it("shows a large file without a process", async () => {
    const large = plant({ "a.h": `${"#define X 1\n".repeat(200_000)}needle\n`, "b.h": "a needle\n" });
    const workspace = await createWorkspace({ root: large.root, env, index: "now" });
    const shown = async (): Promise<string> => (await asked(workspace, "needle")).text;
    try {
      const before = await shown();
      while ((await workspace.indexStatus())?.phase !== "ready") await setTimeout(20);
      expect(await begun("PROCESS", shown)).toBe(0);
      expect(await shown()).toBe(before);
      expect(before).toContain("*200001:needle");
    } finally {
      await workspace.close();
      large.remove();
    }
  }, 120_000);

  it("says what one without it says, with every change made before", async () => {
    const [indexed, plain] = [await opened(), await createWorkspace({ root, env, index: "off" })];
    try {
      for (const pattern of ["needle", "(?i)NEEDLE|let", "not there"]) {
        const one = await asked(indexed, pattern);
        expect(one).toEqual({ ...(await asked(plain, pattern)), engine: "index" });
      }
      appendFileSync(join(root, "none.ts"), "a needle now\n");
      writeFileSync(join(root, "deep", "new.ts"), "needle too\n");
      rmSync(join(root, "a.ts"));
      const changed = await asked(indexed, "needle");
      expect(changed).toEqual({ ...(await asked(plain, "needle")), engine: "index" });
      expect(changed.files).toEqual(["deep/b.ts", "deep/new.ts", "none.ts"]);
    } finally {
      await indexed.close();
      await plain.close();
    }
  }, 120_000);

  it("takes up what was saved, shares it, and leaves it to the last", async () => {
    const first = await opened();
    const second = await createWorkspace({ root, env, index: "auto" });
    await setTimeout(0);
    expect((await asked(second, "needle")).engine).toBe("index");
    await first.close();
    expect(await first.indexStatus()).toBeNull();
    expect((await asked(second, "needle")).engine).toBe("index");
    await second.close();
    expect(await second.indexStatus()).toBeNull();
  }, 120_000);

  it("has none of a small tree by itself, and says so", async () => {
    const small = plant({ "a.ts": "needle\n" });
    const workspace = await createWorkspace({ root: small.root, env });
    expect(await workspace.indexStatus()).toBeNull();
    const { details } = await workspace.tools.search({ pattern: "needle" });
    expect(details).toMatchObject({ engine: "ripgrep", engineWhy: "there is no index yet" });
    await workspace.close();
    small.remove();
  });
});
