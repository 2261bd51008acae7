/** Edits of one file at the same time, all for the same version: each is made, or refused and says so. None is lost. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../src/quarry.ts";
import { cacheEnv, codeIn, textOf, workspaceOf } from "../dialects/workspaces.ts";
import { runScript } from "../support/script.ts";
import { tree } from "../support/tree.ts";

const LINES = 50;
const LIBRARY = new URL("../../src/quarry.ts", import.meta.url).href;

function ground(): { readonly root: string; readonly text: () => string; readonly env: NodeJS.ProcessEnv } {
  const old = Array.from({ length: LINES }, (_, at) => `old ${at + 1}\n`).join("");
  const root = tree({ "a.txt": old });
  return { root, text: () => readFileSync(join(root, "a.txt"), "utf8"), env: cacheEnv() };
}

async function tagIn({ tools }: Workspace): Promise<string> {
  return /^¶a\.txt#(\w{4})$/m.exec(textOf(await tools.read({ path: "a.txt" })))?.[1] ?? "";
}

/** Replaces a line, some of them by two; the code of the answer. */
async function edit({ tools }: Workspace, tag: string, line: number): Promise<string> {
  const more = line % 7 === 0 ? `+more ${line}\n` : "";
  return codeIn(
    await tools.edit({ input: `¶a.txt#${tag}\nreplace ${line}..${line}:\n+new ${line}\n${more}` }),
  );
}

/** What the file must hold, if the answers were these, by line. */
function expected(codes: readonly string[]): string {
  return codes
    .map((code, at) => {
      const line = at + 1;
      if (code !== "none") return `old ${line}\n`;
      return `new ${line}\n${line % 7 === 0 ? `more ${line}\n` : ""}`;
    })
    .join("");
}

/** A file that others write without end can be waited for in vain; nothing else is a reason here. */
const REASONS = /^(?:none|WRITE_FAILED|FILE_CHANGED)$/;

describe("Fifty edits of one file at the same time", () => {
  it("through one workspace", async () => {
    const { root, text, env } = ground();
    const workspace = await workspaceOf(root, { env });
    const tag = await tagIn(workspace);
    const codes = await Promise.all(Array.from({ length: LINES }, (_, at) => edit(workspace, tag, at + 1)));
    expect(text()).toBe(expected(codes));
    expect(codes.filter((code) => !REASONS.test(code))).toEqual([]);
    expect(codes).toContain("none");
  });

  it("through two workspaces", async () => {
    const { root, text, env } = ground();
    const both = [await workspaceOf(root, { env }), await workspaceOf(root, { env })] as const;
    const tags = [await tagIn(both[0]), await tagIn(both[1])] as const;
    const codes = await Promise.all(
      Array.from({ length: LINES }, (_, at) => {
        const which = at % 2 === 0 ? 0 : 1;
        return edit(both[which], tags[which], at + 1);
      }),
    );
    expect(text()).toBe(expected(codes));
    expect(codes.filter((code) => !REASONS.test(code))).toEqual([]);
  });

  it("through two processes", async () => {
    const { root, text, env } = ground();
    const meet = tree();
    const halves = (await Promise.all(
      [0, 1].map((which) => inProcess(root, env, meet, which)),
    )) as string[][];
    const codes = Array.from({ length: LINES }, (_, at) => halves[at % 2]?.[at >> 1] ?? "");
    expect(text()).toBe(expected(codes));
    expect(codes.filter((code) => !REASONS.test(code))).toEqual([]);
    expect(new Set(halves.flat()).has("none")).toBe(true);
  });
});

/** Every other line, once both processes are ready. */
function inProcess(root: string, env: NodeJS.ProcessEnv, meet: string, which: number): Promise<unknown> {
  return runScript(
    `import { existsSync, writeFileSync } from "node:fs";
    import { createWorkspace } from ${JSON.stringify(LIBRARY)};
    const workspace = await createWorkspace({ root: ${JSON.stringify(root)} });
    const { tools } = workspace;
    const { content } = await tools.read({ path: "a.txt" });
    const tag = /#(\\w{4})$/m.exec(content[0].text)[1];
    const edit = async (line) => {
      const more = line % 7 === 0 ? \`+more \${line}\\n\` : "";
      const input = \`¶a.txt#\${tag}\\nreplace \${line}..\${line}:\\n+new \${line}\\n\${more}\`;
      const result = await tools.edit({ input });
      return result.isError === true ? result.details.code : "none";
    };
    writeFileSync(${JSON.stringify(meet)} + "/${which}", "");
    while (!existsSync(${JSON.stringify(meet)} + "/${1 - which}")) await new Promise((resolve) => setTimeout(resolve, 2));
    const lines = Array.from({ length: ${LINES / 2} }, (_, at) => 2 * at + ${which + 1});
    const codes = await Promise.all(lines.map(edit));
    await workspace.close();
    console.log(JSON.stringify(codes));`,
    { env },
  );
}
