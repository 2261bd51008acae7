/**
 * seeds/omp-read.md, "Internal URLs", omp-notes.md, issue 4: what a session's URLs lead to, and merge conflicts as read
 * lists them.
 *
 * Without a test: agent://, history://, issue://, mcp://, memory://, omp://, pr://, rule://, skill://, vault:// and all that
 * is said of their caches, queries and diffs (they belong to the program around oh-my-pi; a workspace takes such
 * protocols from outside, and has docs://, artifact://, local:// and conflict:// of its own).
 */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/quarry.ts";
import { lines } from "./agent.ts";
import { notesIn, reader, shownRanges } from "./reader.ts";

const CONFLICT = "top\n<<<<<<< HEAD\nours 1\nours 2\n=======\ntheirs\n>>>>>>> feature\nbottom\n";

describe("Internal URLs", () => {
  it("an artifact is read with | and without a tag, with every selector of lines", async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`f${at}.txt`, `${"hit ".repeat(100)}\n`.repeat(20)]),
    );
    const { search, read, details } = await reader(wide);
    const { details: found } = await search({ pattern: "hit" });
    const url = `artifact://${found.meta.truncation?.artifactId}`;
    const text = await read(`${url}:2-3`);
    expect(text.split("\n")[0]).toBe(`¶${url}`);
    expect(shownRanges(text)).toBe("1-6");
    expect(text).toMatch(/^2\|/m);
    expect(await details(url)).toMatchObject({ tag: null, kind: "lines" });
    expect(await read("artifact://")).toContain(url);
  });

  it("docs:// lists its pages, and each can be read", async () => {
    const { read, details } = await reader({});
    const list = await read("docs://");
    expect(list.split("\n")).toContain("docs://tools.md");
    expect(await details("docs://")).toMatchObject({ kind: "urls", tag: null });
    expect(await read("docs://tools.md:1-1")).toMatch(
      /^¶docs:\/\/tools\.md\n1\|# The tools an agent calls\n/,
    );
    expect(await read("docs://:1-1")).toBe(list.split("\n")[0]);
    expect(await read("docs://:99")).toMatch(/^\[There are \d+, and 99 is past them\]$/);
  });

  it("local:// is scratch that can be edited: it has a tag", async () => {
    const { write, read, edit, tagOf } = await reader({});
    expect(await read("local://")).toBe("[Empty]");
    await write("local://plan.md", "one\ntwo\n");
    expect(await read("local://plan.md")).toMatch(/^¶local:\/\/plan\.md#[0-9A-F]{4}\n1:one\n2:two$/);
    await edit(`¶local://plan.md#${await tagOf("local://plan.md")}`, "delete 1..1");
    expect(await read("local://plan.md:raw")).toBe("two");
    expect(await read("local://")).toBe("local://plan.md");
  });

  it("what is not there, and protocols that are not known, say what there is", async () => {
    const { unread } = await reader({});
    expect((await unread("artifact://7")).text).toBe(
      "[ARTIFACT_NOT_FOUND] There is no artifact://7. This session has no artifacts.",
    );
    expect((await unread("local://nope.md")).text).toBe(
      "[PATH_NOT_FOUND] Path not found: local://nope.md. local:// by itself stands for all there is.",
    );
    expect(await unread("docs://nope.md")).toMatchObject({ code: "PATH_NOT_FOUND" });
    expect(await unread("skill://x")).toMatchObject({ code: "URL_UNKNOWN" });
    expect(await unread("docs://*.md")).toMatchObject({ code: "URL_GLOB" });
  });

  it("a selector that has no meaning there is refused", async () => {
    const { unread } = await reader({});
    expect(await unread("docs://tools.md:conflicts")).toMatchObject({ code: "SELECTOR_INVALID" });
    expect(await unread("docs://:raw")).toMatchObject({ code: "SELECTOR_INVALID" });
    expect(await unread("docs://tools.md:9-5")).toMatchObject({ code: "SELECTOR_INVALID" });
  });

  it("a protocol of the program around it is read like any other", async () => {
    const { read, details } = await reader(
      {},
      {
        protocols: [
          {
            scheme: "note",
            description: "Notes",
            resolve: async (path) => {
              if (path !== "a") throw new ToolError("PATH_NOT_FOUND", `No note ${path}`);
              return { kind: "text", url: "note://a", text: lines(4000, "l"), immutable: true };
            },
            list: async () => ["note://a"],
          },
        ],
      },
    );
    expect(shownRanges(await read("note://a:10-11"))).toBe("9-14");
    expect(await details("note://a")).toMatchObject({ nextSelector: "3001-", tag: null });
  });
});

