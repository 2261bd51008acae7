/** The built program, as a process of its own: pipes, terminals, signals. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { collect, objects, PROGRAM, shell, tree } from "./helpers.ts";

/** A folder with an `rg` that notes its process id and then never ends. */
function endlessRipgrep(script = "exec sleep 600"): { env: NodeJS.ProcessEnv; pid: () => Promise<number> } {
  const folder = tree({});
  const file = join(folder, "pid");
  const bin = tree({ rg: `#!/bin/bash\necho $$ > '${file}.new'; mv '${file}.new' '${file}'\n${script}\n` });
  chmodSync(join(bin, "rg"), 0o755);
  // A test that fails must not leave it running for ten minutes.
  onTestFinished(() => {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0 && alive(pid)) process.kill(pid, "SIGKILL");
  });
  return {
    env: { ...process.env, USE_BUILTIN_RIPGREP: "0", PATH: `${bin}:${process.env["PATH"]}` },
    pid: async () => {
      while (!existsSync(file)) await pause(10);
      return Number(readFileSync(file, "utf8"));
    },
  };
}

function alive(pid: number): boolean {
  try {
    // A zombie that nobody has waited for yet is gone all the same.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function goneWithin(pid: number, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; alive(pid); await pause(10)) if (Date.now() > end) return false;
  return true;
}

describe("its help", () => {
  test("has only examples that work", async () => {
    const root = tree({
      "src/a.ts": "a[0] TODO import\n",
      "test/b.py": "parse x\n",
      "docs/c.md": "-verbose\n",
      "d.c": "x\n",
    });
    for (const command of ["search", "find", "doctor"]) {
      const { stdout } = await shell(root, `quarry help ${command}`);
      const examples = [...stdout.matchAll(/^ {2}(quarry .+?) {2}/gm)].map(([, example]) => example ?? "");
      expect(examples).not.toEqual([]);
      for (const example of examples) {
        const { code, stderr } = await shell(root, example);
        expect([0, 1], `${example}: ${stderr}`).toContain(code);
      }
    }
  });
});

describe("in a pipe", () => {
  test("it works, and is plain", async () => {
    const root = tree({ "a.txt": "foo\n" });
    expect(await shell(root, "quarry search foo")).toEqual({
      code: 0,
      stdout: "a.txt\n   1: foo\n",
      stderr: "1 match in 1 file.\n",
    });
    expect((await shell(root, "quarry search bar")).code).toBe(1);
    expect((await shell(root, "quarry search '['")).code).toBe(2);
    expect(objects((await shell(root, "quarry find --json")).stdout).results).toHaveLength(1);
  });

  test("it counts results alone in `| wc -l`", async () => {
    const root = tree(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}.txt`, "foo\n"])));
    const { stdout, stderr } = await shell(root, "quarry search --mode files foo | wc -l");
    expect(stdout.trim()).toBe("20");
    expect(stderr).toContain("Showing 20 of 30 files");
  });

  test("it ends quietly when `head` had enough", async () => {
    const root = tree({ "a.txt": "foo bar baz\n".repeat(200_000) });
    for (const flags of ["--all", "--json"]) {
      const { stdout, stderr } = await shell(
        root,
        `quarry search ${flags} foo | head -2; echo "\${PIPESTATUS[0]}"`,
      );
      expect(stdout.split("\n")).toHaveLength(4);
      expect(stdout).toMatch(/\n0\n$/);
      expect(stderr).toBe("");
    }
  });

  test("it ends a search that would go on when `head` had enough", async () => {
    const match = JSON.stringify({
      type: "match",
      data: {
        path: { text: "./a.txt" },
        lines: { text: "foo\n" },
        line_number: 1,
        absolute_offset: 0,
        submatches: [],
      },
    });
    const { env, pid } = endlessRipgrep(
      `echo '{"type":"begin","data":{"path":{"text":"./a.txt"}}}'; exec yes '${match}'`,
    );
    const root = tree({ "a.txt": "foo\n" });
    const { stdout, stderr } = await shell(root, "quarry search --sort none --json foo | head -1", env);
    expect(objects(stdout).summary).toMatchObject({ type: "match", path: "a.txt" });
    expect(stderr).toBe("");
    expect(await goneWithin(await pid(), 1000)).toBe(true);
  });

  test("it holds back for a slow reader, and loses nothing", async () => {
    const root = tree({ "a.txt": `foo ${"x".repeat(300)}\n`.repeat(100_000) });
    const child = spawn(process.execPath, [PROGRAM, "search", "--json", "foo"], { cwd: root });
    await once(child.stdout, "readable");
    await pause(1000);
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]);
    const { stdout, code } = await collect(child);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(100_002);
    expect(peak).toBeLessThan(200_000);
  });

  test("it says when the disk is full", async () => {
    const { code, stderr } = await shell(tree({ "a.txt": "foo\n" }), "quarry search foo > /dev/full");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^quarry: \[ENOSPC\] .+\n$/);
  });

  test("it prints no stack, even where it cannot start", async () => {
    const { code, stderr } = await shell(tree({ "d/a.txt": "" }), "cd d; rm -r ../d; quarry search foo");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^quarry: \[\w+\] .+\n$/);
  });
});

/** The same in a pseudo-terminal. */
const inTerminal = (root: string, command: string, env: NodeJS.ProcessEnv = {}): ReturnType<typeof shell> =>
  shell(root, `script -qec "${command}" /dev/null < /dev/null`, { TERM: "xterm", NO_COLOR: "", ...env });

describe("on a terminal", () => {
  test("it is coloured, and says the rest after a blank line", async () => {
    const { stdout } = await inTerminal(tree({ "a.txt": "a foo\n" }), "quarry search foo");
    expect(stdout.replaceAll("\r\n", "\n")).toBe(
      "\x1b[35ma.txt\x1b[0m\n\x1b[32m   1\x1b[0m: a \x1b[1;31mfoo\x1b[0m\n\n\x1b[2m1 match in 1 file.\x1b[0m\n",
    );
  });

  test("it is plain with NO_COLOR, on a dumb terminal and with --color never", async () => {
    const root = tree({ "a.txt": "a foo\n" });
    const plain = "a.txt\r\n   1: a foo\r\n\r\n1 match in 1 file.\r\n";
    expect((await inTerminal(root, "quarry search foo", { NO_COLOR: "1" })).stdout).toBe(plain);
    expect((await inTerminal(root, "quarry search foo", { TERM: "dumb" })).stdout).toBe(plain);
    expect((await inTerminal(root, "quarry search --color never foo")).stdout).toBe(plain);
  });

  test("nothing in a file or a name reaches the terminal as a command", async () => {
    const root = tree({ "evil\x1b[2J.txt": "foo \x1b]0;x\x07 \x9b31m \u202e\n" });
    const { stdout } = await inTerminal(root, "quarry search foo");
    expect(stdout).toContain("evil\\x1b[2J.txt");
    expect(stdout).toContain("\\x1b]0;x\\x07 \\u{9b}31m \\u{202e}");
    expect(stdout.replaceAll(/\x1b\[[\d;]*m/g, "")).not.toMatch(/[\x1b\x07\x9b\u202e]/);
  });
});

describe("a signal", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends a search with code %i and leaves no child", async (signal, expected) => {
    const { env, pid } = endlessRipgrep();
    const child = spawn(process.execPath, [PROGRAM, "search", "foo"], {
      cwd: tree({ "a.txt": "foo\n" }),
      env,
    });
    const ran = collect(child);
    const ripgrep = await pid();
    child.kill(signal);
    const { code, stderr } = await ran;
    expect(code).toBe(expected);
    expect(stderr).toBe("quarry: interrupted; what is shown is not everything\n");
    expect(await goneWithin(ripgrep, 1000)).toBe(true);
  });

  test("leaves no child either when that does not listen", async () => {
    const { env, pid } = endlessRipgrep("trap '' TERM INT; while :; do sleep 0.05; done");
    const child = spawn(process.execPath, [PROGRAM, "find"], { cwd: tree({ "a.txt": "foo\n" }), env });
    const ran = collect(child);
    const ripgrep = await pid();
    child.kill("SIGINT");
    expect((await ran).code).toBe(130);
    expect(await goneWithin(ripgrep, 1000)).toBe(true);
  });

  test("is obeyed while the reader does not read", async () => {
    const root = tree({ "a.txt": "foo bar baz\n".repeat(200_000) });
    const child = spawn(process.execPath, [PROGRAM, "search", "--all", "foo"], { cwd: root });
    await once(child.stdout, "readable");
    await pause(300);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([143, null]);
  });
});

describe("a time limit", () => {
  test("ends a search that found nothing with code 2, says so and leaves no child", async () => {
    const { env, pid } = endlessRipgrep();
    const root = tree({ "a.txt": "foo\n" });
    const child = spawn(process.execPath, [PROGRAM, "search", "--timeout", "0.5", "foo"], { cwd: root, env });
    const ran = collect(child);
    const ripgrep = await pid();
    const { code, stdout, stderr } = await ran;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^note: .+\nNothing found, but not everything was searched\.\n$/);
    expect(await goneWithin(ripgrep, 1000)).toBe(true);
  });

  test("does not wait for a ripgrep that does not want to end", async () => {
    const { env, pid } = endlessRipgrep("trap '' TERM; while :; do sleep 0.05; done");
    const { code } = await shell(tree({ "a.txt": "foo\n" }), "quarry search --timeout 0.5 foo", env);
    expect(code).toBe(2);
    expect(await goneWithin(await pid(), 1000)).toBe(true);
  });
});
