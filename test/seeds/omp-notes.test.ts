/** seeds/omp-notes.md, what concerns search. What is cut and kept stands in omp-search-limits.test.ts. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SearchInput } from "../../src/quarry.ts";
import { openSession, type Session } from "../../src/workspace/session.ts";
import type { Snapshot } from "../../src/workspace/snapshots.ts";
import { type Files, tree } from "../support/tree.ts";
import { globs } from "../workspace/ground.ts";
import { agent, headings, lines, manyFiles, tag } from "./agent.ts";

/** A named session that has searched and is closed, taken up again to look at what it remembers. */
async function remembered(
  files: Files,
  ...calls: readonly SearchInput[]
): Promise<{ readonly root: string; readonly session: Session }> {
  const env = { QUARRY_CACHE_DIR: tree() };
  const { root, search, workspace } = await agent(files, { session: "one", env });
  for (const input of calls) await search(input);
  await workspace.close();
  const session = await openSession({ root, env, globs, name: "one" });
  onTestFinished(() => session.close());
  return { root, session };
}

async function shown(content: string, ...calls: readonly SearchInput[]): Promise<Snapshot | null> {
  const { root, session } = await remembered({ "a.txt": content }, ...calls);
  const found = session.snapshots.find(join(root, "a.txt"), tag(content));
  return found.kind === "known" ? found.snapshot : null;
}

describe("What counts as shown", () => {
  it("is every line printed, matches and context, and no other", async () => {
    const snapshot = await shown(`${lines(9, "row")}hit\n${lines(9, "row")}`, { pattern: "hit" });
    expect(snapshot?.shown).toEqual([{ first: 9, last: 13 }]);
  });

  it("is kept with the whole file as it was", async () => {
    const snapshot = await shown("hit\nother\n", { pattern: "hit", context: 0 });
    expect(snapshot?.bytes.toString()).toBe("hit\nother\n");
  });

  it("grows with every call over the same content", async () => {
    const content = `one\n${lines(9, "row")}two\n`;
    const snapshot = await shown(
      content,
      { pattern: "one", context: 0 },
      { pattern: "two", context: 0, paths: "a.txt" },
    );
    expect(snapshot?.shown).toEqual([
      { first: 1, last: 1 },
      { first: 11, last: 11 },
    ]);
  });

  it("is not a row that was shortened", async () => {
    const snapshot = await shown(`before\nhit${"x".repeat(600)}\nafter\n`, { pattern: "hit" });
    expect(snapshot?.shown).toEqual([
      { first: 1, last: 1 },
      { first: 3, last: 3 },
    ]);
  });

  it("is not what was cut off behind the byte cap", async () => {
    const content = `${"x".repeat(399)}hit\n`.repeat(200);
    const env = { QUARRY_CACHE_DIR: tree() };
    const { root, search, workspace } = await agent({ "a.txt": content }, { session: "one", env });
    const { details } = await search({ pattern: "hit", paths: "a.txt" });
    await workspace.close();
    const session = await openSession({ root, env, globs, name: "one" });
    onTestFinished(() => session.close());
    const found = session.snapshots.find(join(root, "a.txt"), tag(content));
    expect(found).toMatchObject({
      kind: "known",
      snapshot: { shown: [{ first: 1, last: details.matchCount }] },
    });
    expect(details.matchCount).toBeLessThan(200);
  });

  it("is nothing where only names or counts were printed", async () => {
    expect(
      await shown("hit\n", { pattern: "hit", mode: "files" }, { pattern: "hit", mode: "count" }),
    ).toBeNull();
  });

  it("is remembered of 200 files, the oldest going first (deviation: the seed has 30)", async () => {
    const { root, session } = await remembered(
      manyFiles(201, "hit\n"),
      { pattern: "hit", limit: 200 },
      { pattern: "hit", skip: 200 },
    );
    const kind = (name: string) => session.snapshots.find(join(root, name), tag("hit\n")).kind;
    expect(kind("f001.txt")).toBe("forgotten");
    expect(kind("f002.txt")).toBe("known");
    expect(kind("f201.txt")).toBe("known");
  });
});

describe("Child agents", () => {
  it("share the scratch folder of their parent", async () => {
    const cache = tree();
    const parent = await agent({}, { env: { QUARRY_CACHE_DIR: cache } });
    const child = await agent({}, { parent: parent.workspace });
    // Asked once, so that the folder is made.
    await parent.workspace.tools.search({ pattern: "hit", paths: "local://notes.md" });
    const [id = ""] = readdirSync(join(cache, "sessions/unnamed"));
    const folder = join(cache, "sessions/unnamed", id, "local");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "notes.md"), "hit\n");
    for (const { text } of [parent, child]) {
      expect(await text({ pattern: "hit", paths: "local://notes.md" })).toBe(
        `¶local://notes.md#${tag("hit\n")}\n*1:hit`,
      );
    }
  });
});

describe("Joined paths", () => {
  it("are taken apart, as the newer page has it", async () => {
    const { text } = await agent({ "a.txt": "hit\n", "b.txt": "hit\n" });
    expect(headings(await text({ pattern: "hit", paths: "a.txt,b.txt" }))).toEqual(["a.txt", "b.txt"]);
  });
});

/*
 * Without a test here: what is said of `read` and of the edit tool's description (those tools have their own issues);
 * telling scan caches of changes (search has none); the rule of thumb about native code.
 */