describe("Merge conflicts", () => {
  it("are listed with their URLs, their sides and their lines, under the file's tag", async () => {
    const { read } = await reader({ "a.txt": CONFLICT });
    expect((await read("a.txt:conflicts")).replace(/#[0-9A-F]{4}/, "#TAG")).toBe(
      [
        "¶a.txt#TAG",
        "conflict://1 lines 2-7: ours HEAD, theirs feature",
        "2:<<<<<<< HEAD",
        "3:ours 1",
        "4:ours 2",
        "5:=======",
        "6:theirs",
        "7:>>>>>>> feature",
        "",
        "Resolve with write: path conflict://1, content the lines that take its place, or @ours, @theirs, @both",
      ].join("\n"),
    );
  });

  it("one of them, and either side of it, can be read", async () => {
    const { read, tagOf } = await reader({ "a.txt": CONFLICT });
    await read("a.txt:conflicts");
    const mark = await tagOf("a.txt");
    expect(await read("conflict://1")).toBe(
      `¶a.txt#${mark}\n2:<<<<<<< HEAD\n3:ours 1\n4:ours 2\n5:=======\n6:theirs\n7:>>>>>>> feature`,
    );
    expect(await read("conflict://1/ours")).toBe("¶conflict://1/ours\n1|ours 1\n2|ours 2");
    expect(await read("conflict://1/theirs:raw")).toBe("theirs");
    expect(notesIn(await read("conflict://1/ours:9"))[0]).toContain("past the end, which is line 2");
  });

  it("a file without any says so", async () => {
    const { read } = await reader({ "a.txt": "one\n" });
    expect(await read("a.txt:conflicts")).toMatch(/^¶a\.txt#[0-9A-F]{4}\nNo unresolved conflicts in a\.txt$/);
  });

  it("the lines listed count as shown", async () => {
    const { read, tagOf, edit, file } = await reader({ "a.txt": CONFLICT });
    await read("a.txt:conflicts");
    await edit(`¶a.txt#${await tagOf("a.txt:conflicts")}`, "replace 2..7:", "+both");
    expect(file("a.txt")).toBe("top\nboth\nbottom\n");
  });

  it("one that is not listed, that has no base, several at once, one with a selector", async () => {
    const { read, unread } = await reader({ "a.txt": CONFLICT, "b.txt": CONFLICT });
    expect(await unread("conflict://1")).toMatchObject({ code: "CONFLICT_NOT_FOUND" });
    await read("a.txt:conflicts");
    await read("b.txt:conflicts");
    expect(await unread("conflict://9")).toMatchObject({ code: "CONFLICT_NOT_FOUND" });
    expect(await unread("conflict://1/base")).toMatchObject({ code: "INVALID_INPUT" });
    expect((await unread("conflict://1,2")).text).toBe(
      "[INVALID_INPUT] read takes one conflict at a time. read FILE:conflicts shows those of a file.",
    );
    expect((await unread("conflict://1:2-3")).text).toBe(
      "[SELECTOR_INVALID] conflict://1 is shown whole, and takes no selector. Read a.txt:2-7 for its lines.",
    );
  });

  it("of a file that changed since are not shown as they were", async () => {
    const { read, unread, put } = await reader({ "a.txt": CONFLICT });
    await read("a.txt:conflicts");
    put("a.txt", `new\n${CONFLICT}`);
    expect((await unread("conflict://1")).text).toBe(
      "[FILE_CHANGED] a.txt has changed since conflict 1 was listed. Read a.txt:conflicts again.",
    );
  });
});
