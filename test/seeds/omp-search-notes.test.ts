/** seeds/omp-search.md, "Side Effects" and "Notes"; the tags as issue 3's "Snapshots and anchors" has them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { type Protocol, toolDefinitions, type ToolResult } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { touch } from "../support/tree.ts";
import { agent, headings, manyFiles, matchLines, tag } from "./agent.ts";

/** Takes longer to resolve than the pause between updates, so that the first file found is told. */
const slow: Protocol = {
  scheme: "slow",
  description: "slow",
  list: async () => [],
  resolve: async () => {
    await setTimeout(300);
    return { kind: "text", url: "slow://x", text: "nothing\n", immutable: true };
  },
};

describe("Side effects: while a call goes on", () => {
  it("tells how far it is, as a result of its own", async () => {
    const { search } = await agent(manyFiles(1, "hit\n"), { protocols: [slow] });
    const told: ToolResult[] = [];
    const { text } = await search(
      { pattern: "hit", paths: ["slow://x", "."] },
      { onUpdate: (update) => told.push(update) },
    );
    expect(told).toEqual([
      { content: [{ type: "text", text: "1 file with matches so far" }], details: { done: 1 } },
    ]);
    expect(matchLines(text)).toEqual([1]);
  });

  it("tells how much there is, where everything was named", async () => {
    const { search } = await agent({ "a.txt": "hit\n" }, { protocols: [slow] });
    const told: ToolResult[] = [];
    await search({ pattern: "hit", paths: ["slow://x", "a.txt"] }, { onUpdate: (one) => told.push(one) });
    expect(told).toEqual([
      { content: [{ type: "text", text: "0 of 2 texts searched" }], details: { done: 0, total: 2 } },
    ]);
  });

  it("tells how many members there are, in one archive", async () => {
    const members = ["a.txt", "b.txt", "c.md"].map((name) => ({ name, data: "hit\n" }));
    const { search } = await agent({ "a.zip": zip(members) });
    const told: unknown[] = [];
    const onUpdate = ({ details }: ToolResult): void => void told.push(details);
    // A clock on which every look is late enough for an update.
    const now = performance.now.bind(performance);
    const later = vi
      .spyOn(performance, "now")
      .mockImplementation(() => now() + 300 * later.mock.calls.length);
    await search({ pattern: "hit", paths: ["a.zip:*.txt"] }, { onUpdate });
    later.mockRestore();
    expect(told).toContainEqual({ done: 1, total: 2 });
  });

  it("shows a file that changes between the scan and the print as it is now, under the tag of that", async () => {
    const { root, search } = await agent({ "a.txt": "one\nhit old\n" }, { protocols: [slow] });
    const now = "new\nfirst\nline\nhit new\n";
    const { text } = await search(
      { pattern: "hit", paths: ["slow://x", "."] },
      { onUpdate: () => writeFileSync(join(root, "a.txt"), now) },
    );
    expect(text).toBe(`# a.txt#${tag(now)}\n 3:line\n*4:hit new`);
  });

  it("finds what a change put before a match that stayed where it was", async () => {
    const { root, search } = await agent({ "a.txt": "one\nhit old\n" }, { protocols: [slow] });
    const now = "hit new\nhit old\n";
    const { text } = await search(
      { pattern: "hit", paths: ["slow://x", "."] },
      { onUpdate: () => writeFileSync(join(root, "a.txt"), now) },
    );
    expect(text).toBe(`# a.txt#${tag(now)}\n*1:hit new\n*2:hit old`);
  });

  it("leaves out a file that no longer matches when it is printed", async () => {
    const { root, search } = await agent({ "a.txt": "hit\n" }, { protocols: [slow] });
    const { text, details } = await search(
      { pattern: "hit", paths: ["slow://x", "."] },
      { onUpdate: () => writeFileSync(join(root, "a.txt"), "gone\n") },
    );
    expect(text).toBe("No matches found");
    expect(details).toMatchObject({ totalFiles: 0, files: [] });
  });
});

describe("Notes: the pattern", () => {
  it("is told to be Rust's, once for all sources", () => {
    const [search] = toolDefinitions();
    expect(search?.name).toBe("search");
    expect(search?.inputSchema.properties).toMatchObject({ pattern: { description: "Rust regex" } });
    expect(search?.inputSchema).toMatchObject({ required: ["pattern"], additionalProperties: false });
    expect(JSON.stringify(search)).not.toContain("JavaScript");
  });

  it("with braces that repeat nothing is searched as text, and says how it was read", async () => {
    const { text } = await agent({ "a.txt": "${platform}\nplatform\n" });
    const answer = await text({ pattern: "${platform}", context: 0 });
    expect(matchLines(answer)).toEqual([1]);
    expect(answer).toContain("it was read as: \\$\\{platform\\}]");
  });

  it("with braces that repeat is not touched", async () => {
    const { text } = await agent({ "a.txt": "a\naa\naaaa\na{2,4}\n" });
    const answer = await text({ pattern: "^a{2,4}$", context: 0 });
    expect(matchLines(answer)).toEqual([2, 3]);
    expect(answer).not.toContain("read as");
  });

  it("with a parenthesis that is not closed or not opened is searched as text, and says so", async () => {
    const { text } = await agent({ "a.txt": "call(\nend)\ncall\n" });
    const open = await text({ pattern: "call(", context: 0 });
    expect(matchLines(open)).toEqual([1]);
    expect(open).toContain("it was read as: call\\(]");
    expect(matchLines(await text({ pattern: "end)", context: 0 }))).toEqual([2]);
  });

  it("with parentheses that do group is left alone", async () => {
    const { text } = await agent({ "a.txt": "ab\n(ab)\n" });
    expect(matchLines(await text({ pattern: "^(ab)$", context: 0 }))).toEqual([1]);
  });

  it("keeps an inline flag when its parentheses are put right (deviation)", async () => {
    const { text } = await agent({ "a.txt": "CALL(\n" });
    expect(matchLines(await text({ pattern: "(?i)call(", context: 0 }))).toEqual([1]);
  });
});

