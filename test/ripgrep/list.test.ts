import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { listRun } from "../../src/ripgrep/list.ts";
import { pathFromBytes } from "../../src/ripgrep/paths.ts";
import { SCOPE, all } from "../support/query.ts";
import { standIn } from "../support/ripgrep.ts";
import { rawPath, tree } from "../support/tree.ts";

async function list(
  root: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ paths: string[]; endedEarly: string | null }> {
  const run = listRun(
    { ...SCOPE, root, hidden: true },
    { operands: ["./"], nameGlobs: [], explain: false, env, timeoutMs: 20_000, signal: undefined },
  );
  const handfuls = await all(run);
  return {
    paths: handfuls.flat().map(({ path, pathBytes }) => pathBytes ?? path),
    endedEarly: run.report().endedEarly,
  };
}

describe("a list of files", () => {
  it("has every name that the disk can hold", async () => {
    const root = tree({ "a\nb": "", " x ": "", "-": "", "日本/😀": "", ".h": "" });
    writeFileSync(rawPath(root, [0xff, 0x61]), "");
    const { paths } = await list(root);
    expect(paths.sort()).toEqual([" x ", "-", ".h", "/2E=", "a\nb", "日本/😀"].sort());
  });

  it("is the same in any chunks", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `${"日本語".repeat(at % 7)}${at}`);
    const root = tree(Object.fromEntries(names.map((name) => [name, ""])));
    const slow = standIn('"$RG" "$@" | dd bs=7 2>/dev/null');
    expect((await list(root, slow.env)).paths.sort()).toEqual(names.sort());
  });

  it("ended early is what came until then, and says so", async () => {
    const { env } = standIn('printf "a\\0b\\0half"; kill -9 $$');
    expect(await list(tree(), env)).toEqual({
      paths: ["a", "b"],
      endedEarly: "ripgrep ended early, by SIGKILL",
    });
  });
});

describe("a path", () => {
  it("loses the dot and the slash it starts with, as text and as bytes", () => {
    expect(pathFromBytes(Buffer.from("./a/./b"))).toEqual({ path: "a/./b" });
    expect(pathFromBytes(Buffer.from([0x2e, 0x2f, 0xff, 0x62]))).toEqual({
      path: "�b",
      pathBytes: Buffer.from([0xff, 0x62]).toString("base64"),
    });
  });
});
