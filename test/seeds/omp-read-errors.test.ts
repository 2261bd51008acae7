/**
 * seeds/omp-read.md, "Errors" and "Side Effects", and issue 4, "All three": what goes wrong is a result with a code, the
 * thing and the way out. Errors of selectors, archives, databases and URLs are with what they belong to.
 *
 * Without a test: errors of images, documents and web pages (not read here), and of query extraction from agent://.
 */
import { readFileSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import { cacheEnv } from "../dialects/workspaces.ts";
import { tree } from "../support/tree.ts";
import { lines } from "./agent.ts";
import { reader } from "./reader.ts";

describe("Errors", () => {
  it("are a result that says so: code, message and hint in the text and in the details", async () => {
    const { workspace } = await reader({ "a.txt": "one\n" });
    expect(await workspace.tools.read({ path: "a.txt:0" })).toEqual({
      isError: true,
      content: [
        {
          type: "text",
          text: "[SELECTOR_INVALID] The selector :0 starts at line 0, and lines are counted from 1. Use :1.",
        },
      ],
      details: {
        code: "SELECTOR_INVALID",
        message: "The selector :0 starts at line 0, and lines are counted from 1",
        hint: "Use :1",
      },
    });
  });

  it("an input that is none: no path, an empty one, another type, a field too many", async () => {
    const { workspace, unread } = await reader({});
    for (const path of ["", "  ", '""']) {
      expect((await unread(path)).text).toBe('[INVALID_INPUT] The path is empty. "." is the root.');
    }
    for (const input of [{}, { path: 5 }, { path: "a", lines: "1-2" }, null]) {
      const result = await workspace.tools.read(input as never);
      expect(result.details).toMatchObject({ code: "INVALID_INPUT" });
    }
  });

  it("a path with a NUL character", async () => {
    const { unread } = await reader({ "a.txt": "" });
    for (const path of ["a\0b", "a.txt\0", "a.txt:1\0"]) {
      expect(await unread(path)).toMatchObject({ code: "INVALID_INPUT" });
    }
  });

  it("several paths in one", async () => {
    const { unread } = await reader({ "a.txt": "", "b.txt": "" });
    expect((await unread("a.txt, b.txt")).text).toBe(
      "[INVALID_INPUT] read takes one path, and this is 2. Call it for each: a.txt, b.txt.",
    );
  });

  it("a path outside, directly, by dots and by a link; a link that leads in a circle, or nowhere", async () => {
    const { unread, root } = await reader({ "a.txt": "" });
    symlinkSync("/etc/passwd", join(root, "out"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync("gone.txt", join(root, "dangling"));
    for (const path of ["/etc/passwd", "../x", "out", "out:1-2", "file:///etc/passwd"]) {
      expect(await unread(path)).toMatchObject({ code: "PATH_OUTSIDE" });
    }
    expect(await unread("loop")).toMatchObject({ code: "PATH_UNREADABLE" });
    expect(await unread("dangling")).toMatchObject({ code: "PATH_NOT_FOUND" });
  });

  it("a path longer than any, or through a file", async () => {
    const { unread } = await reader({ "a.txt": "" });
    expect(await unread(`${"d/".repeat(3000)}x`)).toMatchObject({ code: "PATH_NOT_FOUND" });
    expect(await unread("x".repeat(300))).toMatchObject({ code: "PATH_NOT_FOUND" });
    expect(await unread("a.txt/b.txt")).toMatchObject({ code: "PATH_NOT_FOUND" });
  });

  it("leave the workspace as it was: the next call works", async () => {
    const { unread, read } = await reader({ "a.txt": "one\n" });
    await unread("a.txt:0");
    expect(await read("a.txt")).toContain("1:one");
  });
});

describe("Side effects", () => {
  it("a read changes nothing on the disk, and reads run side by side", async () => {
    const { read, root } = await reader({ "a.txt": lines(5000, "l"), "b.ts": "x\n" });
    const before = readFileSync(join(root, "a.txt"));
    const texts = await Promise.all(
      Array.from({ length: 20 }, (_, at) => read(at % 2 === 0 ? "a.txt:4990-" : "b.ts")),
    );
    expect(new Set(texts).size).toBe(2);
    expect(readdirSync(root).sort()).toEqual(["a.txt", "b.ts"]);
    expect(readFileSync(join(root, "a.txt")).equals(before)).toBe(true);
  });

  it("a read that was called off is thrown, as every call is", async () => {
    const { workspace } = await reader({ "a.txt": "one\n" });
    await expect(
      workspace.tools.read({ path: "a.txt" }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("a session that may only read has read and neither edit nor write", async () => {
    const root = tree({ "a.txt": "one\n" });
    const workspace = await createWorkspace({ root, env: cacheEnv(), readOnly: true });
    const result = await workspace.tools.read({ path: "a.txt" });
    expect(result.content[0].text).toContain("1:one");
    expect(Object.keys(workspace.tools).sort()).toEqual(["find", "read", "search"]);
    await workspace.close();
  });
});
