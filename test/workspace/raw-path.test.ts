import { describe, expect, it, vi } from "vitest";
import { openFile } from "../../src/workspace/open.ts";
import { refuseRawPath } from "../../src/workspace/raw-path.ts";
import { tree } from "../support/tree.ts";
import { codeOf, policyOf } from "./ground.ts";

/** Every file call that is made, by name. */
const calls = vi.hoisted((): string[] => []);

vi.mock("node:fs/promises", async (original) => {
  const real = await original<Record<string, unknown>>();
  const watched = Object.entries(real).map(([name, value]) => {
    if (typeof value !== "function") return [name, value] as const;
    const call = value as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => (calls.push(name), call(...args))] as const;
  });
  return Object.fromEntries(watched);
});

describe("A string that must not reach the file system (T5)", () => {
  const refused = [
    "\\\\server\\share\\x",
    "//server/share/x",
    "\\/server/share",
    "\\\\?\\C:\\x",
    "\\\\?\\UNC\\server\\share",
    "\\\\.\\PhysicalDrive0",
    "//./pipe/x",
    "\\??\\C:\\x",
    "NUL",
    "nul.txt",
    "src\\CON",
    "src/aux.ts",
    "C:\\x\\com1",
    "com¹",
    "LPT9 .txt",
    "CONIN$",
    "prn:",
    "secret.txt::$DATA",
    "secret.txt:stream",
    "C:\\x\\secret.txt:s",
    "secret.txt.",
    "secret.txt ",
    "folder. \\x",
  ];
  it.each(refused)("is refused on Windows: %j", (path) => {
    expect(() => refuseRawPath(path, "win32")).toThrow(/is refused/);
  });

  it.each([
    "C:\\x\\y.ts",
    "src\\a.ts",
    "..\\b",
    ".",
    "./console.ts",
    "C:x",
    "nullable.ts",
    "common1",
    "aux1/x",
  ])("is fine on Windows: %j", (path) => {
    expect(() => refuseRawPath(path, "win32")).not.toThrow();
  });

  it("is refused before any file call", async () => {
    const policy = await policyOf(tree({ x: "" }), { platform: "win32" });
    calls.length = 0;
    for (const path of refused) {
      expect(await codeOf(policy.check(path))).toBe("PATH_DENIED");
      expect(await codeOf(openFile(policy, path))).toBe("PATH_DENIED");
    }
    expect(calls).toEqual([]);
    await policy.check("x");
    expect(calls).not.toEqual([]);
  });

  it("is refused everywhere when it holds a NUL", async () => {
    const policy = await policyOf(tree({ x: "" }));
    expect(await codeOf(policy.check("x\0y"))).toBe("INVALID_INPUT");
  });

  it("is an ordinary name elsewhere", async () => {
    const root = tree({ "nul.txt": "", "a:b": "", "\\\\server": "" });
    const policy = await policyOf(root);
    for (const name of ["nul.txt", "a:b", "\\\\server"]) {
      expect(await policy.check(name)).toMatchObject({ kind: "file" });
    }
  });
});
