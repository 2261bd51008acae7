/**
 * seeds/claude-code-glob-and-grep.md, chapter 2: Glob through a workspace. Its sentences one by one are in
 * `test/dialects/claude-glob.test.ts`, and `claude-glob-law.test.ts` holds it against ripgrep.
 */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rg } from "../support/ripgrep.ts";
import { touch } from "../support/tree.ts";
import { claude } from "./claude.ts";
import { manyFiles } from "./agent.ts";

describe("Glob", () => {
  it("searches the quiz's pattern in its folder, by the rest of it", async () => {
    const { globDetails, root } = await claude({
      "src/utils/a.ts": "",
      "src/b.ts": "",
      "src/utils/c.js": "",
    });
    const asked = await globDetails({ pattern: join(root, "src/utils/*.ts") });
    expect([asked.filenames, asked.scopePath]).toEqual([["src/utils/a.ts"], "src/utils"]);
  });

  it.each([
    ["src/utils/*.ts", "src/utils"],
    ["src/ut?ls/*.ts", "src"],
    ["src/[u]tils/a.ts", "src"],
    ["src/{utils,lib}/a.ts", "src"],
    ["src/utils/a.ts", "src/utils"],
    ["src/utils/**/*.ts", "src/utils"],
  ])("splits an absolute %s where its first special character stands", async (pattern, folder) => {
    const { globDetails, root } = await claude({ "src/utils/a.ts": "" });
    const asked = await globDetails({ pattern: join(root, pattern) });
    expect([asked.filenames, asked.scopePath]).toEqual([["src/utils/a.ts"], folder]);
  });

  it("is newest first, where the seed's ripgrep has the oldest first", async () => {
    const { glob, root } = await claude({ "a.ts": "", "b.ts": "", "c.ts": "" });
    for (const [at, name] of ["b.ts", "a.ts", "c.ts"].entries()) touch(root, name, 1_000 + at);
    expect(await glob({ pattern: "*.ts" })).toBe("c.ts\na.ts\nb.ts");
    expect(rg(root, "--files", "--glob", "*.ts", "--sort=modified").toString()).toBe("b.ts\na.ts\nc.ts\n");
  });

  it("is newest first in a test run too: only Grep is by name there", async () => {
    const { glob, text, root } = await claude({ "a.ts": "x", "b.ts": "x" }, { env: { NODE_ENV: "test" } });
    touch(root, "a.ts", 1_000);
    touch(root, "b.ts", 2_000);
    expect(await glob({ pattern: "*.ts" })).toBe("b.ts\na.ts");
    expect(await text({ pattern: "x" })).toBe("Found 2 files\na.ts\nb.ts");
  });

  it("finds what ignore files hide from Grep", async () => {
    const { glob, text } = await claude({ ".ignore": "dist\n", "dist/a.js": "hit\n", "src/b.js": "hit\n" });
    expect((await glob({ pattern: "*.js" })).split("\n").toSorted()).toEqual(["dist/a.js", "src/b.js"]);
    expect(await text({ pattern: "hit" })).toBe("Found 1 file\nsrc/b.js");
  });

  it("tells a cut list from a whole one at 100 files", async () => {
    const whole = await claude(manyFiles(100, ""));
    expect(await whole.globDetails({ pattern: "*" })).toMatchObject({ numFiles: 100, truncated: false });
    const cut = await claude(manyFiles(101, ""));
    expect(await cut.globDetails({ pattern: "*" })).toMatchObject({
      numFiles: 100,
      truncated: true,
      totalFiles: 101,
    });
    expect((await cut.glob({ pattern: "*" })).split("\n").at(-1)).toBe(
      "[Showing the newest 100 of 101 matches; narrow the pattern, or name a folder as path]",
    );
  });

  it("knows no limit and no offset as fields", async () => {
    const { workspace } = await claude({ "a.ts": "" });
    for (const field of ["head_limit", "offset", "limit"]) {
      const { isError, content } = await workspace.tools.Glob({ pattern: "*", [field]: 1 });
      expect([isError, content[0].text]).toEqual([
        true,
        `[INVALID_INPUT] There is no field "${field}". The fields are pattern, path.`,
      ]);
    }
  });
});