describe("Notes: where", () => {
  it("a URL is a URL before anything on the disk is asked", async () => {
    const { text } = await agent({ "docs:/deviations.md": "hit\n" });
    expect(headings(await text({ pattern: "^# Where we differ", paths: "docs://deviations.md" }))).toEqual([
      "docs://deviations.md",
    ]);
  });

  it("hidden files are always searched, and no field says otherwise", async () => {
    const { search } = await agent({ ".env": "hit\n", ".config/a.txt": "hit\n" });
    expect((await search({ pattern: "hit" })).details.files).toEqual([".config/a.txt", ".env"]);
    expect(toolDefinitions()[0]?.inputSchema.properties).not.toHaveProperty("hidden");
  });

  it("gitignore: false changes the walk alone: paths are read and refused as ever", async () => {
    const { text, error } = await agent({ "a.txt": "hit\n" });
    const gitignore = false;
    expect(headings(await text({ pattern: "hit", paths: ' "a.txt" ', gitignore }))).toEqual(["a.txt"]);
    expect((await error({ pattern: "hit", paths: "", gitignore })).code).toBe("INVALID_INPUT");
    expect((await error({ pattern: "hit", paths: "/etc/hostname", gitignore })).code).toBe("PATH_OUTSIDE");
  });

  it("gitignore: false brings no version control folders back", async () => {
    const { search } = await agent({ ".git/config": "hit\n", "a.txt": "hit\n" });
    expect((await search({ pattern: "hit", gitignore: false })).details.files).toEqual(["a.txt"]);
  });
});

describe("Notes: tags", () => {
  const tagsOf = (text: string) => [...text.matchAll(/#([^#\s]+)$/gm)].map(([, found]) => found);

  it("are four upper-case hex digits, the first of the content's hash", async () => {
    const { text } = await agent(manyFiles(5, "hit\n"), {});
    const tags = tagsOf(await text({ pattern: "hit" }));
    expect(tags).toEqual(Array(5).fill(tag("hit\n")));
    expect(tag("hit\n")).toMatch(/^[0-9A-F]{4}$/);
  });

  it("are the same for the same content, however and how often it is searched", async () => {
    const { text } = await agent({ "a.txt": "hit\n" });
    const own = tag("hit\n");
    for (const paths of [".", "a.txt", "*.txt", "a.txt:1-1"]) {
      expect(tagsOf(await text({ pattern: "hit", paths }))).toEqual([own]);
    }
  });

  it("change with the content, and come back with it", async () => {
    const { root, text } = await agent({ "a.txt": "hit one\n" });
    const write = (content: string) => writeFileSync(join(root, "a.txt"), content);
    const now = async () => tagsOf(await text({ pattern: "hit" }));
    expect(await now()).toEqual([tag("hit one\n")]);
    write("hit two\n");
    expect(await now()).toEqual([tag("hit two\n")]);
    write("hit one\n");
    expect(await now()).toEqual([tag("hit one\n")]);
  });

  it("and rows are of the file as it is, also when its size and time are the old ones", async () => {
    const { root, text } = await agent({ "a.txt": "hit one\n" });
    touch(root, "a.txt", 1_000_000_000);
    for (const paths of ["a.txt", "."]) {
      writeFileSync(join(root, "a.txt"), "hit one\n");
      touch(root, "a.txt", 1_000_000_000);
      expect(await text({ pattern: "hit", paths })).toContain(`#${tag("hit one\n")}\n*1:hit one`);
      writeFileSync(join(root, "a.txt"), "hit two\n");
      touch(root, "a.txt", 1_000_000_000);
      expect(await text({ pattern: "hit", paths })).toContain(`#${tag("hit two\n")}\n*1:hit two`);
    }
  });

  it("move on when two contents of one file would share one, and stay where they were", async () => {
    const [first, second] = sameTag();
    const { root, text } = await agent({ "a.txt": first });
    const write = (content: string) => writeFileSync(join(root, "a.txt"), content);
    const own = tag(first);
    const next = ((Number.parseInt(own, 16) + 1) % 0x10000).toString(16).toUpperCase().padStart(4, "0");
    expect(tagsOf(await text({ pattern: "hit" }))).toEqual([own]);
    write(second);
    expect(tagsOf(await text({ pattern: "hit" }))).toEqual([next]);
    write(first);
    expect(tagsOf(await text({ pattern: "hit" }))).toEqual([own]);
  });

  it("of one file have nothing to do with those of another", async () => {
    const [first, second] = sameTag();
    const { text } = await agent({ "a.txt": first, "b.txt": second });
    expect(tagsOf(await text({ pattern: "hit" }))).toEqual([tag(first), tag(first)]);
  });
});

/** Two contents whose hashes begin alike. */
function sameTag(): [string, string] {
  const seen = new Map<string, string>();
  for (let at = 0; ; at += 1) {
    const content = `hit ${at}\n`;
    const other = seen.get(tag(content));
    if (other !== undefined) return [other, content];
    seen.set(tag(content), content);
  }
}

/*
 * Without a test, because they are about how oh-my-pi is made and not about what an agent sees: "Source" (its
 * files); that archive members are put into scratch files; `hidden`, `cache`, `maxColumns` as arguments of its native
 * grep; that several explicit paths become one brace glob; which loop merges results; its directory-scan cache, which
 * it never uses; that each exact file has a cap of 2,000 of its own before grouping (a file shows 200 at most);
 * the names of its settings.
 */
