import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openFile, openFolder, readWhole } from "../../src/workspace/open.ts";
import type { Policy } from "../../src/workspace/policy.ts";
import { descriptors } from "../support/processes.ts";
import { FOLDER, link, rawPath, tree } from "../support/tree.ts";
import { codeOf, policyOf } from "./ground.ts";

async function textOf(policy: Policy, path: string | Buffer): Promise<string> {
  const opened = await openFile(policy, path);
  try {
    return String(await readWhole(opened, 1 << 20));
  } finally {
    await opened.handle.close();
  }
}

describe("Opening a file", () => {
  it("gives its bytes, its real path and its stat", async () => {
    const root = tree({ "src/a.ts": "content", here: link("src/a.ts") });
    const opened = await openFile(await policyOf(root), "here");
    onTestFinished(() => opened.handle.close());
    expect(opened.realPath).toBe(join(root, "src/a.ts"));
    expect(opened.stat.size).toBe(7);
    expect(opened.deleted).toBe(false);
    expect(opened).not.toHaveProperty("realPathBytes");
    expect(String(await readWhole(opened, 7))).toBe("content");
    expect(await readWhole(opened, 6)).toBeNull();
  });

  it("refuses what the policy refuses, with the policy's code", async () => {
    const root = tree({ ".env": "", x: "" });
    const policy = await policyOf(root, { deny: [".env"] });
    expect(await codeOf(openFile(policy, ".env"))).toBe("PATH_DENIED");
    expect(await codeOf(openFile(policy, "/etc/passwd"))).toBe("PATH_OUTSIDE");
    expect(await codeOf(openFile(policy, "missing"))).toBe("PATH_NOT_FOUND");
    expect(await codeOf(openFile(policy, "x/y"))).toBe("PATH_NOT_FOUND");
    expect(await codeOf(openFile(policy, "."))).toBe("NOT_A_FILE");
    expect(await codeOf(openFolder(policy, "x"))).toBe("NOT_A_FOLDER");
  });

  it("answers at once for pipes, sockets and devices (T15)", async () => {
    const root = tree({ "after.txt": "next" });
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(root, "pipe")]);
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const policy = await policyOf(root, { allow: [root, "/dev"] });
    for (const path of ["pipe", "socket", "/dev/null", "/dev/zero"]) {
      expect(await codeOf(openFile(policy, path))).toBe("NOT_A_FILE");
    }
    await Promise.all(Array.from({ length: 50 }, () => codeOf(openFile(policy, "pipe"))));
    expect(await textOf(policy, "after.txt")).toBe("next");
  });

  it("leaves no descriptor open when it refuses", async () => {
    const root = tree({ x: "", folder: FOLDER });
    const policy = await policyOf(root);
    // Allowed when named and refused when opened, as if it had been swapped.
    const swapped: Policy = { ...policy, allowsReal: () => false };
    await codeOf(openFile(swapped, "x"));
    const before = descriptors();
    for (let n = 0; n < 50; n += 1) expect(await codeOf(openFile(swapped, "x"))).toBe("PATH_DENIED");
    for (let n = 0; n < 50; n += 1) await codeOf(openFile(policy, "folder"));
    expect(descriptors()).toBe(before);
  });

  it("tells a file that was deleted from one that is called so", async () => {
    const root = tree({ "x (deleted)": "named", x: "gone", y: "gone too" });
    const policy = await policyOf(root);
    const named = await openFile(policy, "x (deleted)");
    expect(named).toMatchObject({ realPath: join(root, "x (deleted)"), deleted: false });
    await named.handle.close();
    // A descriptor of a file that is gone stands for one that goes right after the open.
    for (const name of ["x", "y"]) {
      const handle = await fs.open(join(root, name));
      unlinkSync(join(root, name));
      if (name === "y") writeFileSync(join(root, "y (deleted)"), "another");
      const path = `/proc/self/fd/${handle.fd}`;
      const after: Policy = { ...policy, check: async () => ({ path, realPath: path, kind: "file" }) };
      const opened = await openFile(after, name);
      expect(opened).toMatchObject({ realPath: join(root, name), deleted: true });
      await Promise.all([opened.handle.close(), handle.close()]);
    }
  });

  it("takes a name that is not UTF-8 and says its bytes", async () => {
    const root = tree();
    const path = rawPath(root, [0x61, 0xff]);
    writeFileSync(path, "raw");
    const opened = await openFile(await policyOf(root), path);
    onTestFinished(() => opened.handle.close());
    expect(Buffer.from(opened.realPathBytes ?? "", "base64")).toEqual(path);
    expect(String(await readWhole(opened, 10))).toBe("raw");
  });

  it("looks by name where a descriptor cannot be asked, and refuses what is another file by then", async () => {
    const out = tree({ x: "SECRET" });
    const root = tree({ "src/a.ts": "a", here: link("src/a.ts"), swapped: link("src/a.ts") });
    const policy = await policyOf(root);
    const opened = await openFile(policy, "here", "darwin");
    expect(opened).toMatchObject({ realPath: join(root, "src/a.ts"), deleted: false });
    await opened.handle.close();
    const swapping: Policy = {
      ...policy,
      check: async (path) => {
        const allowed = await policy.check(path);
        unlinkSync(join(root, "swapped"));
        symlinkSync(join(out, "x"), join(root, "swapped"));
        return allowed;
      },
    };
    expect(await codeOf(openFile(swapping, "swapped", "darwin"))).toBe("PATH_DENIED");
  });

  it("opens a folder to work in", async () => {
    const root = tree({ "src/a.ts": "a" });
    const opened = await openFolder(await policyOf(root), "src");
    onTestFinished(() => opened.handle.close());
    expect(await fs.readFile(`/proc/self/fd/${opened.handle.fd}/a.ts`, "utf8")).toBe("a");
  });

  it("reads files that grow or shrink under it, and files of unknown size", async () => {
    const root = tree({ x: "12345" });
    const opened = await openFile(await policyOf(root), "x");
    onTestFinished(() => opened.handle.close());
    await fs.appendFile(join(root, "x"), "6789");
    expect(String(await readWhole(opened, 100))).toBe("123456789");
    expect(await readWhole(opened, 8)).toBeNull();
    await fs.truncate(join(root, "x"), 2);
    expect(String(await readWhole(opened, 100))).toBe("12");
    await fs.truncate(join(root, "x"), 0);
    expect(await readWhole(opened, 100)).toHaveLength(0);
    const proc = await openFile(await policyOf("/proc/self"), "status");
    onTestFinished(() => proc.handle.close());
    expect(String(await readWhole(proc, 1 << 20))).toContain("Name:");
  });
});

