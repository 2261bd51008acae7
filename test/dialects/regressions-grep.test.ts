/** What a critic of the dialects found, each with its call. */
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import type { ClaudeTools, Workspace } from "../../src/quarry.ts";
import { tree } from "../support/tree.ts";
import { cacheEnv, textOf } from "./workspaces.ts";

async function claude(files: Record<string, string>): Promise<Workspace<ClaudeTools>> {
  const workspace = await createWorkspace({ root: tree(files), env: cacheEnv(), dialect: "claude" });
  onTestFinished(() => workspace.close());
  return workspace;
}

describe("Grep", () => {
  it("counts and lists by a pattern that only ripgrep decides, without asking again for each file", async () => {
    const names = Array.from({ length: 120 }, (_, at) => `f${at}.ts`);
    const files = Object.fromEntries(names.map((name) => [name, "foo\nbar\nfoo foo\n"]));
    const { tools } = await claude(files);
    const listed = textOf(await tools.Grep({ pattern: "(?<=f)oo", head_limit: 0 }));
    expect(listed.split("\n")[0]).toBe("Found 120 files");
    const counted = textOf(await tools.Grep({ pattern: "(?<=f)oo", output_mode: "count", head_limit: 0 }));
    expect(counted).toContain("f7.ts:2\n");
    expect(counted).toContain("Found 240 total occurrences across 120 files.");
  });

  it("takes an empty type for none", async () => {
    const { tools } = await claude({ "a.ts": "needle" });
    expect(textOf(await tools.Grep({ pattern: "needle", type: "" }))).toBe("Found 1 file\na.ts");
  });

  it("ends with what it has when all rows are more than can be held, and says so", async () => {
    const { tools } = await claude({ "a.txt": "a\n".repeat(60_000) });
    const { details, content } = await tools.Grep({ pattern: "a", output_mode: "content", head_limit: 0 });
    expect(details).toMatchObject({ appliedLimit: 50_000, meta: { truncation: { artifactId: "1" } } });
    expect(content[0].text).toContain("[Showing results with pagination = limit: 50000]");
  });
});
