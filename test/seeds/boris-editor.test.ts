/** Boris's tools around grep: which there are in each mode, the editor in one, and errors that begin with their code. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toolDefinitions } from "../../src/quarry.ts";
import { quarry, type Ran } from "../cli/helpers.ts";
import { tree } from "../support/tree.ts";
import { borisAgent } from "./boris.ts";

describe("grep is a tool of its own", () => {
  it("in both modes, and no command of the editor", async () => {
    for (const anthropicCompat of [false, true]) {
      const { grep } = await borisAgent({ a: "needle\n" }, { anthropicCompat });
      expect(await grep({ pattern: "needle" })).toBe("a");
    }
    const editor = toolDefinitions("boris", { anthropicCompat: true }).find(
      ({ name }) => name === "str_replace_editor",
    );
    expect(editor?.inputSchema.properties["command"]).toMatchObject({
      enum: ["view", "str_replace", "create"],
    });
  });

  it("that only reads, beside those that write", () => {
    const kinds = (anthropicCompat: boolean): object =>
      Object.fromEntries(
        toolDefinitions("boris", { anthropicCompat }).map(({ name, readOnly }) => [name, readOnly]),
      );
    expect(kinds(false)).toEqual({
      grep: true,
      glob: true,
      view: true,
      str_replace: false,
      create_file: false,
    });
    expect(kinds(true)).toEqual({ grep: true, glob: true, str_replace_editor: false });
  });
});

describe("str_replace_editor", () => {
  it("views, replaces and creates, with the texts of the three tools", async () => {
    const { root, call } = await borisAgent({ "a.txt": "one\ntwo\n" }, { anthropicCompat: true });
    const editor = (input: object): Promise<string> => call("str_replace_editor", input);
    expect(await editor({ command: "view", path: "a.txt" })).toBe("     1\tone\n     2\ttwo");
    expect(await editor({ command: "view", path: "a.txt", view_range: ["2", "-1"] })).toBe("     2\ttwo");
    expect(await editor({ command: "str_replace", path: "a.txt", old_str: "two", new_str: "2" })).toBe(
      "Edited a.txt. Its lines there now:\n     1\tone\n     2\t2",
    );
    expect(await editor({ command: "create", path: "new/b.txt", file_text: "x\n" })).toBe(
      "Created new/b.txt: 2 bytes, 1 line",
    );
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n2\n");
    expect(readFileSync(join(root, "new/b.txt"), "utf8")).toBe("x\n");
  });

  it("views and nothing else where the workspace is read-only", async () => {
    const { call } = await borisAgent({ "a.txt": "one\n" }, { anthropicCompat: true, readOnly: true });
    const editor = (input: object): Promise<string> =>
      call("str_replace_editor", { path: "a.txt", ...input });
    expect(await editor({ command: "view" })).toBe("     1\tone");
    expect(await editor({ command: "create", file_text: "x" })).toBe(
      "[READ_ONLY] create changes files, and this session may not. Only view can be used.",
    );
  });
});

describe("An error is [CODE] and a message", () => {
  const FILES = { "a.txt": "one\none\n", "b.env": "x\n" };

  it("in each of the five tools", async () => {
    const { root, call } = await borisAgent(FILES, { deny: ["*.env"] });
    const outside = `is outside the allowed folders. What may be read lies in ${root}.`;
    expect(await call("grep", { pattern: "x", path: "../x" })).toBe(`[PATH_OUTSIDE] ../x ${outside}`);
    expect(await call("glob", { pattern: "*", path: "nope" })).toBe(
      "[PATH_NOT_FOUND] Path not found: nope. Leave path out and use the pattern **/nope/** to look for it.",
    );
    expect(await call("view", { path: "b.env" })).toBe(
      "[PATH_DENIED] b.env may not be read: denied by *.env. The policy of this session withholds it; go on without it.",
    );
    expect(await call("str_replace", { path: "a.txt", old_str: "one", new_str: "1" })).toBe(
      "[TEXT_AMBIGUOUS] old_str stands 2 times in a.txt, at lines 1, 2. Take in more of the lines around the one that is meant, until it is unique.",
    );
    expect(await call("create_file", { path: "../c.txt", file_text: "x" })).toBe(
      `[PATH_OUTSIDE] ../c.txt ${outside}`,
    );
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(FILES["a.txt"]);
  });

  it("in the editor, whichever the command", async () => {
    const { call } = await borisAgent(FILES, { anthropicCompat: true, deny: ["*.env"] });
    for (const input of [
      { command: "view" },
      { command: "str_replace", old_str: "x", new_str: "y" },
      { command: "create", file_text: "y" },
    ]) {
      expect(await call("str_replace_editor", { path: "b.env", ...input })).toMatch(
        /^\[PATH_DENIED\] b\.env may not be/,
      );
    }
    expect(await call("str_replace_editor", { command: "view", file: "b.env" })).toMatch(
      /^\[INVALID_INPUT\] There is no field "file"\. Did you mean file_text\? The fields are command, path, /,
    );
  });

  it("with the nearest name for an unknown field, in every tool", async () => {
    const { call } = await borisAgent(FILES);
    const near = async (tool: string, input: object): Promise<string> =>
      /^\[INVALID_INPUT\] There is no field "(.*)"\. Did you mean (.*)\? The fields are /
        .exec(await call(tool, input))
        ?.slice(1)
        .join(" → ") ?? "";
    expect(await near("grep", { pattern: "x", headlimit: 1 })).toBe("headlimit → head_limit");
    expect(await near("glob", { patern: "x" })).toBe("patern → pattern");
    expect(await near("view", { path: "a.txt", viewrange: [1, 2] })).toBe("viewrange → view_range");
    expect(await near("str_replace", { path: "a.txt", old_string: "x" })).toBe("old_string → old_str");
    expect(await near("create_file", { path: "a.txt", filetext: "x" })).toBe("filetext → file_text");
  });
});

describe("quarry call --dialect boris", () => {
  const call = (root: string, argv: readonly string[]): Promise<Ran> =>
    quarry(root, ["call", ...argv], { env: { TERM: "xterm", QUARRY_CACHE_DIR: join(tree(), "cache") } });

  it("prints what grep answers, in both modes", async () => {
    const root = tree({ "a.ts": "one\nneedle\n", "b.py": "needle\n" });
    const own = { pattern: "needle", include: "*.ts", output_mode: "content", context_before: 1 };
    const stdout = "a.ts-1-one\na.ts:2:needle\n";
    expect(await call(root, ["grep", JSON.stringify(own), "--dialect", "boris"])).toEqual({
      code: 0,
      stdout,
      stderr: "",
    });
    const claude = { pattern: "NEEDLE", glob: "*.ts", output_mode: "content", "-B": 1, "-i": true };
    expect(
      await call(root, ["grep", JSON.stringify(claude), "--dialect", "boris", "--anthropic-compat"]),
    ).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("ends with code 2 and the error that the model gets", async () => {
    const root = tree({ "a.ts": "needle\n" });
    expect(await call(root, ["grep", '{"pattern":"x","path":"nope"}', "--dialect", "boris"])).toEqual({
      code: 2,
      stdout: "[PATH_NOT_FOUND] Path not found: nope. Check the spelling; glob looks for names.\n",
      stderr: "",
    });
  });

  it("has the editor under --anthropic-compat only", async () => {
    const root = tree({ "a.ts": "needle\n" });
    const view = ["str_replace_editor", '{"command":"view","path":"a.ts"}', "--dialect", "boris"];
    expect(await call(root, [...view, "--anthropic-compat"])).toEqual({
      code: 0,
      stdout: "     1\tneedle\n",
      stderr: "",
    });
    const without = await call(root, view);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain("str_replace_editor");
  });
});
