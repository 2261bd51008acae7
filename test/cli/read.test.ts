import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FLAGS } from "../../src/cli/flags.ts";
import { quarry, type Ran, shell, tree } from "./helpers.ts";

/** A cache and a home of its own, so that the session `shell` of whoever runs the tests is left alone. */
function place(): NodeJS.ProcessEnv {
  const folder = tree({});
  return { TERM: "xterm", HOME: folder, QUARRY_CACHE_DIR: join(folder, "cache") };
}

function read(root: string, argv: readonly string[], env: NodeJS.ProcessEnv = place()): Promise<Ran> {
  return quarry(root, ["read", ...argv], { env });
}

const withoutTag = (text: string): string => text.replace(/#[0-9A-F]{4}/, "#TAG");

describe("quarry read", () => {
  test("prints what an agent is shown, and nothing else", async () => {
    const root = tree({ "src/a.ts": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n" });
    const { code, stdout, stderr } = await read(root, ["src/a.ts:2"]);
    expect([code, withoutTag(stdout), stderr]).toEqual([
      0,
      "¶src/a.ts#TAG\n1:one\n2:two\n3:three\n4:four\n5:five\n6:six\n7:seven\n",
      "",
    ]);
    expect((await read(root, ["src/a.ts:raw:2-3"])).stdout).toBe("two\nthree\n");
    expect((await read(root, ["src/a.ts:-1"])).stdout).toMatch(/\n6:six\n7:seven\n$/);
  });

  test("takes a folder, a file anywhere on the disk, and a name that starts with a dash", async () => {
    const elsewhere = tree({ "there.txt": "there\n" });
    const root = tree({ "-dash.txt": "dash\n" });
    expect((await read(root, ["."])).stdout).toContain("-dash.txt");
    expect((await read(root, [join(elsewhere, "there.txt")])).stdout).toMatch(/\n1:there\n$/);
    expect((await read(root, ["--", "-dash.txt"])).stdout).toMatch(/^¶-dash\.txt#.*\n1:dash\n$/);
    expect((await read(root, ["./-dash.txt"])).stdout).toMatch(/\n1:dash\n$/);
  });

  test("keeps to --allow-dir, --deny and --workdir", async () => {
    const root = tree({ "in/a.txt": "in\n", "out/b.txt": "out\n", "in/x.key": "key\n" });
    const env = place();
    symlinkSync(join(root, "out/b.txt"), join(root, "in/l.txt"));
    const code = async (...argv: string[]): Promise<string> => {
      const { stdout, code } = await read(root, argv, env);
      return code === 0 ? "read" : (stdout.split(" ")[0] ?? "");
    };
    expect(await code("in/a.txt", "--allow-dir", "in")).toBe("read");
    expect(await code("out/b.txt", "--allow-dir", "in")).toBe("[PATH_OUTSIDE]");
    expect(await code("in/l.txt", "--allow-dir", "in")).toBe("[PATH_OUTSIDE]");
    expect(await code("in/l.txt")).toBe("read");
    expect(await code("in/x.key", "--deny", "*.key")).toBe("[PATH_DENIED]");
    expect(await code("a.txt", "--workdir", "in")).toBe("read");
    expect((await read(root, ["a.txt", "--workdir", "in"], env)).stdout).toMatch(/^¶a\.txt#/);
  });

  test("gives the whole result with --details", async () => {
    const root = tree({ "a.txt": "one\n" });
    const { code, stdout } = await read(root, ["a.txt", "--details"]);
    const result = JSON.parse(stdout) as { details: object };
    expect([code, result.details]).toMatchObject([
      0,
      { kind: "lines", path: "a.txt", lines: { first: 1, last: 1, total: 1 } },
    ]);
  });

  test.each([
    [["gone.txt"], "[PATH_NOT_FOUND] Path not found: gone.txt"],
    [["a.txt:0"], "[SELECTOR_INVALID] The selector :0 "],
    [["nowhere://x"], "[URL_UNKNOWN] "],
  ])("says on stdout what an agent would be told, with code 2: %j", async (argv, said) => {
    const { code, stdout, stderr } = await read(tree({ "a.txt": "one\n" }), argv);
    expect([code, stdout.startsWith(said), stderr]).toEqual([2, true, ""]);
  });

  test.each([
    [[], "There is no path to read. quarry help read shows some."],
    [["a", "b"], 'quarry read takes one path, and "b" is another.'],
    [["a", "--sesion", "x"], "There is no flag --sesion for quarry read. Did you mean --session?"],
    [["a", "--session"], "--session needs a value. Write it as --session NAME."],
    [["a", "--json"], "There is no flag --json for quarry read."],
  ])("is told what was typed wrong: %j", async (argv, said) => {
    const { code, stdout, stderr } = await read(tree({ a: "" }), argv);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.startsWith(`quarry: [INVALID_INPUT] ${said}`)).toBe(true);
    expect(stderr.split("\n")).toHaveLength(2);
  });

  test("spells out on a terminal what would move the cursor, in rows, names, trees and errors", async () => {
    const root = tree({ "a.txt": "one\ntwo \x1b[2J\x07 \x9b31m \u202e\tend\n", "\x1b[31mred": "x\n" });
    const io = { env: place(), stdoutIsTerminal: true, stderrIsTerminal: true };
    const { stdout } = await quarry(root, ["read", "a.txt"], io);
    expect(withoutTag(stdout)).toBe("¶a.txt#TAG\n1:one\n2:two \\x1b[2J\\x07 \\u{9b}31m \\u{202e}\tend\n");
    for (const argv of [
      ["."],
      ["a.txt:raw"],
      ["\x1b[31mred"],
      ["\x1b[2Jgone"],
      ["a.txt", "--details"],
      ["a", "\x1b[2J"],
    ]) {
      const ran = await quarry(root, ["read", ...argv], io);
      expect([argv, `${ran.stdout}${ran.stderr}`.replaceAll(/[\n\t]/g, "")]).not.toEqual([
        argv,
        expect.stringMatching(/(?!\u001b\[[\d;]*m)[\p{Cc}\p{Bidi_C}]/u),
      ]);
    }
  });

  test("in a pipe is exact, control characters too", async () => {
    const root = tree({ "a.txt": "one \x1b[2J\n" });
    expect((await read(root, ["a.txt:raw"])).stdout).toBe("one \x1b[2J\n");
  });

  test("is ended by an abort, with code 2", async () => {
    const { code, stdout } = await quarry(tree({ a: "x\n" }), ["read", "a"], {
      env: place(),
      signal: AbortSignal.abort(),
    });
    expect([code, stdout]).toEqual([2, ""]);
  });
});

describe("help", () => {
  test.each(["read", "edit"])(
    "of %s is the same by every way to ask, fits and names its flags",
    async (name) => {
      const { code, stdout, stderr } = await quarry("/", ["help", name]);
      expect([code, stderr]).toEqual([0, ""]);
      for (const argv of [
        [name, "--help"],
        [name, "-h"],
        [name, "x", "--help"],
      ])
        expect(await quarry("/", argv)).toEqual({ code: 0, stdout, stderr: "" });
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
      for (const [flag, { in: commands }] of Object.entries(FLAGS)) {
        const listed = new RegExp(`^ {2}.{4}--${flag}( [A-Z]+)? {2,}\\S`, "m").test(stdout);
        expect([flag, listed]).toEqual([flag, commands.some((one) => one === name)]);
      }
      expect((await quarry("/", ["help"])).stdout).toMatch(new RegExp(`^ {2}quarry ${name} .*\\S`, "m"));
    },
  );

  test("has only examples of read that work", async () => {
    const root = tree({ "server.log": "x\n", "src/a.ts": "const a = 1;\n".repeat(300) });
    const env = place();
    const { stdout } = await shell(root, "quarry help read", env);
    const examples = [...stdout.matchAll(/^ {2}(quarry .+?) {2}/gm)].map(([, example]) => example ?? "");
    expect(examples.length).toBeGreaterThan(5);
    const plain = examples.filter((example) => !/zip|db/.test(example));
    for (const example of plain) {
      const { code, stderr } = await shell(root, example, env);
      expect([example, code, stderr]).toEqual([example, 0, ""]);
    }
  });

  test("leads on to the description of the tools", async () => {
    const { stdout } = await quarry(tree({}), ["read", "docs://tools"], { env: place() });
    expect(stdout).toContain("The tools an agent calls");
  });
});

describe("the session of a shell", () => {
  test("is kept from one read to the next edit, in any folder, and another by --session", async () => {
    const root = tree({ "a.txt": "one\ntwo\n" });
    mkdirSync(join(root, "sub"));
    const env = place();
    const header = (await read(root, ["a.txt"], env)).stdout.split("\n")[0] ?? "";
    writeFileSync(join(root, "p"), `${header.replace("a.txt", "../a.txt")}\ndelete 1..1\n`);
    const other = await quarry(join(root, "sub"), ["edit", "../p", "--session", "other"], { env });
    expect([other.code, other.stdout.split(" ")[0]]).toEqual([2, "[TAG_UNKNOWN]"]);
    const edited = await quarry(join(root, "sub"), ["edit", "../p"], { env });
    expect([edited.code, withoutTag(edited.stdout).split("\n")[1]]).toEqual([0, "-1:one"]);
  });
});
