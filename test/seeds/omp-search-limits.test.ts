/** seeds/omp-search.md, "Limits & Caps" and steps 13 and 14 of "Flow", with what issue 3 says of pages. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Protocol, ToolError } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { type Files, tree } from "../support/tree.ts";
import { agent, headings, lines, manyFiles, matchLines, tag } from "./agent.ts";

const NEXT = /Use skip=(\d+) for the next page/;

/** The call that a capped file names. */
function restOf(text: string): string {
  const [, paths = ""] = /^\[More matches: paths (.*)\]$/m.exec(text) ?? [];
  return paths;
}

describe("Files on a page", () => {
  it("are 20, and the text says how to get the next", async () => {
    const { text } = await agent(manyFiles(45, "hit\n"));
    const first = await text({ pattern: "hit" });
    expect(headings(first)).toHaveLength(20);
    expect(first).toMatch(/\n\n\[Files 1-20 of 45\. Use skip=20 for the next page\]$/);
    const second = await text({ pattern: "hit", skip: 20 });
    expect(headings(second)[0]).toBe("f021.txt");
    expect(second).toMatch(/\n\n\[Files 21-40 of 45\. Use skip=40 for the next page\]$/);
  });

  it("say nothing of a next page when nothing remains", async () => {
    const { text } = await agent(manyFiles(20, "hit\n"));
    const answer = await text({ pattern: "hit" });
    expect(headings(answer)).toHaveLength(20);
    expect(answer).toMatch(/\n\*1:hit$/);
  });

  it("together are every matching file once, in order", async () => {
    const { text } = await agent(manyFiles(47, "hit\n"));
    const seen: string[] = [];
    for (let skip: number | undefined = 0; skip !== undefined; ) {
      const page = await text({ pattern: "hit", skip });
      seen.push(...headings(page));
      const next = NEXT.exec(page)?.[1];
      skip = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(Object.keys(manyFiles(47, "")));
  });

  it("are counted in archives and over several sources too", async () => {
    const members = Object.keys(manyFiles(21, "")).map((name) => ({ name, data: "hit\n" }));
    const { text } = await agent({ "l.zip": zip(members), "a.txt": "hit\n" });
    const first = await text({ pattern: "hit", paths: "l.zip" });
    expect(headings(first)).toHaveLength(20);
    expect(first).toContain("[Files 1-20 of 21. Use skip=20 for the next page]");
    const rest = await text({ pattern: "hit", paths: ["l.zip", "a.txt"], skip: 20 });
    expect(headings(rest)).toEqual(["l.zip:f021.txt", "a.txt"]);
  });
});

describe("Matches of a file", () => {
  it("are 20 where the scope is more than one file, and the file names the call that shows the rest", async () => {
    const content = lines(25, "hit");
    const { text } = await agent({ "a.txt": content, "b.txt": "hit\n" });
    const answer = await text({ pattern: "hit" });
    const rows = Array.from({ length: 20 }, (_, at) => `*${at + 1}:hit ${at + 1}`).join("\n");
    expect(answer).toBe(
      `# a.txt#${tag(content)}\n${rows}\n[More matches: paths a.txt:21-]\n\n` +
        `# b.txt#${tag("hit\n")}\n*1:hit`,
    );
    expect(matchLines(await text({ pattern: "hit", paths: restOf(answer) }))).toEqual([21, 22, 23, 24, 25]);
  });

  it("are 200 where the scope is one file, and the calls it names show all the rest", async () => {
    const { text } = await agent({ "a.txt": lines(450, "hit") });
    const seen: number[] = [];
    for (let paths = "a.txt"; paths !== ""; ) {
      const page = await text({ pattern: "hit", paths });
      expect(matchLines(page).length).toBeLessThanOrEqual(200);
      seen.push(...matchLines(page));
      paths = restOf(page);
    }
    expect(seen).toEqual(Array.from({ length: 450 }, (_, at) => at + 1));
  });

  it("say nothing of a rest when there is none", async () => {
    const { text } = await agent({ "a.txt": lines(20, "hit"), "b.txt": lines(200, "one") });
    expect(restOf(await text({ pattern: "hit" }))).toBe("");
    expect(restOf(await text({ pattern: "one", paths: "b.txt" }))).toBe("");
  });

  it("name a rest that stays within the lines that were asked for", async () => {
    const { text } = await agent({ "a.txt": lines(400, "hit") });
    const answer = await text({ pattern: "hit", paths: "a.txt:10-220,300-310" });
    expect(restOf(answer)).toBe("a.txt:210-220,300-310");
    expect(matchLines(await text({ pattern: "hit", paths: restOf(answer) }))).toHaveLength(22);
  });

  it("name a call that works for members, for URLs and for names in quotes", async () => {
    const content = lines(25, "hit");
    const mine: Protocol = {
      scheme: "mine",
      description: "mine",
      list: async () => ["mine://a"],
      resolve: async (path) => {
        if (path !== "a") throw new ToolError("PATH_NOT_FOUND", `There is no mine://${path}`);
        return { kind: "text", url: "mine://a", text: content, immutable: true };
      },
    };
    const { text } = await agent(
      { "two\nlines.txt": content, "l.zip": zip([{ name: "m.txt", data: content }]) },
      { protocols: [mine] },
    );
    const answer = await text({ pattern: "hit", paths: [".", "l.zip", "mine://a"] });
    const calls = [...answer.matchAll(/^\[More matches: paths (.*)\]$/gm)].map(([, paths = ""]) => paths);
    expect(calls).toEqual(['"two\\nlines.txt":21-', "l.zip:m.txt:21-", "mine://a:21-"]);
    for (const paths of calls) {
      expect(matchLines(await text({ pattern: "hit", paths, context: 0 }))).toEqual([21, 22, 23, 24, 25]);
    }
  });

  it("leave the first match that is not shown out of the context as well", async () => {
    const { text } = await agent({ "a.txt": `${lines(20, "hit")}row\nhit 21\n`, "b.txt": "" });
    expect(await text({ pattern: "hit" })).toMatch(/\n\*20:hit 20\n 21:row\n\[More matches: .*:22-\]$/);
  });

  it("count a match over several lines once, and do not cut through it", async () => {
    const { text } = await agent({ "a.txt": "one\ntwo\n\n".repeat(25), "b.txt": "" });
    const answer = await text({ pattern: "one\\ntwo", context: 0 });
    expect(matchLines(answer)).toHaveLength(40);
    expect(restOf(answer)).toBe("a.txt:61-");
    const rest = matchLines(await text({ pattern: "one\\ntwo", context: 0, paths: restOf(answer) }));
    expect(rest).toEqual([61, 62, 64, 65, 67, 68, 70, 71, 73, 74]);
  });
});

describe("Matches on a page", () => {
  it("are 2,000, shared out in turn so that no file takes the page", async () => {
    const files: Files = { ...manyFiles(149, lines(20, "h")), "g.txt": "h\nh\n" };
    const { search } = await agent(files);
    const { text, details } = await search({ pattern: "h", limit: 200, context: 0 });
    expect(details.matchCount).toBe(2000);
    const counts = details.fileMatches.map(({ count }) => count);
    // 149 files share 1,998: thirteen each, and one more to the first 61.
    expect(counts).toEqual([...Array(61).fill(14), ...Array(88).fill(13), 2]);
    expect(text).toContain("[More matches: paths f001.txt:15-]");
    expect(text).toContain("[More matches: paths f149.txt:14-]");
    expect(details.perFileLimitReached).toBe(true);
    expect(details.nextSkip).toBeNull();
  });
});

describe("Characters of a line", () => {
  it("are 512 around the match, with … where something is left out", async () => {
    const line = `${"a".repeat(1000)}HIT${"b".repeat(1000)}`;
    const { text } = await agent({ "a.txt": `${line}\n` });
    const [, row = ""] = (await text({ pattern: "HIT", paths: "a.txt" })).split("\n");
    expect(row).toMatch(/^\*1:…a{254}HITb{255}…$/);
  });

  it("are the first 512 where the match lies there, and the last where it lies at the end", async () => {
    const { text } = await agent({
      "a.txt": `HIT${"b".repeat(1000)}\n`,
      "b.txt": `${"a".repeat(1000)}HIT\n`,
    });
    expect(await text({ pattern: "HIT", paths: "a.txt" })).toMatch(/\n\*1:HITb{509}…$/);
    expect(await text({ pattern: "HIT", paths: "b.txt" })).toMatch(/\n\*1:…a{509}HIT$/);
  });

  it("leave a line of 512 alone", async () => {
    const { search } = await agent({ "a.txt": `HIT${"b".repeat(509)}\n` });
    const { text, details } = await search({ pattern: "HIT" });
    expect(text).toMatch(/\n\*1:HITb{509}$/);
    expect(details.linesTruncated).toBe(false);
  });

  it("are never cut through a character", async () => {
    const { text } = await agent({ "a.txt": `${"😀".repeat(600)}HIT${"😀".repeat(600)}\n` });
    const [, row = ""] = (await text({ pattern: "HIT", paths: "a.txt" })).split("\n");
    expect(row).toMatch(/^\*1:…(?:😀)+HIT(?:😀)+…$/u);
  });

  it("shorten context too", async () => {
    const { text } = await agent({ "a.txt": `${"a".repeat(1000)}\nhit\n` });
    expect(await text({ pattern: "hit", paths: "a.txt" })).toMatch(/\n 1:a{512}…\n\*2:hit$/);
  });
});

describe("Bytes of the text", () => {
  const wide = `${"x".repeat(199)}hit\n`.repeat(20);

  it("are 50 KiB: the page ends with the last file that fits, and skip counts the files printed", async () => {
    const { search } = await agent(manyFiles(25, wide));
    const { text, details } = await search({ pattern: "hit" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    const shown = headings(text);
    expect(shown.length).toBeLessThan(20);
    expect(matchLines(text)).toHaveLength(20 * shown.length);
    expect(text.split("\n\n").at(-1)).toBe(
      `[Cut to fit: the whole page is artifact://1]\n` +
        `[Files 1-${shown.length} of 25. Use skip=${shown.length} for the next page]`,
    );
    expect(details).toMatchObject({
      truncated: true,
      fileCount: shown.length,
      files: shown,
      matchCount: 20 * shown.length,
      nextSkip: shown.length,
      fileLimitReached: true,
    });
    const next = await search({ pattern: "hit", skip: shown.length });
    expect(next.details.files[0]).toBe(Object.keys(manyFiles(25, ""))[shown.length]);
  });

  it("together with the pages after it show every file once", async () => {
    const { search } = await agent(manyFiles(25, wide));
    const seen: string[] = [];
    for (let skip: number | null = 0; skip !== null; ) {
      const { details }: Awaited<ReturnType<typeof search>> = await search({ pattern: "hit", skip });
      seen.push(...details.files);
      skip = details.nextSkip;
    }
    expect(seen).toEqual(Object.keys(manyFiles(25, "")));
  });

  it("cut within the one file of a scope, which names the call that shows its rest", async () => {
    const { search } = await agent({ "a.txt": `${"x".repeat(399)}hit\n`.repeat(250) });
    const seen: number[] = [];
    for (let paths = "a.txt"; paths !== ""; ) {
      const { text } = await search({ pattern: "hit", paths, context: 0 });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      expect(text).not.toMatch(NEXT);
      seen.push(...matchLines(text));
      paths = restOf(text);
    }
    expect(seen).toEqual(Array.from({ length: 250 }, (_, at) => at + 1));
  });

  it("cut within the first file of several when not even that fits, and the next page is the next file", async () => {
    const around = `${"é".repeat(512)}\n`.repeat(6);
    const { search } = await agent({ "a.txt": `${around}hit\n${around}`.repeat(20), "b.txt": "hit\n" });
    const { text, details } = await search({ pattern: "hit", context: 6 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(details).toMatchObject({ files: ["a.txt"], truncated: true, nextSkip: 1 });
    expect(text.split("\n\n").at(-1)).toBe(
      "[Cut to fit: the whole page is artifact://1]\n[File 1 of 2. Use skip=1 for the next page]",
    );
    const seen = matchLines(text);
    const rest = matchLines((await search({ pattern: "hit", context: 0, paths: restOf(text) })).text);
    expect([...seen, ...rest]).toEqual(Array.from({ length: 20 }, (_, at) => 13 * at + 7));
    expect((await search({ pattern: "hit", skip: 1 })).details.files).toEqual(["b.txt"]);
  });

  it("never name the very call that was made as the one that shows the rest", async () => {
    const { text } = await agent({ "a.txt": `start\n${`${"x".repeat(99)}\n`.repeat(1000)}end\n` });
    const paths = "a.txt:1-";
    const answer = await text({ pattern: "(?s)start.*end", multiline: true, paths });
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(50 * 1024);
    expect(restOf(answer)).not.toBe(paths);
  });

  it("count as they are sent: a character may have several", async () => {
    const { text } = await agent(manyFiles(20, `${"é".repeat(199)}hit\n`.repeat(20)));
    const answer = await text({ pattern: "hit" });
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(50 * 1024);
    expect(answer).toMatch(NEXT);
  });

  it("cut the lists of the other modes too, and keep the pages whole", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 220 }, (_, at) => [
        `${"d".repeat(200)}/${"e".repeat(120)}${at + 100}.txt`,
        "hit\n",
      ]),
    );
    const { search } = await agent(files);
    const first = await search({ pattern: "hit", mode: "files", limit: 200 });
    expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(50 * 1024);
    expect(first.details.truncated).toBe(true);
    const next = await search({
      pattern: "hit",
      mode: "files",
      limit: 200,
      skip: first.details.nextSkip ?? -1,
    });
    expect([...first.details.files, ...next.details.files]).toEqual(Object.keys(files));
  });
});

describe("Context", () => {
  it("is one line before and three after", async () => {
    const { text } = await agent({ "a.txt": `${lines(5, "a")}hit\n${lines(5, "b")}` });
    expect(await text({ pattern: "hit" })).toMatch(/^# .*\n 5:a 5\n\*6:hit\n 7:b 1\n 8:b 2\n 9:b 3$/);
  });

  it("is what the settings of the workspace say", async () => {
    const { text } = await agent(
      { "a.txt": `${lines(5, "a")}hit\n${lines(5, "b")}` },
      { settings: { contextBefore: 2, contextAfter: 0 } },
    );
    expect(await text({ pattern: "hit" })).toMatch(/^# .*\n 4:a 4\n 5:a 5\n\*6:hit$/);
  });
});

describe("Text that was cut (omp-notes: output that is cut is kept)", () => {
  const wide = `${"x".repeat(199)}hit\n`.repeat(20);

  it("is kept whole, the answer says where, and search goes on inside it", async () => {
    const { search } = await agent(manyFiles(20, wide));
    const { text, details } = await search({ pattern: "hit" });
    expect(text).toContain("the whole page is artifact://1]");
    expect(details.meta.truncation?.artifactId).toBe("1");
    const inside = await search({ pattern: "^# f020", paths: "artifact://1", context: 0 });
    expect(inside.text).toBe(`¶artifact://1\n*419|# f020.txt#${tag(wide)}`);
  });

  it("is searched in part like any file, and as one of all artifacts", async () => {
    const { search, text } = await agent(manyFiles(20, wide));
    await search({ pattern: "hit" });
    await search({ pattern: "x" });
    expect(await text({ pattern: "^# f020", paths: "artifact://1:1-100" })).toBe("No matches found");
    expect(headings(await text({ pattern: "^# f020", paths: "artifact://" }))).toEqual([
      "artifact://1",
      "artifact://2",
    ]);
  });

  it("is told in the metadata: what cut it, how much there is, how much is shown, and where", async () => {
    const { root } = await agent(manyFiles(20, wide));
    const cache = tree();
    const { search } = await agent({}, { root, env: { QUARRY_CACHE_DIR: cache } });
    const { text, details } = await search({ pattern: "hit" });
    const [id = ""] = readdirSync(join(cache, "sessions/unnamed"));
    const whole = readFileSync(join(cache, "sessions/unnamed", id, "artifacts/1.txt"), "utf8");
    expect(details.meta.truncation).toMatchObject({
      direction: "head",
      truncatedBy: "bytes",
      totalLines: whole.split("\n").length,
      totalBytes: Buffer.byteLength(whole),
      artifactId: "1",
    });
    // What is shown of the whole is its beginning: the answer without the notes that close it.
    const shown = text.slice(0, text.indexOf("\n\n[Cut to fit"));
    expect(whole.startsWith(shown)).toBe(true);
    expect(details.meta.truncation).toMatchObject({
      shownLines: shown.split("\n").length,
      shownBytes: Buffer.byteLength(shown),
      shownRange: { first: 1, last: shown.split("\n").length },
    });
  });

  it("lies in a file for its owner alone, outside what is allowed, and goes with the session", async () => {
    const { root } = await agent(manyFiles(20, wide));
    const cache = tree();
    const { search, workspace } = await agent({}, { root, env: { QUARRY_CACHE_DIR: cache } });
    await search({ pattern: "hit" });
    const [id = ""] = readdirSync(join(cache, "sessions/unnamed"));
    const file = join(cache, "sessions/unnamed", id, "artifacts/1.txt");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await workspace.close();
    expect(readdirSync(join(cache, "sessions/unnamed"))).toEqual([]);
  });

  it("fails no call when it cannot be kept: the cut answer says so", async () => {
    const { root } = await agent(manyFiles(20, wide));
    const file = join(tree({ "no-folder": "" }), "no-folder");
    const { search } = await agent({}, { root, env: { QUARRY_CACHE_DIR: file } });
    const { text, details } = await search({ pattern: "hit" });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
    expect(text).toMatch(/\n\[Cut to fit: the whole page could not be kept \(.*EEXIST.*\)\]\n/);
    expect(text).toMatch(NEXT);
    expect(details.truncated).toBe(true);
    expect(details.meta.truncation?.artifactId).toBeNull();
  });

  it("is shared with a child workspace, as is the scratch folder", async () => {
    const parent = await agent(manyFiles(20, wide));
    await parent.search({ pattern: "hit" });
    const child = await agent({ "a.txt": "a\n" }, { parent: parent.workspace });
    expect(matchLines(await child.text({ pattern: "^# f020", paths: "artifact://1", context: 0 }))).toEqual([
      419,
    ]);
  });

  it("is not kept when nothing was cut", async () => {
    const cache = tree();
    const { search } = await agent({ "a.txt": "hit\n" }, { env: { QUARRY_CACHE_DIR: cache } });
    const { details } = await search({ pattern: "hit" });
    expect(details).toMatchObject({ truncated: false, meta: {} });
    expect(readdirSync(cache)).toEqual([]);
  });
});
