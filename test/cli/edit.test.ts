import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { collect, PROGRAM, quarry, type Ran, shell, tree } from "./helpers.ts";

interface Ground {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** The header of `a.txt`, which was read. */
  readonly header: string;
  readonly content: () => string;
  readonly edit: (argv: readonly string[], io?: Partial<Io>) => Promise<Ran>;
}

/** `a.txt` with three lines, read in the session of a shell of its own. */
async function ground(): Promise<Ground> {
  const folder = tree({});
  const env = { TERM: "xterm", HOME: folder, QUARRY_CACHE_DIR: join(folder, "cache") };
  const root = tree({ "a.txt": "one\ntwo\nthree\n" });
  const header = (await quarry(root, ["read", "a.txt"], { env })).stdout.split("\n")[0] ?? "";
  return {
    root,
    env,
    header,
    content: () => readFileSync(join(root, "a.txt"), "utf8"),
    edit: (argv, io = {}) => quarry(root, ["edit", ...argv], { env, ...io }),
  };
}

const DONE = "¶a.txt#TAG\n 1:one\n-2:two\n+2:TWO\n 3:three\n";
const withoutTag = (text: string): string => text.replace(/#[0-9A-F]{4}/, "#TAG");

describe("quarry edit", () => {
  test.each(["file", "stdin", "-"])("takes a patch from %s", async (from) => {
    const { root, header, content, edit } = await ground();
    const patch = `${header}\nreplace 2..2:\n+TWO\n`;
    writeFileSync(join(root, "p.patch"), patch);
    const stdin = Readable.from([Buffer.from(patch.slice(0, 10)), Buffer.from(patch.slice(10))]);
    const argv = from === "file" ? ["p.patch"] : from === "-" ? ["-"] : [];
    const { code, stdout, stderr } = await edit(argv, { stdin });
    expect([code, withoutTag(stdout), stderr]).toEqual([0, DONE, ""]);
    expect(content()).toBe("one\nTWO\nthree\n");
  });

  test("takes a patch whose characters are cut between two pieces", async () => {
    const { header, content, edit } = await ground();
    const bytes = Buffer.from(`${header}\nreplace 2..2:\n+zwölf ¶\n`);
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect((await edit([], { stdin: Readable.from(pieces) })).code).toBe(0);
    expect(content()).toBe("one\nzwölf ¶\nthree\n");
  });

  test("gives the whole result with --details", async () => {
    const { header, edit } = await ground();
    const stdin = Readable.from([`${header}\ndelete 2..2\n`]);
    const { stdout } = await edit(["--details"], { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      details: {
        op: "update",
        perFileResults: [{ path: "a.txt", moves: [{ first: 3, last: null, by: -1 }] }],
      },
    });
  });

  test.each([
    ["", "[PATCH_INVALID] The patch is empty"],
    ["¶a.txt#0000\ndelete 1..1\n", "[TAG_UNKNOWN] Tag 0000 was never given for a.txt"],
    ["¶gone.txt#0000\ndelete 1..1\n", "[PATH_NOT_FOUND] There is no file gone.txt to edit"],
  ])("prints a refusal as an agent reads it, with code 2, and changes nothing: %j", async (patch, said) => {
    const { content, edit } = await ground();
    const { code, stdout, stderr } = await edit([], { stdin: Readable.from([patch]) });
    expect([code, stdout.startsWith(said), stderr]).toEqual([2, true, ""]);
    expect(content()).toBe("one\ntwo\nthree\n");
  });

  test.each([
    [
      ["gone.patch"],
      "[PATH_NOT_FOUND] The patch gone.patch cannot be read: ENOENT. Name a file, or give the patch on stdin.\n",
    ],
    [
      ["."],
      "[PATH_UNREADABLE] The patch . cannot be read: EISDIR. Name a file, or give the patch on stdin.\n",
    ],
    [["a", "b"], '[INVALID_INPUT] quarry edit takes one patch, and "b" is another.\n'],
    [
      ["--sesion", "x"],
      "[INVALID_INPUT] There is no flag --sesion for quarry edit. Did you mean --session?\n",
    ],
  ])("is told what was typed wrong: %j", async (argv, said) => {
    const { edit } = await ground();
    expect(await edit(argv)).toEqual({ code: 2, stdout: "", stderr: `quarry: ${said}` });
  });

  test("keeps to --allow-dir and --deny", async () => {
    const { root, env, header, content, edit } = await ground();
    const patch = `${header}\ndelete 1..1\n`;
    const denied = await edit(["--deny", "*.txt"], { stdin: Readable.from([patch]) });
    expect([denied.code, denied.stdout.split(" ")[0]]).toEqual([2, "[PATH_DENIED]"]);
    const outside = await edit(["--allow-dir", tree({})], { stdin: Readable.from([patch]) });
    expect([outside.code, outside.stdout.split(" ")[0]]).toEqual([2, "[PATH_OUTSIDE]"]);
    expect(content()).toBe("one\ntwo\nthree\n");
    // From another folder the same path means the same file by --workdir alone.
    const stdin = Readable.from([patch]);
    const elsewhere = await quarry(tree({}), ["edit", "--workdir", root], { env, stdin });
    expect([elsewhere.code, content()]).toEqual([0, "two\nthree\n"]);
  });

  test("says that it waits when a person could think that nothing happens", async () => {
    const { edit } = await ground();
    const stdin = Object.assign(Readable.from(["\n"]), { isTTY: true });
    expect((await edit([], { stdin })).stderr).toBe("Type or paste a patch; Ctrl-D ends it\n");
  });

  test("spells out on a terminal what would move the cursor", async () => {
    const { header, edit } = await ground();
    const stdin = Readable.from([`${header}\nreplace 2..2:\n+two \x1b[2J\u202e\n`]);
    const { stdout } = await edit([], { stdin, stdoutIsTerminal: true });
    expect(stdout).toContain("\n+2:two \\x1b[2J\\u{202e}\n");
  });

  test("that waits on stdin is ended by an abort, and has opened nothing yet", async () => {
    const { env, edit } = await ground();
    const stdin = new PassThrough();
    onTestFinished(() => void stdin.destroy());
    const abort = new AbortController();
    const ran = edit([], { stdin, signal: abort.signal });
    stdin.write("¶a.txt");
    await sleep(50);
    expect(existsSync(join(env["QUARRY_CACHE_DIR"] ?? "", "sessions/named/shell/lock"))).toBe(false);
    abort.abort();
    expect(await ran).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("the program", () => {
  test("reads, edits and reads again in a pipe", async () => {
    const { root, env } = await ground();
    const script = `quarry read a.txt | head -1 > header
      { cat header; printf 'insert tail:\\n+four\\n'; } | quarry edit > /dev/null
      { cat header; printf 'replace 1..1:\\n+ONE\\n'; } > p && quarry edit p > /dev/null
      quarry read a.txt:raw`;
    expect(await shell(root, script, env)).toEqual({
      code: 0,
      stdout: "ONE\ntwo\nthree\nfour\n",
      stderr: "",
    });
    expect((await shell(root, "quarry edit < /dev/null", env)).code).toBe(2);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("that waits on stdin ends by %s with code %i", async (signal, expected) => {
    const { root, env, content } = await ground();
    const child = spawn(process.execPath, [PROGRAM, "edit"], {
      cwd: root,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ran = collect(child);
    child.stdin.write("¶a.txt#0000\n");
    await sleep(1_500);
    expect(child.exitCode).toBe(null);
    child.kill(signal);
    expect(await ran).toMatchObject({ code: expected, stdout: "" });
    expect(content()).toBe("one\ntwo\nthree\n");
  });
});
