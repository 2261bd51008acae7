import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { explainAbsence, search } from "../../src/quarry.ts";
import { link, tree } from "../support/tree.ts";

/** What an answer says of itself is so: nothing lost in silence, nothing claimed that was not done. */

describe("a slow reader", () => {
  it.each(["path", "none"] as const)("loses nothing to the time limit, in order %s", async (order) => {
    const line = `needle ${"x".repeat(200)}\n`;
    // More than may be held unread, so that ripgrep has to wait for us, or its records are let go.
    const root = tree(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}`, line.repeat(8_000)])),
    );
    const answer = search({ root, pattern: "needle", order, timeoutMs: 3_000 });
    let matches = 0;
    let wrong = 0;
    // Nothing slow in between: only the one pause may take longer than the limit.
    for await (const match of answer) {
      if (matches++ === 0) await sleep(3_500);
      if (match.line <= 0) wrong += 1;
    }
    expect([matches, wrong]).toEqual([12 * 8_000, 0]);
    expect(await answer.summary).toMatchObject({ partial: false, files: 12, matches: 12 * 8_000 });
  });
});

describe("a summary", () => {
  it("comes also when nobody iterates", async () => {
    const root = tree({ a: "needle\n", b: "needle\n" });
    expect(await search({ root, pattern: "needle" }).summary).toMatchObject({ files: 2, matches: 2 });
    await expect(search({ root, pattern: "" }).summary).rejects.toMatchObject({ code: "INVALID_PATTERN" });
  });

  it("counts as searched only what was asked for, or says that it does not know", async () => {
    const root = tree({ "src/a.ts": "one\n", "lib/b.ts": "one\n", "c.md": "one\n" });
    const searched = async (request: object): Promise<number | null> =>
      (await search({ root, pattern: "absent", ...request }).collect()).summary.searched;
    expect(await searched({})).toBe(3);
    expect(await searched({ include: "*.ts" })).toBe(2);
    expect(await searched({ paths: "*.md" })).toBe(1);
    expect(await searched({ include: "src/**" })).toBe(null);
  });

  it("counts no fault outside of what was asked for", async () => {
    const root = tree({ "src/a": "needle\n", "src/gone": link("nowhere"), "other/gone": link("nowhere") });
    const { summary } = await search({ root, pattern: "needle", follow: true, include: "src/**" }).collect();
    expect(summary.skipped.unreadable).toBe(1);
    expect(summary.notices).toMatchObject([{ code: "UNREADABLE", path: "src/gone" }]);
  });

  it("is partial where the search of a file failed", async () => {
    const root = tree({ f: `${"a".repeat(40)}b\n` });
    const { hits, summary } = await search({ root, pattern: "^(?=(a+)+$)a" }).collect();
    expect(hits).toEqual([]);
    expect(summary).toMatchObject({ partial: true, skipped: { unreadable: 1, denied: 0 } });
    expect(summary.notices).toContainEqual(expect.objectContaining({ code: "UNREADABLE", path: "f" }));
  });

  it("names a glob that can match no base name", async () => {
    const root = tree({ "src/a.ts": "needle\n" });
    const { summary } = await search({
      root,
      pattern: "needle",
      exclude: "src/*.ts",
      globsMatchNames: true,
    }).collect();
    expect(summary.notices).toMatchObject([{ code: "GLOB_IDLE" }]);
  });

  it("has the same files in every mode, also with a NUL byte that ripgrep would not come to", async () => {
    const root = tree({ late: `needle\n${"x".repeat(100_000)}\n\0\n`, text: "needle\n" });
    for (const mode of ["content", "files", "count"] as const) {
      const { hits, summary } = await search({ root, pattern: "needle", mode, maxPerFile: 1 }).collect();
      expect(hits.map(({ path }) => path)).toEqual(["text"]);
      expect(summary.skipped.binary).toBe(1);
    }
  });
});

describe("a line of context", () => {
  it("that is not UTF-8 is flagged", async () => {
    const root = tree({ f: Buffer.from("caf\xe9\nneedle\nplain\n", "latin1") });
    const { hits } = await search({ root, pattern: "needle", before: 1, after: 1 }).collect();
    expect(hits).toMatchObject([
      { before: [{ line: 1, text: "caf\ufffd", invalidUtf8: true }], after: [{ line: 3, text: "plain" }] },
    ]);
    expect(hits[0]?.after[0]).not.toHaveProperty("invalidUtf8");
  });
});

describe("a path with ..", () => {
  it("behind a link leads where it leads every program", async () => {
    const root = tree({
      "real/sub/x": "",
      "real/t": "behind the link\n",
      "w/t": "beside the link\n",
      "w/ln": link("../real/sub"),
    });
    const { hits } = await search({ root: join(root, "w"), pattern: "link", paths: "ln/../t" }).collect();
    expect(hits).toMatchObject([{ path: join(root, "real/t"), text: "behind the link" }]);
    const plain = await search({ root: join(root, "w"), pattern: "link", paths: "../w/t" }).collect();
    expect(plain.hits).toMatchObject([{ path: "t" }]);
  });
});

describe("absence", () => {
  it("is told from exclusion, with the rule and its file", async () => {
    const root = tree({ ".ignore": "out\n", "out/a.js": "needle\n", "b.js": "hay\n" });
    expect(await explainAbsence({ root, pattern: "needle" })).toMatchObject([
      { code: "EXCLUDED", message: expect.stringContaining('out/a.js (left out by "out" in .ignore)') },
    ]);
    expect(await explainAbsence({ root, pattern: "nowhere" })).toEqual([]);
  });
});
