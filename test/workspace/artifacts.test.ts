import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Artifacts, createArtifacts } from "../../src/workspace/artifacts.ts";
import { tree } from "../support/tree.ts";

function artifacts(limits = { count: 3, each: 100, bytes: 250 }): { store: Artifacts; folder: string } {
  const folder = tree();
  return { folder: join(folder, "artifacts"), store: createArtifacts(async () => folder, limits) };
}

describe("Artifacts", () => {
  it("keep a text whole, under a small id, for its owner alone", async () => {
    const { store, folder } = artifacts();
    expect(await store.store("héllo\n")).toEqual({ kind: "stored", id: "1", url: "artifact://1" });
    expect(await store.store("two")).toMatchObject({ id: "2" });
    expect(await store.read("1")).toBe("héllo\n");
    expect(readFileSync(await store.locate("2"), "utf8")).toBe("two");
    expect(await store.list()).toEqual(["1", "2"]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, "1.txt")).mode & 0o777).toBe(0o600);
  });

  it("are bounded in number and size; the oldest goes, and no id comes twice", async () => {
    const { store } = artifacts();
    for (let n = 0; n < 5; n += 1) await store.store(`text ${n}`);
    expect(await store.list()).toEqual(["3", "4", "5"]);
    await store.store("x".repeat(100));
    await store.store("y".repeat(100));
    await store.store("z".repeat(100));
    expect(await store.list()).toEqual(["7", "8"]);
    await expect(store.read("1")).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
      hint: "There are 7, 8",
    });
  });

  it("give a failure as a value, never as an exception", async () => {
    const { store } = artifacts();
    expect(await store.store("x".repeat(101))).toMatchObject({ kind: "failed" });
    const nowhere = createArtifacts(() => Promise.reject(new Error("no room")));
    expect(await nowhere.store("x")).toEqual({ kind: "failed", reason: "no room" });
    const blocked = tree({ artifacts: "a file" });
    expect(await createArtifacts(async () => blocked).store("x")).toMatchObject({ kind: "failed" });
  });

  it.each(["../1", "1/../1", "01", "1.txt", "", "-1", "1\0", "x"])("are not found by %j", async (id) => {
    const { store, folder } = artifacts();
    await store.store("one");
    writeFileSync(join(folder, "x"), "planted");
    await expect(store.read(id)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });

  it("get ids of their own when several store at once, also through another session", async () => {
    const { store, folder } = artifacts({ count: 100, each: 100, bytes: 10_000 });
    const other = createArtifacts(async () => join(folder, ".."), { count: 100, each: 100, bytes: 10_000 });
    const stored = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? store : other).store(`${n}`)),
    );
    const ids = stored.map((answer) => (answer.kind === "stored" ? answer.id : "failed"));
    expect(new Set(ids).size).toBe(40);
    for (const [n, id] of ids.entries()) expect(await store.read(id)).toBe(`${n}`);
  });

  it("never write through a link that was planted in their place", async () => {
    const { store, folder } = artifacts();
    await store.store("one");
    const victim = join(tree(), "victim");
    symlinkSync(victim, join(folder, "2.txt"));
    await store.store("two");
    expect(existsSync(victim)).toBe(false);
    expect(readdirSync(folder)).toContain("3.txt");
  });
});
