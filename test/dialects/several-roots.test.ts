import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace, type FindDetails, type Workspace } from "../../src/quarry.ts";
import { link, tree } from "../support/tree.ts";
import { cacheEnv, textOf } from "./workspaces.ts";

interface Ground {
  readonly workspace: Workspace;
  readonly api: string;
  readonly web: string;
}

async function ground(): Promise<Ground> {
  const outside = tree({ "secret.ts": "needle" });
  const api = tree({
    ".git/HEAD": "",
    ".gitignore": "dist/\n",
    "src/a.ts": "needle one\nplain\n",
    "dist/a.js": "needle",
    out: link(outside),
  });
  const web = tree({ "src/b.ts": "needle two\n", "index.html": "" });
  const roots = [
    { name: "api", path: api },
    { name: "web", path: web },
  ];
  const workspace = await createWorkspace({ roots, env: cacheEnv() });
  onTestFinished(() => workspace.close());
  return { workspace, api, web };
}

describe("Several roots", () => {
  it("are searched together, each path with the name of its root in front", async () => {
    const { workspace } = await ground();
    const text = textOf(await workspace.tools.search({ pattern: "needle", mode: "files" }));
    expect(text).toBe("api/src/a.ts\nweb/src/b.ts");
    const dot = textOf(await workspace.tools.search({ pattern: "needle", mode: "files", paths: "." }));
    expect(dot).toBe(text);
  });

  it.each([
    ["*.ts", ["api/src/a.ts", "web/src/b.ts"]],
    ["**/*.ts", ["api/src/a.ts", "web/src/b.ts"]],
    ["*/src/*.ts", ["api/src/a.ts", "web/src/b.ts"]],
    ["w*/src/*", ["web/src/b.ts"]],
    ["api/**/*.ts", ["api/src/a.ts"]],
    ["web/src", ["web/src/b.ts"]],
    ["api", ["api/src/a.ts"]],
  ])("take a glob or a path from above: %s", async (paths, files) => {
    const { workspace } = await ground();
    const { details } = await workspace.tools.search({ pattern: "needle", paths });
    expect(details).toMatchObject({ files });
  });

  it("are found, read and edited by the names that were shown", async () => {
    const { workspace, api } = await ground();
    const { details } = await workspace.tools.find({ paths: "*.ts" });
    expect((details as FindDetails).files.toSorted()).toEqual(["api/src/a.ts", "web/src/b.ts"]);
    const read = textOf(await workspace.tools.read({ path: "api/src/a.ts" }));
    expect(read).toMatch(/^¶api\/src\/a\.ts#[0-9A-F]{4}\n1:needle one\n2:plain$/);
    const [heading] = read.split("\n");
    const edited = await workspace.tools.edit({ input: `${heading}\nreplace 2..2:\n+changed\n` });
    expect(textOf(edited)).toContain("¶api/src/a.ts#");
    expect(readFileSync(join(api, "src/a.ts"), "utf8")).toBe("needle one\nchanged\n");
    await workspace.tools.write({ path: "web/src/c.ts", content: "new\n" });
    const unknown = await workspace.tools.edit({ input: "¶api/src/a.ts#0000\ndelete 1..1\n" });
    expect(textOf(unknown)).toContain("api/src/a.ts");
    expect(textOf(unknown)).not.toContain(api);
  });

  it("are all that stands above them", async () => {
    const { workspace } = await ground();
    for (const path of ["/", ".", "./"]) {
      expect(textOf(await workspace.tools.read({ path }))).toBe("api/\nweb/");
    }
    const written = await workspace.tools.write({ path: "c.ts", content: "" });
    expect(written.isError).toBe(true);
    const out = await workspace.tools.read({ path: "api/out/secret.ts" });
    expect(textOf(out)).toMatch(/^\[PATH_OUTSIDE\]/);
  });

  it("are understood by the other dialects", async () => {
    const { api, web } = await ground();
    const roots = [
      { name: "api", path: api },
      { name: "web", path: web },
    ];
    const claude = await createWorkspace({ roots, env: cacheEnv(), dialect: "claude" });
    onTestFinished(() => claude.close());
    const boris = await createWorkspace({ roots, env: cacheEnv(), dialect: "boris" });
    onTestFinished(() => boris.close());
    const sorted = (text: string): string[] => text.split("\n").toSorted();
    expect(sorted(textOf(await claude.tools.Glob({ pattern: "**/*.ts" })))).toEqual([
      "api/src/a.ts",
      "web/src/b.ts",
    ]);
    expect(textOf(await claude.tools.Glob({ pattern: "api/src/*.ts" }))).toBe("api/src/a.ts");
    expect(textOf(await claude.tools.Grep({ pattern: "needle", path: "web" }))).toBe(
      "Found 1 file\nweb/src/b.ts",
    );
    expect(textOf(await claude.tools.Grep({ pattern: "needle", glob: "api/**" }))).toBe(
      "Found 1 file\napi/src/a.ts",
    );
    expect(textOf(await boris.tools.view({ path: "api/src/a.ts", view_range: [1, 1] }))).toBe(
      "     1\tneedle one",
    );
  });

  it("are searched whatever they are called, and each file once where one lies in another", async () => {
    const outer = tree({ "src/a.ts": "needle", "b.ts": "needle" });
    const roots = [
      { name: "in", path: join(outer, "src") },
      { name: "[x]", path: outer },
    ];
    const workspace = await createWorkspace({ roots, env: cacheEnv() });
    onTestFinished(() => workspace.close());
    const files = async (paths?: string): Promise<unknown> =>
      (await workspace.tools.search({ pattern: "needle", paths })).details;
    expect(await files()).toMatchObject({ files: ["[x]/b.ts", "[x]/src/a.ts"] });
    expect(await files("[x]")).toMatchObject({ files: ["[x]/b.ts", "[x]/src/a.ts"] });
    expect(await files("*.ts")).toMatchObject({ files: ["[x]/b.ts", "[x]/src/a.ts"] });
    expect(await files("in")).toMatchObject({ files: ["in/a.ts"] });
  });

  it("go on without one that is denied", async () => {
    const [one, two] = [tree({ "a.ts": "needle" }), tree({ "b.ts": "needle" })];
    const roots = [
      { name: "one", path: one },
      { name: "two", path: two },
    ];
    const workspace = await createWorkspace({ roots, deny: ["one"], env: cacheEnv() });
    onTestFinished(() => workspace.close());
    const { details } = await workspace.tools.search({ pattern: "needle" });
    expect(details).toMatchObject({ files: ["two/b.ts"] });
    expect(textOf(await workspace.tools.read({ path: "one/a.ts" }))).toMatch(/^\[PATH_DENIED\]/);
  });

  it("are taken up again by a named session", async () => {
    const [root, env] = [tree({ "a.ts": "needle" }), cacheEnv()];
    for (const names of [
      ["a", "b"],
      ["b", "c"],
    ]) {
      const roots = names.map((name) => ({ name, path: root }));
      const workspace = await createWorkspace({ roots, session: "kept", env });
      const { details } = await workspace.tools.search({ pattern: "needle" });
      await workspace.close();
      expect(details).toMatchObject({ files: [`${names[0]}/a.ts`] });
    }
  });

  it("are refused with names that are no names", async () => {
    const root = tree();
    const open = (...names: string[]): Promise<unknown> =>
      createWorkspace({ roots: names.map((name) => ({ name, path: root })), env: cacheEnv() });
    await expect(open("a/b", "c")).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(open("a", "a")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});
