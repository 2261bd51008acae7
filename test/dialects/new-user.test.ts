import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { link, tree } from "../support/tree.ts";
import { handsOf, textOf, workspaceOf } from "./workspaces.ts";

/** What somebody meets on the first day: a merge that failed, a tree of packages with links, minified code. */

describe("A merge that failed", () => {
  it("made by git itself is listed, resolved and clean", async () => {
    const root = tree({ "x.ts": "export const a = 1;\nexport const b = 2;\nexport const c = 3;\n" });
    const git = (...argv: string[]): string =>
      execFileSync(
        "git",
        ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false", ...argv],
        {
          cwd: root,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
        },
      );
    const change = (to: string): void => {
      execFileSync("sed", ["-i", `s/b = .*/b = ${to};/`, join(root, "x.ts")]);
      git("commit", "-qam", to);
    };
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-qm", "first");
    git("checkout", "-qb", "other");
    change("20");
    git("checkout", "-q", "main");
    change("21");
    expect(() => git("merge", "-q", "other")).toThrow(/merge/);
    const { read, write, edit } = handsOf(await workspaceOf(root));
    expect((await read("x.ts:conflicts")).split("\n").slice(1, 3)).toEqual([
      "conflict://1 lines 2-6: ours HEAD, theirs other",
      "2:<<<<<<< HEAD",
    ]);
    expect(await read("conflict://1/theirs")).toBe("¶conflict://1/theirs\n1|export const b = 20;");
    const wrote = await write("conflict://1", "@theirs");
    expect(wrote).toMatch(/^¶x\.ts#[0-9A-F]{4}\nResolved 1 conflict in x\.ts$/);
    expect(readFileSync(join(root, "x.ts"), "utf8")).toBe(
      "export const a = 1;\nexport const b = 20;\nexport const c = 3;\n",
    );
    // What was written is known.
    await edit(`${wrote.split("\n")[0]}\nreplace 2..2:\n+export const b = 22;`);
    git("commit", "-qam", "merged");
    expect(git("status", "--porcelain")).toBe("");
  });
});

describe("A tree of packages with links", () => {
  it("is read and edited through a link, which stays one", async () => {
    const root = tree({
      "node_modules/.pnpm/lib@1/node_modules/lib/index.js": "module.exports = 1;\n",
      "node_modules/lib": link(".pnpm/lib@1/node_modules/lib"),
      "app/node_modules/lib": link("../../node_modules/lib"),
    });
    const workspace = await workspaceOf(root);
    const { read, edit } = handsOf(workspace);
    expect(await read(".")).toContain("lib -> .pnpm/lib@1/node_modules/lib/");
    const [header] = (await read("app/node_modules/lib/index.js")).split("\n");
    expect(header).toMatch(/^¶app\/node_modules\/lib\/index\.js#/);
    await edit(`${header}\nreplace 1..1:\n+module.exports = 2;`);
    // The same file by its other names has the same tag, and shows the change.
    const tag = (text: string): string => text.split("\n")[0]?.slice(-4) ?? "";
    const seen = await Promise.all(
      ["node_modules/lib/index.js", "node_modules/.pnpm/lib@1/node_modules/lib/index.js"].map((path) =>
        read(path),
      ),
    );
    expect(seen.map((text) => text.split("\n")[1])).toEqual([
      "1:module.exports = 2;",
      "1:module.exports = 2;",
    ]);
    expect(tag(seen[0] ?? "")).toBe(tag(seen[1] ?? ""));
    expect(
      textOf(await workspace.tools.search({ pattern: "= 2", paths: "node_modules/lib/index.js" })),
    ).toContain(`#${tag(seen[0] ?? "")}`);
  });
});

describe("A line that no answer holds", () => {
  it("is shown in part, and an edit of it is told the way out", async () => {
    const root = tree({ "min.js": `var a=${"1,".repeat(40_000)}2;\nlast();\n` });
    const { read, edit } = handsOf(await workspaceOf(root));
    const shown = await read("min.js");
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(51_200);
    const [header] = shown.split("\n");
    const refused = await edit(`${header}\nreplace 1..1:\n+x`);
    expect(refused.split("\n")[0]).toBe(
      "[LINE_NOT_SHOWN] Line 1 of min.js was not shown in full under this tag. Line 1 is too long for any answer: change it with a program such as sed, or write the whole file.",
    );
    await read("min.js:2");
    expect(await edit(`${header}\nreplace 2..2:\n+end();`)).toContain("+2:end();");
    expect(statSync(join(root, "min.js")).size).toBe(80_008 + "\nend();\n".length);
  });
});

describe("What was written", () => {
  it("is edited, found and read without another read", async () => {
    const root = tree();
    const workspace = await workspaceOf(root);
    const { write, edit } = handsOf(workspace);
    const [header] = (await write("new/deep/a file.ts", "one\ntwo\n")).split("\n");
    const [next] = (await edit(`${header}\ninsert after 1:\n+needle`)).split("\n");
    expect(textOf(await workspace.tools.search({ pattern: "needle" }))).toBe(
      `# ${next?.slice(1)}\n 1:one\n*2:needle\n 3:two`,
    );
    await edit(`${next}\ndelete 2..2`);
    expect(readFileSync(join(root, "new/deep/a file.ts"), "utf8")).toBe("one\ntwo\n");
  });
});