describe("A link that is swapped all the time (T4)", () => {
  const RACER = `
    const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
    const [good, bad, place] = process.argv.slice(1);
    for (let n = 0; ; n += 1) {
      const draft = place + ".draft";
      try { unlinkSync(draft); } catch {}
      symlinkSync(n % 2 === 0 ? bad : good, draft);
      renameSync(draft, place);
    }`;

  function race(good: string, bad: string, place: string): ChildProcess {
    const child = spawn(process.execPath, ["-e", RACER, good, bad, place], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  it("leaks nothing in thousands of tries, as a file or as a folder on the way", async () => {
    const out = tree({ "secret/file": "SECRET" });
    const root = tree({ "good/file": "good", file: link("good/file"), folder: link("good") });
    const policy = await policyOf(root);
    race(join(root, "good/file"), join(out, "secret/file"), join(root, "file"));
    race(join(root, "good"), join(out, "secret"), join(root, "folder"));
    const seen = new Map<string, number>();
    for (let tries = 0; tries < 6000; tries += 1) {
      const path = tries % 2 === 0 ? "file" : "folder/file";
      const answer = await textOf(policy, path).catch((cause: { code: string }) => cause.code);
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    expect(seen.has("SECRET")).toBe(false);
    // The race was on: both sides of the swap were met, also after a check that passed.
    expect(seen.get("good")).toBeGreaterThan(100);
    expect(seen.get("PATH_OUTSIDE")).toBeGreaterThan(100);
    expect(seen.get("PATH_DENIED")).toBeGreaterThan(0);
  });

  it("would leak if the descriptor were not looked at, so the race is a real one", async () => {
    const out = tree({ file: "SECRET" });
    const root = tree({ good: "good", file: link("good") });
    const policy = await policyOf(root);
    race(join(root, "good"), join(out, "file"), join(root, "file"));
    let leaks = 0;
    for (let tries = 0; tries < 20_000 && leaks === 0; tries += 1) {
      try {
        const { path } = await policy.check("file");
        if ((await fs.readFile(path, "utf8")) === "SECRET") leaks += 1;
      } catch {
        // Refused this time.
      }
    }
    expect(leaks).toBe(1);
  });
});

describe("A folder that is moved away while a file in it is opened", () => {
  it("is refused", async () => {
    const out = tree();
    const root = tree({ "a/x": "" });
    const policy = await policyOf(root);
    const moving: Policy = {
      ...policy,
      check: async (path) => {
        const allowed = await policy.check(path);
        mkdirSync(join(out, "away"));
        renameSync(join(root, "a"), join(out, "away/a"));
        symlinkSync(join(out, "away/a"), join(root, "a"));
        return allowed;
      },
    };
    expect(await codeOf(openFile(moving, "a/x"))).toBe("PATH_DENIED");
  });
});
