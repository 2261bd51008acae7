import { describe, expect, it } from "vitest";
import { find, search, type SearchRequest, type SearchSummary } from "../../src/quarry.ts";
import { children, eventually } from "../support/processes.ts";
import { touch, tree } from "../support/tree.ts";

const lines = (count: number): string => "needle\n".repeat(count);

/** Files a to e with 1 to 5 matches, the oldest last but for a tie. */
function five(): string {
  const root = tree({ a: lines(1), b: lines(2), c: lines(3), d: lines(4), e: lines(5) });
  for (const [at, name] of ["c", "a", "e", "b", "d"].entries())
    touch(root, name, 1_000_000 - Math.min(at, 3));
  return root;
}

async function ask(
  root: string,
  request: Partial<SearchRequest> = {},
): Promise<{ paths: string; summary: SearchSummary }> {
  const { hits, summary } = await search({ root, pattern: "needle", ...request }).collect();
  return { paths: hits.map(({ path }) => path).join(""), summary };
}

describe("the order of an answer", () => {
  it("is by path, by time with the path to break ties, or as found", async () => {
    const root = five();
    expect((await ask(root, { mode: "files" })).paths).toBe("abcde");
    expect((await ask(root, { mode: "files", order: "mtime" })).paths).toBe("caebd");
    const found = await ask(root, { mode: "files", order: "none" });
    expect(found.paths.split("").sort().join("")).toBe("abcde");
  });
});

describe("a page", () => {
  it("skips files and shows so many, and says whether there is more", async () => {
    const root = five();
    expect(await ask(root, { skipFiles: 1, maxFiles: 2 })).toMatchObject({
      paths: "bbccc",
      summary: { files: 2, matches: 5, more: true, partial: false, totalFiles: 5, totalLines: 15 },
    });
    expect(await ask(root, { skipFiles: 3, maxFiles: 2 })).toMatchObject({
      paths: "ddddeeeee",
      summary: { more: false },
    });
    expect(await ask(root, { skipFiles: 9 })).toMatchObject({
      paths: "",
      summary: { files: 0, more: false, totalFiles: 5 },
    });
    expect(await ask(root, { mode: "files", maxFiles: 2, order: "mtime" })).toMatchObject({
      paths: "ca",
      summary: { more: true },
    });
  });

  it("shows so many matches in all, and of each file", async () => {
    const root = five();
    expect(await ask(root, { maxMatches: 4 })).toMatchObject({
      paths: "abbc",
      summary: { matches: 4, more: true },
    });
    expect(await ask(root, { maxMatches: 15 })).toMatchObject({ summary: { matches: 15, more: false } });
    expect(await ask(root, { maxPerFile: 2 })).toMatchObject({
      paths: "abbccddee",
      summary: { matches: 9, more: true, totalFiles: 5, totalLines: null },
    });
    expect(await ask(root, { maxPerFile: 5 })).toMatchObject({ summary: { more: false, totalLines: 15 } });
  });

  it("counts lines, and names files", async () => {
    const root = five();
    const { hits, summary } = await search({ root, pattern: "needle", mode: "count", maxFiles: 2 }).collect();
    expect(hits).toEqual([
      { path: "a", count: 1 },
      { path: "b", count: 2 },
    ]);
    expect(summary).toMatchObject({ files: 2, matches: 3, more: true, totalFiles: 5, totalLines: 15 });
    expect(await ask(root, { mode: "files" })).toMatchObject({
      summary: { files: 5, totalFiles: 5, totalLines: null },
    });
  });
});

describe("a summary", () => {
  it("says what was looked at", async () => {
    const root = tree({ a: lines(2), b: "nothing\n", c: "" });
    expect((await ask(root)).summary).toMatchObject({
      files: 1,
      matches: 2,
      totalFiles: 1,
      totalLines: 2,
      searched: 3,
      considered: 3,
      engine: "ripgrep",
      partial: false,
      more: false,
      skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
      notices: [],
    });
  });

  it("of a search without a match is complete", async () => {
    expect((await ask(tree({ a: "x" }))).summary).toMatchObject({
      files: 0,
      totalFiles: 0,
      totalLines: 0,
      partial: false,
    });
    expect((await ask(tree())).summary).toMatchObject({ searched: 0, considered: 0 });
  });

  it("carries what was done to the pattern", async () => {
    const { summary } = await ask(tree({ a: "${needle}\n" }), { pattern: "${needle}" });
    expect([summary.files, summary.notices.map(({ code }) => code)]).toEqual([1, ["PATTERN_REPAIRED"]]);
  });
});

