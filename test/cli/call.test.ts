import { spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { FLAGS } from "../../src/cli/flags.ts";
import type { Io } from "../../src/cli/io.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { eventually } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { collect, PROGRAM, quarry, type Ran, shell, tree } from "./helpers.ts";

/** Everything that a call may write outside the tree goes here. */
interface Place {
  readonly cache: string;
  readonly env: NodeJS.ProcessEnv;
}

function place(): Place {
  const folder = tree({});
  const cache = join(folder, "cache");
  return { cache, env: { TERM: "xterm", HOME: folder, QUARRY_CACHE_DIR: cache } };
}

function call(
  root: string,
  argv: readonly string[],
  { env }: Place = place(),
  io: Partial<Io> = {},
): Promise<Ran> {
  return quarry(root, ["call", ...argv], { env, ...io });
}

/** The same by the built program. */
function program(
  root: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): { readonly child: ReturnType<typeof spawn>; readonly ran: Promise<Ran> } {
  const child = spawn(process.execPath, [PROGRAM, "call", ...argv], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return { child, ran: collect(child) };
}

const input = (value: object): string => JSON.stringify(value);

/** Files below a folder, at any depth. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** More text than an answer may have, with a word in the last file alone. */
function largeTree(): string {
  const names = Array.from({ length: 20 }, (_, at) => `f${String(at).padStart(2, "0")}.txt`);
  const text = (name: string): string =>
    Array.from({ length: 15 }, (_, at) => `needle ${name} ${at} ${"x".repeat(300)}\n`).join("");
  return tree(Object.fromEntries(names.map((name) => [name, text(name)])));
}

describe("quarry call", () => {
  test("prints the text that an agent gets, and nothing else", async () => {
    const root = tree({ "a.ts": "one\nneedle\n", "src/b.ts": "needle\n" });
    const workspace = await createWorkspace({ root, env: place().env });
    onTestFinished(() => workspace.close());
    const asked = { pattern: "needle" };
    const { content } = await workspace.tools.search(asked);
    expect(await call(root, ["search", input(asked)])).toEqual({
      code: 0,
      stdout: `${content[0].text}\n`,
      stderr: "",
    });
    expect(content[0].text).toContain("*2:needle");
    expect(await call(root, ["find", input({ paths: "src/*.ts" })])).toEqual({
      code: 0,
      stdout: "# src/\nb.ts\n",
      stderr: "",
    });
  });

  test("ends with code 0 where nothing was found", async () => {
    const root = tree({ "a.ts": "one\n" });
    expect(await call(root, ["find", input({ paths: "*.zig" })])).toEqual({
      code: 0,
      stdout: "No files found\n",
      stderr: "",
    });
    expect((await call(root, ["search", input({ pattern: "absent" })])).code).toBe(0);
  });

  test("prints what the agent did wrong as it gets it, and ends with code 2", async () => {
    const root = tree({ "a.ts": "one\n" });
    expect(await call(root, ["find", input({ limit: 0 })])).toEqual({
      code: 2,
      stdout: "[INVALID_INPUT] limit must be a positive number, not 0.\n",
      stderr: "",
    });
    expect(await call(root, ["find", "[1]"])).toEqual({
      code: 2,
      stdout: "[INVALID_INPUT] The input must be an object of fields.\n",
      stderr: "",
    });
  });

  test("takes no JSON for no fields", async () => {
    const root = tree({ "a.ts": "one\n" });
    expect(await call(root, ["find"])).toEqual({ code: 0, stdout: "a.ts\n", stderr: "" });
    expect(await call(root, ["search"])).toEqual({
      code: 2,
      stdout: "[INVALID_INPUT] pattern is missing.\n",
      stderr: "",
    });
  });
});

describe("--details", () => {
  test("prints the whole result as one line of JSON", async () => {
    const root = tree({ "src/b.ts": "" });
    const { code, stdout, stderr } = await call(root, ["find", input({ paths: "*.ts" }), "--details"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(stdout.endsWith("}\n")).toBe(true);
    expect(JSON.parse(stdout)).toMatchObject({
      content: [{ type: "text", text: "# src/\nb.ts" }],
      details: { files: ["src/b.ts"], fileCount: 1, truncated: false },
    });
  });

  test("has the error's code and its way out", async () => {
    const root = tree({ "a.ts": "" });
    const { code, stdout, stderr } = await call(root, ["find", input({ paths: "/" }), "--details"]);
    expect([code, stderr]).toEqual([2, ""]);
    expect(JSON.parse(stdout)).toEqual({
      content: [
        {
          type: "text",
          text: "[ROOT_REFUSED] Searching from / is not allowed. Name the folder to look in.",
        },
      ],
      details: {
        code: "ROOT_REFUSED",
        message: "Searching from / is not allowed",
        hint: "Name the folder to look in",
      },
      isError: true,
    });
  });

  test("stands before or behind the input", async () => {
    const root = tree({ "a.ts": "" });
    const { stdout } = await call(root, ["--details", "find", "{}"]);
    expect(JSON.parse(stdout)).toMatchObject({ details: { files: ["a.ts"] } });
  });
});

describe("--workdir", () => {
  test("is the folder that paths are relative to, itself relative to the current one", async () => {
    const root = tree({ "a.ts": "", "src/b.ts": "" });
    for (const folder of ["src", "./src/", join(root, "src")]) {
      expect((await call(root, ["find", "--workdir", folder])).stdout).toBe("b.ts\n");
    }
  });

  test("bounds what may be looked at", async () => {
    const root = tree({ "a.ts": "", "src/b.ts": "" });
    const { code, stdout } = await call(root, ["find", input({ paths: "../a.ts" }), "--workdir", "src"]);
    expect([code, stdout]).toEqual([
      2,
      `[PATH_OUTSIDE] ../a.ts is outside the allowed folders. What may be read lies in ${join(root, "src")}.\n`,
    ]);
  });

  test.each([
    ["gone", "PATH_NOT_FOUND", "is not there"],
    ["a.ts", "NOT_A_FOLDER", "is no folder"],
  ])("that is %s is refused", async (folder, errorCode, why) => {
    const root = tree({ "a.ts": "" });
    expect(await call(root, ["find", "--workdir", folder])).toEqual({
      code: 2,
      stdout: "",
      stderr: `quarry: [${errorCode}] The root ${join(root, folder)} ${why}.\n`,
    });
  });
});

describe("--allow-dir", () => {
  test("is what may be looked at instead of the working folder, and can be given again", async () => {
    const root = tree({ "a.ts": "", "one/b.ts": "", "two/c.ts": "" });
    const argv = ["--allow-dir", "one", "--allow-dir", join(root, "two")];
    const { stdout } = await call(root, ["find", "{}", "--details", ...argv]);
    const { files } = (JSON.parse(stdout) as { details: { files: string[] } }).details;
    expect(files.sort()).toEqual(["one/b.ts", "two/c.ts"]);
    expect((await call(root, ["find", input({ paths: "a.ts" }), ...argv])).stdout).toMatch(
      /^\[PATH_OUTSIDE\] /,
    );
  });

  test("is relative to the current folder, not to --workdir", async () => {
    const root = tree({ "one/a.ts": "", "one/one/b.ts": "" });
    const argv = ["--workdir", "one", "--allow-dir", "one/one"];
    expect((await call(root, ["find", "{}", ...argv])).stdout).toBe("# one/\nb.ts\n");
  });

  test("that is not there is refused", async () => {
    const root = tree({ "a.ts": "" });
    expect(await call(root, ["find", "{}", "--allow-dir", "gone"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `quarry: [PATH_NOT_FOUND] The allowed folder ${join(root, "gone")} is not there.\n`,
    });
  });
});

describe("--deny", () => {
  test("withholds files of a walk and refuses them by name, and can be given again", async () => {
    const root = tree({ "a.ts": "needle\n", "a.key": "needle\n", "b.pem": "needle\n" });
    const argv = ["--deny", "*.key", "--deny", "*.pem"];
    expect((await call(root, ["find", "{}", ...argv])).stdout).toBe("a.ts\n");
    const searched = await call(root, ["search", input({ pattern: "needle" }), "--details", ...argv]);
    expect(JSON.parse(searched.stdout)).toMatchObject({
      details: { files: ["a.ts"], skipped: { denied: 2 } },
    });
    expect(await call(root, ["search", input({ pattern: "needle", paths: "a.key" }), ...argv])).toMatchObject(
      {
        code: 2,
        stdout:
          "[PATH_DENIED] a.key may not be read: denied by *.key. The policy of this session withholds it; go on without it.\n",
      },
    );
  });

  test("wins over --allow-dir", async () => {
    const root = tree({ "one/a.ts": "", "one/b.key": "" });
    const argv = ["--allow-dir", "one", "--deny", "*.key"];
    expect((await call(root, ["find", "{}", ...argv])).stdout).toBe("# one/\na.ts\n");
  });

  test("that is no glob is refused", async () => {
    const { code, stdout, stderr } = await call(tree({ "a.ts": "" }), ["find", "{}", "--deny", "["]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^quarry: \[INVALID_GLOB\] .+\n$/);
  });
});

describe("--session", () => {
  test("keeps the whole of a cut answer for the next call", async () => {
    const root = largeTree();
    const where = place();
    const first = await call(root, ["search", input({ pattern: "needle" }), "--session", "s1"], where);
    const url = /artifact:\/\/\d+/.exec(first.stdout)?.[0] ?? "none";
    expect(first.stdout).not.toContain("f19.txt 14");
    const second = await call(
      root,
      ["search", input({ pattern: "f19.txt 14", paths: url }), "--session", "s1"],
      where,
    );
    expect([second.code, second.stderr]).toEqual([0, ""]);
    expect(second.stdout).toMatch(/^\*\d+\|.*needle f19\.txt 14/m);
    const other = await call(
      root,
      ["search", input({ pattern: "needle", paths: url }), "--session", "s2"],
      where,
    );
    expect([other.code, other.stdout.split(" ")[0]]).toEqual([2, "[ARTIFACT_NOT_FOUND]"]);
  });

  test("keeps the tags of all its calls", async () => {
    const root = tree({ "a.ts": "needle a\n", "b.ts": "needle b\n" });
    const where = place();
    const search = async (paths: string): Promise<string> => {
      const argv = ["search", input({ pattern: "needle", paths }), "--session", "s1"];
      return /#([0-9A-F]{4})$/m.exec((await call(root, argv, where)).stdout)?.[1] ?? "none";
    };
    const tags = [await search("a.ts"), await search("b.ts")];
    expect(await search("a.ts")).toBe(tags[0]);
    const kept = readFileSync(join(where.cache, "sessions/named/s1/snapshots/list.json"), "utf8");
    for (const tag of tags) expect(kept).toContain(tag);
    expect(existsSync(join(where.cache, "sessions/named/s1/lock"))).toBe(false);
  });

  test("shows its scratch files to later calls", async () => {
    const root = tree({ "a.ts": "" });
    const where = place();
    await call(root, ["find", input({ paths: "local://" }), "--session", "s1"], where);
    writeFileSync(join(where.cache, "sessions/named/s1/local/notes.md"), "needle\n");
    const argv = ["search", input({ pattern: "needle", paths: "local://notes.md" }), "--session", "s1"];
    expect((await call(root, argv, where)).stdout).toContain("local://notes.md");
  });

  test("left out leaves nothing behind", async () => {
    const where = place();
    expect(
      (await call(tree({ "a.ts": "needle\n" }), ["search", input({ pattern: "needle" })], where)).code,
    ).toBe(0);
    expect(existsSync(where.cache)).toBe(false);
    const cut = await call(largeTree(), ["search", input({ pattern: "needle" }), "--details"], where);
    expect(JSON.parse(cut.stdout)).toMatchObject({ details: { meta: { truncation: { artifactId: "1" } } } });
    expect(filesBelow(where.cache)).toEqual([]);
    expect(readdirSync(join(where.cache, "sessions/unnamed"))).toEqual([]);
  });

  test("that is damaged is said on stderr, and the call goes on", async () => {
    const root = tree({ "a.ts": "needle\n" });
    const where = place();
    const argv = ["search", input({ pattern: "needle" }), "--session", "s1"];
    const first = await call(root, argv, where);
    writeFileSync(join(where.cache, "sessions/named/s1/snapshots/list.json"), "\x1b[2J{");
    expect(await call(root, argv, where)).toEqual({
      code: 0,
      stdout: first.stdout,
      stderr: "What this session remembered of shown files is damaged and was dropped\n",
    });
    expect((await call(root, argv, where)).stderr).toBe("");
  });

  test.each(["../x", "a/b", ".hidden", "a b", "x".repeat(65)])("refuses the name %j", async (name) => {
    const where = place();
    expect(await call(tree({ "a.ts": "" }), ["find", "{}", "--session", name], where)).toEqual({
      code: 2,
      stdout: "",
      stderr: `quarry: [INVALID_INPUT] ${JSON.stringify(name)} is no name for a session. Use letters, digits, dots, dashes and underscores, 64 at most.\n`,
    });
    expect(existsSync(where.cache)).toBe(false);
  });

  test("is refused where the cache is in the repository", async () => {
    const root = tree({ "a.ts": "" });
    const env = { ...place().env, QUARRY_CACHE_DIR: join(root, "cache") };
    const { code, stderr } = await call(root, ["find", "{}", "--session", "s1"], { cache: "", env });
    expect([code, stderr.split(" ")[1]]).toEqual([2, "[CACHE_UNSAFE]"]);
    expect(existsSync(join(root, "cache"))).toBe(false);
  });

  test("is let go also when the call fails", async () => {
    const { env } = standIn("exit 3");
    const where = place();
    const root = tree({ "a.ts": "needle\n" });
    const failed = await call(root, ["find", "{}", "--session", "s1"], {
      ...where,
      env: { ...where.env, ...env },
    });
    expect([failed.code, failed.stdout, failed.stderr.split(" ")[1]]).toEqual([2, "", "[RIPGREP_FAILED]"]);
    expect(await call(root, ["find", "{}", "--session", "s1"], where)).toMatchObject({
      code: 0,
      stdout: "a.ts\n",
    });
  });
});

describe("read, edit and write", () => {
  test("work on a session that is named, one behind the other", async () => {
    const root = tree({ "a.ts": "one\ntwo\n" });
    const where = place();
    const session = ["--session", "s1"];
    const shown = await call(root, ["read", input({ path: "a.ts" }), ...session], where);
    const [header = ""] = shown.stdout.split("\n");
    const edited = await call(
      root,
      ["edit", input({ input: `${header}\nreplace 2..2:\n+TWO` }), ...session],
      where,
    );
    expect([edited.code, edited.stdout.split("\n").slice(1)]).toEqual([
      0,
      [" 1:one", "-2:two", "+2:TWO", ""],
    ]);
    const wrote = await call(root, ["write", input({ path: "d/b.ts", content: "x\n" }), ...session], where);
    expect([wrote.code, wrote.stdout.split("\n")[1]]).toEqual([0, "Created d/b.ts: 2 bytes, 1 line"]);
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("one\nTWO\n");
    expect(readFileSync(join(root, "d/b.ts"), "utf8")).toBe("x\n");
  });

  test("without a session edit knows no tag, and write leaves none", async () => {
    const root = tree({ "a.ts": "one\n" });
    const where = place();
    const [header] = (await call(root, ["read", input({ path: "a.ts" })], where)).stdout.split("\n");
    const { code, stdout } = await call(root, ["edit", input({ input: `${header}\ndelete 1..1` })], where);
    expect([code, stdout.split(" ")[0]]).toEqual([2, "[TAG_UNKNOWN]"]);
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("one\n");
  });

  test("stay in the working folder, unlike quarry read", async () => {
    const root = tree({ "a.ts": "one\n" });
    const other = tree({ "b.ts": "two\n" });
    for (const [tool, asked] of [
      ["read", { path: join(other, "b.ts") }],
      ["edit", { input: `¶${join(other, "b.ts")}#0000\ndelete 1..1` }],
      ["write", { path: join(other, "c.ts"), content: "x" }],
    ] as const) {
      const { code, stdout } = await call(root, [tool, input(asked)]);
      expect([tool, code, stdout.split(" ")[0]]).toEqual([tool, 2, "[PATH_OUTSIDE]"]);
    }
    expect(readdirSync(other)).toEqual(["b.ts"]);
  });

  test.each(["edit", "write"])("%s is refused with --read-only, read is not", async (tool) => {
    const root = tree({ "a.ts": "one\n" });
    const asked = tool === "edit" ? { input: "¶a.ts#0000\ndelete 1..1" } : { path: "a.ts", content: "" };
    expect(await call(root, [tool, input(asked), "--read-only"])).toEqual({
      code: 2,
      stdout: "",
      stderr: `quarry: [READ_ONLY] ${tool} changes files, and this session may not. Leave out --read-only.\n`,
    });
    expect(readFileSync(join(root, "a.ts"), "utf8")).toBe("one\n");
    expect((await call(root, ["read", input({ path: "a.ts" }), "--read-only"])).code).toBe(0);
  });

  test.each([
    ["read", {}],
    ["read", { path: 1 }],
    ["edit", { input: ["x"] }],
    ["write", { path: "x" }],
    ["write", { path: "x", content: "", mode: 1 }],
  ])("%s refuses the input %j", async (tool, asked) => {
    const root = tree({});
    const { code, stdout } = await call(root, [tool, input(asked)]);
    expect([code, stdout.split(" ")[0]]).toEqual([2, "[INVALID_INPUT]"]);
    expect(readdirSync(root)).toEqual([]);
  });
});

describe("the input", () => {
  test("is read from stdin for -", async () => {
    const root = tree({ "a.ts": "", "b.md": "" });
    const stdin = Readable.from([Buffer.from('{"paths":'), Buffer.from('"*.md"}\n')]);
    expect(await call(root, ["find", "-"], place(), { stdin })).toEqual({
      code: 0,
      stdout: "b.md\n",
      stderr: "",
    });
  });

  test.each([
    ["{paths:1}", "{paths:1}"],
    ["{", "{"],
    ["", ""],
  ])("that is no JSON is refused with the way to write it: %j", async (given) => {
    const { code, stdout, stderr } = await call(tree({ "a.ts": "" }), ["find", given]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^quarry: \[INVALID_INPUT\] The input is no JSON: .+\. Write it in single quotes: '\{"pattern":"text"\}'\.\n$/,
    );
  });

  test("that is empty on stdin is refused too", async () => {
    const { code, stderr } = await call(tree({ "a.ts": "" }), ["find", "-"]);
    expect([code, stderr.split(":")[1]]).toEqual([2, " [INVALID_INPUT] The input is no JSON"]);
  });

  test("that never ends does not keep an interrupted call", async () => {
    const stdin = new PassThrough();
    onTestFinished(() => {
      stdin.destroy();
    });
    const abort = new AbortController();
    let ended: Ran | null = null;
    void call(tree({ "a.ts": "" }), ["find", "-"], place(), { stdin, signal: abort.signal }).then(
      (ran) => (ended = ran),
    );
    stdin.write("{");
    abort.abort();
    await eventually(() => ended !== null, 5_000);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("what was typed wrong", () => {
  test.each([
    [["serch", "{}"], 'There is no tool "serch". Did you mean search?'],
    [["fnd"], 'There is no tool "fnd". Did you mean find?'],
    [["Find"], 'There is no tool "Find". Did you mean find?'],
    [["xyzzy"], 'There is no tool "xyzzy". The tools are search, find, read, edit, write.'],
    [[], "There is no tool to call. quarry help call shows how it is called."],
    [["--details"], "There is no tool to call. quarry help call shows how it is called."],
    [
      ["find", "{}", "more"],
      'quarry call takes no argument "more". quarry help call shows how it is called.',
    ],
    [["find", "{}", "--sesion", "x"], "There is no flag --sesion for quarry call. Did you mean --session?"],
    [["find", "{}", "--session"], "--session needs a value. Write it as --session NAME."],
    [["find", "{}", "--json"], "There is no flag --json for quarry call."],
  ])("is told: %j", async (argv, said) => {
    const { code, stdout, stderr } = await call(tree({ "a.ts": "" }), argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.startsWith(`quarry: [INVALID_INPUT] ${said}`)).toBe(true);
    expect(stderr.split("\n")).toHaveLength(2);
  });

  test("is never a name of Object's", async () => {
    const { code, stderr } = await call(tree({}), ["constructor", "{}"]);
    expect([code, stderr]).toEqual([
      2,
      'quarry: [INVALID_INPUT] There is no tool "constructor". The tools are search, find, read, edit, write.\n',
    ]);
  });
});

describe("on a terminal", () => {
  const onTerminal = { stdoutIsTerminal: true, stderrIsTerminal: true };

  test("the text has its lines, and what would move the cursor is spelled out", async () => {
    const root = tree({ "a.txt": "one\nneedle \x1b[2J\x07 \x9b31m \u202e\tend\n" });
    const { code, stdout } = await call(root, ["search", input({ pattern: "needle" })], place(), onTerminal);
    expect(code).toBe(0);
    expect(stdout.replace(/#[0-9A-F]{4}/, "#TAG")).toBe(
      "# a.txt#TAG\n 1:one\n*2:needle \\x1b[2J\\x07 \\u{9b}31m \\u{202e}\tend\n",
    );
  });

  test("folders and notes stand on lines of their own", async () => {
    const root = tree({ "a.ts": "", "src/b.ts": "" });
    const asked = input({ paths: ["src/*.ts", "gone"] });
    expect((await call(root, ["find", asked], place(), onTerminal)).stdout).toBe(
      "# src/\nb.ts\n\n[Skipped missing paths: gone]\n",
    );
  });

  test("the JSON of --details holds nothing that moves the cursor, and means the same", async () => {
    const line = "needle \x1b[2J \x9b31m \u202e \u2028";
    const root = tree({ "a.txt": `${line}\n` });
    const argv = ["search", input({ pattern: "needle" }), "--details"];
    const { stdout } = await call(root, argv, place(), onTerminal);
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_C}\u2028\u2029]/u);
    const result = JSON.parse(stdout) as { content: [{ text: string }] };
    // What breaks a line is spelled out for the agent itself.
    expect(result.content[0].text).toContain(line.replace("\u2028", "\\u{2028}"));
  });

  test("in a pipe the text is exactly what an agent gets, control characters too", async () => {
    const root = tree({ "a.txt": "needle \x1b[2J\n" });
    expect((await call(root, ["search", input({ pattern: "needle" })])).stdout).toContain(
      "*1:needle \x1b[2J\n",
    );
  });
});

describe("an abort", () => {
  test("before the call ends it with code 2 and says so", async () => {
    const where = place();
    const signal = AbortSignal.abort();
    expect(await call(tree({ "a.ts": "" }), ["find", "{}", "--session", "s1"], where, { signal })).toEqual({
      code: 2,
      stdout: "",
      stderr: "quarry: interrupted; what is shown is not everything\n",
    });
    expect(existsSync(join(where.cache, "sessions/named/s1/lock"))).toBe(false);
  });

  test("during the call ends it, and lets go of the session", async () => {
    const { env, folder } = standIn('touch "$MARK/started"; exec sleep 60');
    const where = place();
    const abort = new AbortController();
    const ran = call(
      tree({ "a.ts": "" }),
      ["search", input({ pattern: "x" }), "--session", "s1"],
      { ...where, env: { ...where.env, ...env } },
      { signal: abort.signal },
    );
    expect(await eventually(() => existsSync(join(folder, "started")), 30_000)).toBe(true);
    abort.abort();
    expect(await ran).toEqual({
      code: 2,
      stdout: "",
      stderr: "quarry: interrupted; what is shown is not everything\n",
    });
    expect(existsSync(join(where.cache, "sessions/named/s1/lock"))).toBe(false);
  });
});

describe("help", () => {
  test("lists the command", async () => {
    expect((await quarry("/", ["help"])).stdout).toMatch(/^ {2}quarry call TOOL JSON {2,}\S/m);
    expect((await quarry("/", ["xyzzy"])).stderr).toContain(
      "The commands are search, find, read, edit, call, mcp, index, doctor;",
    );
    expect((await quarry("/", ["cal"])).stderr).toContain("Did you mean quarry call?");
  });

  test("of the command is the same by every way to ask", async () => {
    const { code, stdout, stderr } = await quarry("/", ["help", "call"]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const argv of [["--help"], ["-h"], ["find", "--help"], ["nothing", "{", "x", "-h"]]) {
      expect(await call("/", argv)).toEqual({ code: 0, stdout, stderr: "" });
    }
  });

  test("of the command names its flags, and no others, on lines that fit", async () => {
    const { stdout } = await quarry("/", ["help", "call"]);
    for (const [name, flag] of Object.entries(FLAGS)) {
      const belongs = flag.in.some((one) => one === "call");
      const listed = new RegExp(`^ {2}.{4}--${name}( [A-Z]+)? {2,}\\S`, "m").test(stdout);
      expect(listed, `about --${name}`).toBe(belongs);
    }
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
  });
});

describe("the program", () => {
  test("answers in a pipe", async () => {
    const root = tree({ "src/b.ts": "needle\n" });
    const { env, cache } = place();
    expect(await shell(root, `quarry call find '{"paths":"*.ts"}'`, env)).toEqual({
      code: 0,
      stdout: "# src/\nb.ts\n",
      stderr: "",
    });
    const piped = await shell(root, `echo '{"pattern":"needle"}' | quarry call search - --details`, env);
    expect(JSON.parse(piped.stdout)).toMatchObject({ details: { files: ["src/b.ts"] } });
    expect((await shell(root, `quarry call find '{"paths":"gone"}'`, env)).code).toBe(2);
    expect(existsSync(cache)).toBe(false);
  });

  test("has only examples that work in its help", async () => {
    const root = tree({ "a.ts": "TODO x\n" });
    const { env } = place();
    const { stdout } = await shell(root, "quarry help call", env);
    const examples = [...stdout.matchAll(/^ {2}(quarry .+?) {2}/gm)].map(([, example]) => example ?? "");
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      const { code, stderr } = await shell(root, example, env);
      expect([code, stderr], `of ${example}`).toEqual([0, ""]);
    }
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends by %s with code %i, and lets go of its session", async (signal, expected) => {
    const { env, folder } = standIn('echo $$ > "$MARK/pids"; exec sleep 60');
    const where = place();
    const argv = ["find", "{}", "--session", "s1"];
    const { child, ran } = program(tree({ "a.ts": "" }), argv, { ...where.env, ...env });
    expect(await eventually(() => existsSync(join(folder, "pids")), 30_000)).toBe(true);
    child.kill(signal);
    expect(await ran).toEqual({
      code: expected,
      stdout: "",
      stderr: "quarry: interrupted; what is shown is not everything\n",
    });
    expect(existsSync(join(where.cache, "sessions/named/s1/lock"))).toBe(false);
  });

  test("waits for a session that another one holds, and loses none of its tags", async () => {
    const root = tree({ "a.ts": "needle a\n", "b.ts": "needle b\n" });
    const where = place();
    const session = join(where.cache, "sessions/named/s1");
    const slow = standIn(
      'touch "$MARK/started"; while [ ! -e "$MARK/go" ]; do sleep 0.05; done; exec "$RG" "$@"',
    );
    const watched = standIn('touch "$MARK/started"; exec "$RG" "$@"');
    // A scope of several, so that ripgrep is asked.
    const argv = (glob: string): string[] => [
      "search",
      input({ pattern: "needle", paths: glob }),
      "--session",
      "s1",
    ];
    const first = program(root, argv("a*"), { ...where.env, ...slow.env });
    expect(await eventually(() => existsSync(join(slow.folder, "started")), 30_000)).toBe(true);
    const second = program(root, argv("b*"), { ...where.env, ...watched.env });
    const waits = (): boolean =>
      readdirSync(session).some((name) => name.startsWith(`lock.${second.child.pid}.`));
    expect(await eventually(waits, 30_000)).toBe(true);
    expect(existsSync(join(watched.folder, "started"))).toBe(false);
    writeFileSync(join(slow.folder, "go"), "");
    const answers = await Promise.all([first.ran, second.ran]);
    expect(answers.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ""],
      [0, ""],
    ]);
    expect(existsSync(join(watched.folder, "started"))).toBe(true);
    const kept = readFileSync(join(session, "snapshots/list.json"), "utf8");
    for (const { stdout } of answers)
      expect(kept).toContain(/#([0-9A-F]{4})$/m.exec(stdout)?.[1] ?? "no tag");
  });

  test("takes over the session of one that was killed", async () => {
    const { env, folder } = standIn('echo $$ > "$MARK/pids"; exec sleep 60');
    const where = place();
    const root = tree({ "a.ts": "" });
    const { child, ran } = program(root, ["find", "{}", "--session", "s1"], { ...where.env, ...env });
    expect(await eventually(() => existsSync(join(folder, "pids")), 30_000)).toBe(true);
    child.kill("SIGKILL");
    await ran;
    expect(existsSync(join(where.cache, "sessions/named/s1/lock"))).toBe(true);
    expect(await program(root, ["find", "{}", "--session", "s1"], where.env).ran).toEqual({
      code: 0,
      stdout: "a.ts\n",
      stderr: "",
    });
  });

  test("does not follow a link out of its working folder", async () => {
    const root = tree({ "a.ts": "" });
    symlinkSync(tree({ "secret.ts": "" }), join(root, "out"));
    const { code, stdout } = await program(root, ["find", input({ paths: "out" })], place().env).ran;
    expect([code, stdout.split(" ")[0]]).toEqual([2, "[PATH_OUTSIDE]"]);
  });

  test("leaves its cache to its owner alone", async () => {
    const where = place();
    await program(
      tree({ "a.ts": "needle\n" }),
      ["search", input({ pattern: "needle" }), "--session", "s1"],
      where.env,
    ).ran;
    chmodSync(where.cache, 0o777);
    const { code, stderr } = await program(tree({ "a.ts": "" }), ["find", "{}", "--session", "s1"], where.env)
      .ran;
    expect([code, stderr.split(" ")[1]]).toEqual([2, "[CACHE_UNSAFE]"]);
  });
});
