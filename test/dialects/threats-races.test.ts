import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkspace, type ToolResult } from "../../src/quarry.ts";
import { startScript } from "../support/script.ts";
import { link, tree } from "../support/tree.ts";
import { cacheEnv, contentsOf, type Hands, handsOf, workspaceOf } from "./workspaces.ts";

/** Others at work on the same files: links that are swapped (T4), a process that dies (T32), other editors (T33). */

const SECRET = "TOPSECRET";
const LIBRARY = JSON.stringify(new URL("../../src/quarry.ts", import.meta.url).href);

describe("A file that is swapped for a link to a secret all the time (T4)", () => {
  /** Renames one of two things over a place, in turn, with pauses of changing length. */
  const RACER = `
    const { copyFileSync, renameSync, symlinkSync, rmSync, linkSync } = require("node:fs");
    const [good, bad, place, kind] = process.argv.slice(1);
    const draft = place + ".draft~";
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let n = 0; ; n += 1) {
      rmSync(draft, { force: true });
      if (n % 2 === 0) symlinkSync(bad, draft);
      else if (kind === "copy") copyFileSync(good, draft);
      else if (kind === "hard link") linkSync(good, draft);
      else symlinkSync(good, draft);
      renameSync(draft, place);
      // Mostly at once, at times long enough for a whole commit.
      Atomics.wait(clock, 0, 0, n % 7 === 0 ? 150 : ((n * 7919) % 40) / 10);
    }`;

  function race(good: string, bad: string, place: string, kind: "copy" | "hard link" | "link"): ChildProcess {
    const child = spawn(process.execPath, ["-e", RACER, good, bad, place, kind], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  /** Calls for a while, and until both sides of the swap were met; every answer. */
  async function during(milliseconds: number, call: (turn: number) => Promise<string>): Promise<string[]> {
    const said: string[] = [];
    const start = performance.now();
    const met = (text: RegExp): boolean => said.some((one) => text.test(one));
    const isEnough = (): boolean =>
      performance.now() - start > milliseconds &&
      met(/^(?:¶|\.|f\.txt)/) &&
      met(/^\[PATH_(?:OUTSIDE|DENIED)\]/);
    while (!isEnough() && performance.now() - start < 30_000) said.push(await call(said.length));
    return said;
  }

  const count = (said: readonly string[], text: string): number =>
    said.filter((one) => one.includes(text)).length;

  it.each(["copy", "hard link"] as const)("is never shown nor written, a %s", async (kind) => {
    const outside = tree({ secret: `good\n${SECRET}\n` });
    const root = tree({ "good/g.txt": "good\nline\n", "d/f.txt": "good\nline\n" });
    const { read, edit, write } = handsOf(await workspaceOf(root));
    race(join(root, "good/g.txt"), join(outside, "secret"), join(root, "d/f.txt"), kind);
    const reads = await during(2_000, () => read("d/f.txt"));
    const header = reads.find((said) => said.startsWith("¶"))?.split("\n")[0] ?? "";
    const edits = await during(3_000, (turn) => edit(`${header}\ninsert head:\n+turn ${turn}`));
    const writes = await during(3_000, (turn) => write("d/f.txt", `turn ${turn}\n`));
    const all = [...reads, ...edits, ...writes];
    expect(count(all, SECRET)).toBe(0);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe(`good\n${SECRET}\n`);
    expect(readdirSync(outside)).toEqual(["secret"]);
    // The race was on: both sides of the swap were met, by each tool.
    for (const said of [reads, edits, writes]) {
      expect(count(said, "¶d/f.txt#")).toBeGreaterThan(0);
      expect(count(said, "[PATH_")).toBeGreaterThan(0);
    }
  });

  it("is never written below a folder that is swapped, nor is anything made there", async () => {
    const outside = tree({ "f.txt": `${SECRET}\n`, [`${SECRET}.txt`]: "x" });
    const root = tree({ "good/f.txt": "good\n", d: link("good") });
    const workspace = await workspaceOf(root);
    const { read, edit, write } = handsOf(workspace);
    race(join(root, "good"), outside, join(root, "d"), "link");
    const reads = await during(1_500, (turn) => read(turn % 2 === 0 ? "d/f.txt" : "d"));
    const writes = await during(3_000, (turn) =>
      write(`d/${turn % 3 === 0 ? `new${turn}/deep` : turn % 3 === 1 ? `made${turn}` : "f"}.txt`, "turn\n"),
    );
    const header = reads.find((said) => said.startsWith("¶"))?.split("\n")[0] ?? "";
    const edits = await during(1_500, (turn) => edit(`${header}\ninsert head:\n+turn ${turn}`));
    expect(count([...reads, ...writes, ...edits], SECRET)).toBe(0);
    expect(contentsOf(outside)).toEqual({ "f.txt": `${SECRET}\n`, [`${SECRET}.txt`]: "x" });
    expect(count(writes, "¶")).toBeGreaterThan(0);
    expect(count(writes, "[PATH_")).toBeGreaterThan(0);
    // No draft of ours is left where the race went on.
    const left = Object.keys(contentsOf(root)).filter((path) => path.includes("quarry"));
    expect(left).toEqual([]);
  });
});

describe("A link to a folder that is turned outside and back all the time (T4)", () => {
  const TURNER = `
    const { renameSync, symlinkSync } = require("node:fs");
    const [inside, outside, place] = process.argv.slice(1);
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (let n = 0; ; n += 1) {
      symlinkSync(n % 2 === 0 ? outside : inside, place + ".draft~");
      renameSync(place + ".draft~", place);
      Atomics.wait(clock, 0, 0, n % 7);
    }`;

  it("names nothing that lies outside, in a list of any length, in a notice or to whoever waits", async () => {
    const names = Array.from({ length: 300 }, (_, at) => `${SECRET}${at}.ts`);
    const outside = tree(Object.fromEntries(names.map((name) => [name, "x"])));
    const inside = Object.fromEntries(names.map((_, at) => [`hidden/t/good${at}.ts`, "x"]));
    const root = tree({ ".ignore": "hidden\n", ...inside, ln: link("hidden/t") });
    const workspace = await createWorkspace({ root, env: cacheEnv(), dialect: "boris" });
    onTestFinished(() => workspace.close());
    const child = spawn(process.execPath, ["-e", TURNER, "hidden/t", outside, join(root, "ln")]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const said: string[] = [];
    const call = async (input: { pattern: string; path?: string }): Promise<void> => {
      const onUpdate = ({ content }: ToolResult): void => void said.push(JSON.stringify(content));
      said.push(JSON.stringify(await workspace.tools.glob(input, { onUpdate })));
    };
    const isMet = (text: string): boolean => said.some((one) => one.includes(text));
    const start = performance.now();
    for (let isEnough = false; !isEnough && performance.now() - start < 30_000; ) {
      await call({ pattern: `${SECRET}*` });
      await call({ pattern: "*.ts" });
      await call({ pattern: "*.ts", path: "ln" });
      isEnough = performance.now() - start > 5_000 && isMet("ln/good") && isMet("PATH_OUTSIDE");
    }
    expect(said.filter((one) => /TOPSECRET\d/.test(one))).toEqual([]);
    expect([isMet("ln/good"), isMet("PATH_OUTSIDE")]).toEqual([true, true]);
  });
});

describe("A process that dies while it commits (T32)", () => {
  it("leaves all files old or all new, and the next workspace says what it did", async () => {
    const names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    const old = Object.fromEntries(names.map((name) => [name, `old ${name}\n`]));
    const now = Object.fromEntries(names.map((name) => [name, `new ${name}\n`]));
    const warned: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const root = tree(old);
      const env = cacheEnv();
      // The signal comes from the process itself, at one of its own system calls on the files.
      const child = startScript(
        `import fs from "node:fs";
         import { syncBuiltinESMExports } from "node:module";
         let renames = 0;
         const real = fs.renameSync;
         fs.renameSync = (from, to) => {
           if (${JSON.stringify(names)}.some((name) => String(to).endsWith("/" + name)) && ++renames > ${turn})
             process.kill(process.pid, "SIGKILL");
           return real(from, to);
         };
         syncBuiltinESMExports();
         const { createWorkspace } = await import(${LIBRARY});
         const { tools } = await createWorkspace({ root: ${JSON.stringify(root)} });
         let patch = "";
         for (const name of ${JSON.stringify(names)}) {
           const { details } = await tools.read({ path: name });
           patch += "¶" + name + "#" + details.tag + "\\nreplace 1..1:\\n+new " + name + "\\n";
         }
         const result = await tools.edit({ input: patch });
         console.log(JSON.stringify(result.isError ?? false));`,
        { env },
      );
      await new Promise((resolve) => child.once("close", resolve));
      const workspace = await createWorkspace({ root, env });
      const after = contentsOf(root);
      expect([turn, [old, now].some((side) => JSON.stringify(side) === JSON.stringify(after))]).toEqual([
        turn,
        true,
      ]);
      warned.push(...workspace.warnings);
      // The next edit finds nothing in its way.
      expect(await handsOf(workspace).write("a.txt", "next\n")).toMatch(/^¶a\.txt#/);
      await workspace.close();
    }
    expect(warned.length).toBeGreaterThan(0);
    expect(warned.every((words) => /a\.txt|b\.txt|c\.txt|d\.txt|e\.txt/.test(words))).toBe(true);
  });
});

describe("Several editors of one file (T33)", () => {
  it("lose nothing in silence: every edit that was said to be made is there", async () => {
    const root = tree({ "f.txt": Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join("") });
    const env = cacheEnv();
    const editors = await Promise.all(
      Array.from({ length: 4 }, async (_, editor) => ({
        editor,
        hands: handsOf(await workspaceOf(root, { env })),
      })),
    );
    const made: string[] = [];
    const work = async ({ editor, hands }: { editor: number; hands: Hands }): Promise<void> => {
      for (let turn = 0; turn < 8; turn += 1) {
        const header =
          (await hands.read("f.txt:raw:1")).length > 0 ? (await hands.read("f.txt")).split("\n")[0] : "";
        const text = `editor ${editor} turn ${turn}`;
        const said = await hands.edit(`${header}\ninsert after ${editor * 10 + 5}:\n+${text}`);
        if (said.startsWith("¶")) made.push(text);
      }
    };
    await Promise.all(editors.map(work));
    const lines = readFileSync(join(root, "f.txt"), "utf8").split("\n");
    expect(made.length).toBeGreaterThan(8);
    expect(made.filter((text) => lines.filter((line) => line === text).length !== 1)).toEqual([]);
    expect(lines.filter((line) => line.startsWith("line "))).toHaveLength(40);
  });

  it("of which one is no tool of ours: its change stays, or the edit is refused", async () => {
    const root = tree({ "f.txt": "one\ntwo\nthree\n" });
    const { read, edit } = handsOf(await workspaceOf(root));
    const header = (await read("f.txt")).split("\n")[0];
    writeFileSync(join(root, "f.txt"), "zero\none\ntwo\nthree\n");
    expect(await edit(`${header}\nreplace 2..2:\n+TWO`)).toContain(
      "[The file had changed since it was shown",
    );
    expect(readFileSync(join(root, "f.txt"), "utf8")).toBe("zero\none\nTWO\nthree\n");
    const again = (await read("f.txt")).split("\n")[0];
    writeFileSync(join(root, "f.txt"), "zero\none\nsomething else\nthree\n");
    expect((await edit(`${again}\nreplace 3..3:\n+2`)).split(" ")[0]).toBe("[FILE_CHANGED]");
    expect(readFileSync(join(root, "f.txt"), "utf8")).toBe("zero\none\nsomething else\nthree\n");
  });
});
