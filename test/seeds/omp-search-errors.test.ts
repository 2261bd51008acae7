/** seeds/omp-search.md, "Errors", in our words; the codes are issue 3's. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { FOLDER } from "../support/tree.ts";
import { agent, lines } from "./agent.ts";

const archive = zip([
  { name: "src/ok.txt", data: "hit\n" },
  { name: "src/bin.dat", data: "hit\0" },
  { name: "src/latin.txt", data: Buffer.from([0xe9, 0x0a]) },
]);

describe("Errors: how they are told", () => {
  it("are a result that says so: the code, the message and the way out in the text and in the details", async () => {
    const { workspace } = await agent({});
    const result = await workspace.tools.search({ pattern: "hit", paths: "foo://x" });
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: "text",
          text: "[URL_UNKNOWN] The protocol of foo://x is not known. Known are docs://, artifact://, local://; a file name with :// in it is written with ./ before it.",
        },
      ],
      details: {
        code: "URL_UNKNOWN",
        message: "The protocol of foo://x is not known",
        hint: "Known are docs://, artifact://, local://; a file name with :// in it is written with ./ before it",
      },
    });
  });

  it("leave the workspace as it was: the next call works", async () => {
    const { text, error } = await agent({ "a.txt": "hit\n" });
    await error({ pattern: "[" });
    expect(await text({ pattern: "hit" })).toContain("*1:hit");
  });
});

describe("Errors: pattern and skip", () => {
  it("a pattern that is empty", async () => {
    const { error } = await agent({});
    expect((await error({ pattern: " " })).text).toBe(
      "[INVALID_PATTERN] The pattern is empty. Give the text or the regular expression to search for; `\\s` finds blanks.",
    );
  });

  it("a skip below zero", async () => {
    const { error } = await agent({});
    expect((await error({ pattern: "hit", skip: -1 })).text).toBe(
      "[INVALID_INPUT] skip must be a non-negative number, not -1.",
    );
  });

  it("a pattern that does not parse, told alike for files, archives and URLs", async () => {
    const { error } = await agent({ "a.txt": "hit\n", "l.zip": archive });
    const [walked, ...others] = await Promise.all(
      [undefined, "a.txt", "l.zip", "l.zip:src/ok.txt", "docs://deviations.md"].map((paths) =>
        error({ pattern: "a[", paths }),
      ),
    );
    expect(walked?.code).toBe("INVALID_PATTERN");
    expect(walked?.text).toMatch(
      /^\[INVALID_PATTERN\] .*\n {4}a\[\n {5}\^\nerror: unclosed character class\n/,
    );
    for (const other of others) expect(other).toEqual(walked);
  });
});

describe("Errors: paths", () => {
  it("an entry that is empty", async () => {
    const { error } = await agent({});
    expect((await error({ pattern: "hit", paths: [""] })).text).toBe(
      '[INVALID_INPUT] `paths` holds an empty entry. Name files, folders or globs; "." is the root.',
    );
  });

  it("a glob in a URL", async () => {
    const { error } = await agent({});
    for (const glob of ["*.md", "a?.md", "[ab].md", "{a,b}.md"]) {
      expect(await error({ pattern: "hit", paths: `docs://${glob}` })).toMatchObject({
        code: "URL_GLOB",
        message: `A URL takes no glob: docs://${glob}`,
        hint: "Search docs:// as a whole, or name one of its parts",
      });
    }
  });

  it("lines of a glob, of a folder, of an archive, of a part of one, of several URLs", async () => {
    const { error } = await agent({ "src/a.ts": "hit\n", "l.zip": archive });
    const cases = {
      "src/*.ts:1-2": "this is a glob: src/*.ts:1-2",
      "src:1-2": "src is a folder: src:1-2",
      "l.zip:1-2": "l.zip is an archive: l.zip:1-2",
      "l.zip:src:1-2": "it is a part of an archive: l.zip:src",
      "docs://:1-2": "docs:// is several: docs://:1-2",
    };
    for (const [paths, why] of Object.entries(cases)) {
      expect(await error({ pattern: "hit", paths })).toMatchObject({
        code: "SELECTOR_INVALID",
        message: `A line range needs a single file, and ${why}`,
        hint: "Leave the range out, or name one file",
      });
    }
  });

  it("lines of a path that is not there", async () => {
    const { error } = await agent({});
    expect(await error({ pattern: "hit", paths: "nope.ts:1-2" })).toMatchObject({
      code: "PATH_NOT_FOUND",
      message: "Path not found: nope.ts",
    });
  });

  it("lines that make no sense, and selectors that are not of lines", async () => {
    const { error } = await agent({ "a.ts": "hit\n" });
    const cases = {
      "a.ts:9-2": "[SELECTOR_INVALID] The selector :9-2 ends before it starts. Use :2-9.",
      "a.ts:0": "[SELECTOR_INVALID] The selector :0 starts at line 0, and lines are counted from 1. Use :1.",
      "a.ts:raw":
        "[SELECTOR_INVALID] Only a range of lines selects what is searched. Use :50-100 or :5-16,960-973, or leave it out.",
    };
    for (const [paths, text] of Object.entries(cases)) {
      expect((await error({ pattern: "hit", paths })).text).toBe(text);
    }
  });

  it("lines past the end of a file are no error: there are no matches there", async () => {
    const { text } = await agent({ "a.ts": lines(3, "hit") });
    expect(await text({ pattern: "hit", paths: "a.ts:7-9" })).toBe(
      "No matches found\n[a.ts: ends at line 3, before the lines asked for]",
    );
  });

  it("an archive member that is binary or not UTF-8", async () => {
    const { error } = await agent({ "l.zip": archive });
    expect((await error({ pattern: "hit", paths: "l.zip:src/bin.dat" })).text).toBe(
      "[MEMBER_UNREADABLE] l.zip:src/bin.dat cannot be searched: it is binary. Only members that are UTF-8 text are searched.",
    );
    expect((await error({ pattern: "hit", paths: "l.zip:src/latin.txt" })).text).toBe(
      "[MEMBER_UNREADABLE] l.zip:src/latin.txt cannot be searched: it is not UTF-8. Only members that are UTF-8 text are searched.",
    );
  });

  it("several archive members of which none can be searched", async () => {
    const { error } = await agent({ "l.zip": archive });
    const failure = await error({ pattern: "hit", paths: ["l.zip:src/bin.dat", "l.zip:src/latin.txt"] });
    expect(failure.code).toBe("MEMBER_UNREADABLE");
    expect(failure.message).toContain("l.zip:src/bin.dat");
    expect(failure.message).toContain("l.zip:src/latin.txt");
  });

  it("an archive member that is not there, and an archive that is none", async () => {
    const { error } = await agent({ "l.zip": archive, "broken.zip": "no archive" });
    expect(await error({ pattern: "hit", paths: "l.zip:nope.txt" })).toMatchObject({
      code: "MEMBER_NOT_FOUND",
      message: 'l.zip has no file "nope.txt"',
    });
    expect((await error({ pattern: "hit", paths: "broken.zip" })).code).toBe("ARCHIVE_INVALID");
  });

  it("a path that is not there, and several of which none is", async () => {
    const { error } = await agent({ "a.txt": "hit\n" });
    expect((await error({ pattern: "hit", paths: "nope" })).text).toBe(
      "[PATH_NOT_FOUND] Path not found: nope. Check the spelling; find looks for names.",
    );
    expect((await error({ pattern: "hit", paths: ["nope", "no/*.ts"] })).text).toBe(
      "[PATH_NOT_FOUND] Path not found: nope, no/*.ts. Check the spelling; find looks for names.",
    );
  });

  it("an empty folder and an empty scratch folder are no error: there is nothing in them", async () => {
    const { text } = await agent({ empty: FOLDER });
    expect(await text({ pattern: "hit", paths: "empty" })).toBe("No matches found");
    expect(await text({ pattern: "hit", paths: "local://" })).toMatch(/^No matches found/);
    expect(await text({ pattern: "hit", paths: "artifact://" })).toMatch(/^No matches found/);
  });

  it("a path outside the allowed folders, and a denied one, which is never merely skipped", async () => {
    const { error } = await agent({ "a.txt": "hit\n", "secret.txt": "hit\n" }, { deny: ["secret.txt"] });
    expect((await error({ pattern: "hit", paths: ["a.txt", "/etc/hostname"] })).code).toBe("PATH_OUTSIDE");
    expect((await error({ pattern: "hit", paths: ["a.txt", "secret.txt"] })).code).toBe("PATH_DENIED");
  });

  it("the root of the file system", async () => {
    const { error } = await agent({}, { allow: ["/"] });
    expect((await error({ pattern: "hit", paths: "/" })).text).toBe(
      "[ROOT_REFUSED] Searching from / is not allowed. Name the folder to look in.",
    );
  });
});

describe("Errors: of single files among many", () => {
  it.runIf(process.getuid?.() !== 0)("leave the others as they are, and are counted", async () => {
    const { root, search } = await agent({ "a.txt": "hit\n", "b.txt": "hit\n" });
    chmodSync(join(root, "a.txt"), 0);
    const { details } = await search({ pattern: "hit" });
    expect(details.files).toEqual(["b.txt"]);
    expect(details.skipped.unreadable).toBe(1);
  });
});

describe("Cancellation (seed: Side Effects; deviation: ripgrep ends too)", () => {
  it("rejects a call that was given up before it began", async () => {
    const { workspace } = await agent({ "a.txt": "hit\n" });
    const call = workspace.tools.search({ pattern: "hit" }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: "ToolError", code: "ABORTED" });
  });

  it("rejects a call that is given up on the way, whatever is searched", async () => {
    for (const paths of ["stop://now", "l.zip", "a.txt", "."]) {
      const { root } = await agent({ "a.txt": "hit\n", "l.zip": archive });
      const controller = new AbortController();
      const stop = async () => {
        controller.abort();
        return { kind: "text", url: "stop://now", text: "hit\n", immutable: true } as const;
      };
      const protocol = { scheme: "stop", description: "stops", list: async () => [], resolve: stop };
      const { workspace } = await agent({}, { root, protocols: [protocol] });
      const call = workspace.tools.search({ pattern: "hit", paths: ["stop://now", paths] }, controller);
      await expect(call).rejects.toMatchObject({ code: "ABORTED" });
    }
  });

  it("leaves a workspace that can be closed and whose next call works", async () => {
    const { text, workspace } = await agent({ "a.txt": "hit\n" });
    const call = workspace.tools.search({ pattern: "hit" }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow("abort");
    expect(await text({ pattern: "hit" })).toContain("*1:hit");
  });
});

describe("A workspace", () => {
  it("is refused where its root is not there", async () => {
    await expect(createWorkspace({ root: "/nowhere/at/all" })).rejects.toMatchObject({
      code: "PATH_NOT_FOUND",
    });
  });
});