describe("an answer", () => {
  /** More than the kernel's pipe holds, so that a scan cannot end before it is read. */
  const large = (): string =>
    tree(
      Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [`f${at}`, `${"needle ".repeat(500)}\n`.repeat(200)]),
      ),
    );

  it("does nothing before it is iterated", () => {
    expect(() => search({ root: "/nowhere", pattern: "(" })).not.toThrow();
    expect(children()).toEqual([]);
  });

  it("can be iterated once", async () => {
    const answer = search({ root: five(), pattern: "needle" });
    await answer.collect();
    await expect(answer.collect()).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(() => answer[Symbol.asyncIterator]()).toThrow(/once/);
  });

  it("that is left early ends its process and settles its summary", async () => {
    const root = large();
    for (const order of ["none", "path"] as const) {
      const answer = search({ root, pattern: "needle", order });
      for await (const hit of answer) {
        expect(hit.line).toBe(1);
        break;
      }
      const summary = await answer.summary;
      expect(summary).toMatchObject({ files: 1, matches: 1 });
      expect(await eventually(() => children().length === 0, 1000)).toBe(true);
    }
    const unfinished = search({ root, pattern: "needle", order: "none", maxFiles: 1 });
    const { summary } = await unfinished.collect();
    expect(summary).toMatchObject({ files: 1, more: true, totalFiles: null, searched: null });
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
  });

  it("streams as found before the scan is over", async () => {
    const answer = search({ root: large(), pattern: "needle", order: "none" });
    for await (const hit of answer) {
      expect(hit.text).toContain("needle");
      expect(children()).toHaveLength(1);
      break;
    }
  });

  it("whose time is up is what was found by then, and says so", async () => {
    const { summary } = await ask(large(), { timeoutMs: 1 });
    expect(summary).toMatchObject({ partial: true, totalFiles: null, notices: [{ code: "TIMED_OUT" }] });
    expect(await eventually(() => children().length === 0, 1000)).toBe(true);
  });

  it("rejects with its error from the iteration and from the summary alike", async () => {
    const answer = search({ root: tree(), pattern: "needle", paths: "missing" });
    await expect(answer.collect()).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
    await expect(answer.summary).rejects.toMatchObject({ code: "PATH_NOT_FOUND" });
  });
});

describe("an abort", () => {
  const reason = new Error("the user went away");
  const rejected = { name: "ToolError", code: "ABORTED", cause: reason };

  it("before the call rejects", async () => {
    const signal = AbortSignal.abort(reason);
    await expect(search({ root: five(), pattern: "needle", signal }).collect()).rejects.toMatchObject(
      rejected,
    );
    await expect(find({ root: five(), signal }).collect()).rejects.toMatchObject(rejected);
  });

  it("right after the call rejects", async () => {
    const abort = new AbortController();
    const answers = [
      search({ root: five(), pattern: "needle", signal: abort.signal }).collect(),
      find({ root: five(), signal: abort.signal }).collect(),
    ];
    abort.abort(reason);
    const outcomes = await Promise.allSettled(answers);
    expect(outcomes).toMatchObject(answers.map(() => ({ status: "rejected", reason: rejected })));
  });

  it.each(["none", "path", "mtime"] as const)(
    "while an answer by %s is read rejects, also when the scan is over",
    async (order) => {
      const root = five();
      for (const seen of [1, 7, 15]) {
        const abort = new AbortController();
        const answer = search({ root, pattern: "needle", order, signal: abort.signal });
        const read = async (): Promise<number> => {
          let at = 0;
          for await (const hit of answer) {
            expect(hit.text).toBe("needle");
            if (++at === seen) {
              // The process has long ended by then.
              await eventually(() => children().length === 0, 1000);
              abort.abort(reason);
            }
          }
          return at;
        };
        await expect(read()).rejects.toMatchObject(rejected);
        await expect(answer.summary).rejects.toMatchObject(rejected);
      }
    },
  );

  it("after the answer is complete changes nothing", async () => {
    const abort = new AbortController();
    const { hits } = await search({ root: five(), pattern: "needle", signal: abort.signal }).collect();
    abort.abort(reason);
    expect(hits).toHaveLength(15);
  });

  it("leaves no listener on the signal", async () => {
    const abort = new AbortController();
    const root = five();
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", listen);
    for (let at = 0; at < 15; at++) await search({ root, pattern: "needle", signal: abort.signal }).collect();
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off("warning", listen);
    expect(warnings).toEqual([]);
  });
});
