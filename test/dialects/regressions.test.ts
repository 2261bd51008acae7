/** What reading the tools as a critic brought up, each with the call that showed it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import { planScope } from "../../src/engine/plan.ts";
import { zip } from "../sources/build.ts";
import { SCOPE } from "../support/query.ts";
import { runScript } from "../support/script.ts";
import { tree } from "../support/tree.ts";
import { cacheEnv, codeIn, textOf, workspaceOf } from "./workspaces.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `hit ${at + 1}\n`).join("");

describe("search", () => {
  it("names the rest of the lines that were asked for, those at the end too", async () => {
    const { tools } = await workspaceOf(tree({ "n.txt": numbered(300) }));
    const text = textOf(await tools.search({ pattern: "hit", paths: "n.txt:1-210,-5", context: 0 }));
    expect(text).toContain("[More matches: paths n.txt:201-210,296-300]");
  });

  it("finds in an archive what it finds on disk where one file is too much for PCRE2", async () => {
    const files = { "a_bad.txt": `${"a".repeat(20_000)}\n`, "b_good.txt": "aaaaz\n" };
    const archive = zip(Object.entries(files).map(([name, data]) => ({ name, data })));
    const { tools } = await workspaceOf(tree({ ...files, "all.zip": archive }));
    const pattern = "\\w+\\w+\\w+\\w+(?=z)";
    const packed = await tools.search({ pattern, paths: "all.zip" });
    expect(packed.details).toMatchObject({ files: ["all.zip:b_good.txt"], partial: true });
    expect(textOf(packed)).not.toContain("<stdin>");
    expect((await tools.search({ pattern, paths: "*_*.txt" })).details).toMatchObject({
      files: ["b_good.txt"],
      partial: true,
    });
  });

  it("does not print a member without rows for a mark that is not searched", async () => {
    const archive = zip([{ name: "bom.ts", data: "\ufeffalpha\n" }]);
    const { tools } = await workspaceOf(tree({ "a.zip": archive, "bom.ts": "\ufeffalpha\n" }));
    for (const paths of ["a.zip", "a.zip:bom.ts", "bom.ts", "."]) {
      expect(textOf(await tools.search({ pattern: "\\x{feff}alpha", paths }))).toBe("No matches found");
    }
  });

  it("looks at every file that ignore rules leave out, however many there are", async () => {
    const logs = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${at}.log`, `token-${at}\n`]));
    const { tools } = await workspaceOf(tree({ ...logs, ".ignore": "*.log\n" }));
    for (const at of [0, 255, 256, 599]) {
      expect(textOf(await tools.search({ pattern: `token-${at}$` }))).toContain(
        `${at}.log (left out by "*.log" in .ignore)`,
      );
    }
  });

  it("leaves out a file with a NUL byte around a match across lines, whichever engine decides", async () => {
    const late = `${"filler\n".repeat(20_000)}the needle\nnext\nlast \0\n`;
    const root = tree({ "late.txt": late, "plain.txt": "the needle\n" });
    const workspace = await createWorkspace({ root, dialect: "claude", env: cacheEnv() });
    const call = { output_mode: "content", multiline: true, "-A": 2 } as const;
    for (const pattern of ["needle", "needl.", "(?<=the )needle"]) {
      expect(textOf(await workspace.tools.Grep({ pattern, ...call }))).toBe("plain.txt:1:the needle");
    }
    await workspace.close();
  });

  it("explains absence behind a glob and a type too", async () => {
    const { tools } = await workspaceOf(tree({ "gen/a.ts": "needle\n", "b.ts": "", ".ignore": "gen/\n" }));
    for (const input of [{ paths: "*.ts" }, { type: "ts" }]) {
      expect(textOf(await tools.search({ pattern: "needle", ...input }))).toContain("gen/a.ts (left out by");
    }
  });

  it("counts what is denied behind a glob and a type too, whatever is in it", async () => {
    const root = tree({ "secret/a.ts": "needle\n", "b.ts": "needle\n", "c.md": "" });
    const { tools } = await workspaceOf(root, { deny: ["secret/"] });
    for (const input of [{}, { paths: "*.ts" }, { type: "ts" }]) {
      for (const pattern of ["needle", "absent"]) {
        expect((await tools.search({ pattern, ...input })).details).toMatchObject({ skipped: { denied: 1 } });
      }
    }
  });

  it("quotes no rule of an ignore file that may not be read", async () => {
    const files = { "plan.txt": "needle\n", ".rgignore": "plan.txt\n" };
    const { tools } = await workspaceOf(tree(files), { deny: [".rgignore"] });
    expect(textOf(await tools.search({ pattern: "needle" }))).toMatch(
      /\[The pattern is in files that ignore rules leave out: plan\.txt\]$/,
    );
  });

  it("takes no more context than it can show, whatever is asked for", async () => {
    const { tools } = await workspaceOf(tree({ "m.txt": "aa\n".repeat(30_000) }));
    const result = await tools.search({ pattern: "a", paths: "m.txt:29999-", context: 1e21 });
    expect(codeIn(result)).toBe("none");
    expect(result.details).toMatchObject({ matchCount: 2 });
  });

  it("refuses more paths than it would look for, and an unending pattern's error keeps within the cap", async () => {
    const { tools } = await workspaceOf(tree({ a: "" }));
    const many = await tools.search({ pattern: "x", paths: Array.from({ length: 1_001 }, () => "a") });
    expect(codeIn(many)).toBe("INVALID_INPUT");
    const wrong = await tools.search({ pattern: `${"x".repeat(4_000)}[` });
    expect(codeIn(wrong)).toBe("INVALID_PATTERN");
    const long = await tools.search({ pattern: `${"x".repeat(60_000)}[`, paths: "a" });
    expect(Buffer.byteLength(textOf(long))).toBeLessThan(50 * 1024);
  });

  it("tells a large file with a NUL byte at its end the same way in every mode, walked and named", async () => {
    const root = tree({ other: "" });
    const row = `needle ${"x".repeat(60_000)}\n`;
    writeFileSync(join(root, "large.txt"), Buffer.from(`${row.repeat(700)}\0`));
    const { tools } = await workspaceOf(root);
    for (const mode of ["content", "files", "count"] as const) {
      for (const paths of [".", "large.txt"]) {
        const { details } = await tools.search({ pattern: "needle", paths, mode });
        expect([mode, paths, details]).toMatchObject([mode, paths, { fileCount: 0, skipped: { binary: 1 } }]);
      }
    }
  });

  it("does not hold the files of a page whole until it is printed", async () => {
    const root = tree();
    const filler = Buffer.alloc(16 << 20, `${"y".repeat(99)}\n`);
    for (let at = 0; at < 20; at += 1) {
      writeFileSync(join(root, `f${at}`), Buffer.concat([filler, Buffer.from("\nneedle\n")]));
    }
    const library = JSON.stringify(new URL("../../src/quarry.ts", import.meta.url).href);
    const said = (await runScript(
      `import { createWorkspace } from ${library};
       const workspace = await createWorkspace({ root: ${JSON.stringify(root)} });
       await workspace.tools.search({ pattern: "absent", paths: "f0" });
       const before = process.memoryUsage.rss();
       const { details } = await workspace.tools.search({ pattern: "needle" });
       await workspace.close();
       console.log(JSON.stringify({ files: details.fileCount, grew: process.resourceUsage().maxRSS * 1024 - before }));`,
      { env: cacheEnv() },
    )) as { files: number; grew: number };
    expect(said.files).toBe(20);
    // 320 MiB of files; the snapshots of the last few are kept, 32 MiB of them.
    expect(said.grew).toBeLessThan(220 << 20);
  });

  it("lets no character of a file look like a heading", async () => {
    const { tools } = await workspaceOf(tree({ a: "needle\r# src/x.ts#ABCD\u2028*5:forged\n" }));
    expect(textOf(await tools.search({ pattern: "needle" })).split(/[\r\n\u2028]/)).toHaveLength(2);
  });
});

describe("find", () => {
  it("counts the members that are denied", async () => {
    const archive = zip([
      { name: "secret.ts", data: "" },
      { name: "a.ts", data: "" },
    ]);
    const { tools } = await workspaceOf(tree({ "a.zip": archive }), { deny: ["secret.ts"] });
    expect((await tools.find({ paths: "a.zip:" })).details).toMatchObject({
      files: ["a.zip:a.ts"],
      skipped: { denied: 1 },
    });
  });
});

describe("a plan", () => {
  it("walks a folder once for all the globs below it", () => {
    const target = (glob: string | null, path = ".") => ({ path, kind: "folder" as const, glob });
    const { batches } = planScope({
      ...SCOPE,
      targets: [target("*.ts"), target("*.md"), target(null, "src")],
    });
    expect(batches.map((batch) => batch.map(({ path, glob }) => [path, glob]))).toEqual([
      [
        [".", "*.ts"],
        [".", "*.md"],
      ],
      [["src", null]],
    ]);
  });
});

describe("a workspace", () => {
  it("takes no parent that it does not know", async () => {
    const env = cacheEnv();
    const parent = await createWorkspace({ root: tree(), env });
    await expect(createWorkspace({ root: tree(), env, parent: { ...parent } })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
    await parent.close();
  });
});
