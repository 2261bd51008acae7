/** What others lose through a write is told, by every tool that writes. The instant it takes is made up here. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FileChanged } from "../../src/edit/commit/changed.ts";
import type * as Commit from "../../src/edit/commit/commit.ts";
import { textOf, workspaceOf } from "../dialects/workspaces.ts";
import { tree } from "../support/tree.ts";

/** What the next commits meet, after they are done. */
const met = vi.hoisted(() => ({ overwrote: true, throws: [] as Error[] }));

vi.mock("../../src/edit/commit/commit.ts", async (original) => {
  const real = await original<typeof Commit>();
  return {
    ...real,
    commit: async (...given: Parameters<typeof real.commit>) => {
      const thrown = met.throws.shift();
      if (thrown !== undefined) throw thrown;
      return (await real.commit(...given)).map((written) => ({ ...written, overwrote: met.overwrote }));
    },
  };
});

beforeEach(() => {
  met.overwrote = true;
  met.throws = [];
});

const LOST =
  "a.txt was replaced by another program in the instant before it was written, and that version is lost";

async function edited(): Promise<string> {
  const { tools } = await workspaceOf(tree({ "a.txt": "one\ntwo\n" }));
  const tag = /#([0-9A-F]{4})$/m.exec(textOf(await tools.read({ path: "a.txt" })))?.[1];
  return textOf(await tools.edit({ input: `¶a.txt#${tag}\nreplace 1..1:\n+1\n` }));
}

describe("A version that was overwritten", () => {
  it("is told by an edit", async () => {
    expect(await edited()).toContain(`\n\nWarnings:\n${LOST}`);
    met.overwrote = false;
    expect(await edited()).not.toContain("lost");
  });

  it("is told by a write", async () => {
    const { tools } = await workspaceOf(tree({ "a.txt": "one\n" }));
    const written = await tools.write({ path: "a.txt", content: "two\n" });
    expect(textOf(written)).toContain(`\n[${LOST}`);
    expect(written.details).toMatchObject({ warnings: [expect.stringContaining(LOST)] });
  });

  it("is told by a write of an archive's entry, and of a conflict", async () => {
    const conflict = "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n";
    const { tools } = await workspaceOf(tree({ "a.txt": conflict }));
    expect(textOf(await tools.write({ path: "b.zip:in", content: "x" }))).toContain("[b.zip was replaced by");
    await tools.read({ path: "a.txt:conflicts" });
    expect(textOf(await tools.write({ path: "conflict://1", content: "@ours" }))).toContain(`[${LOST}`);
  });
});

describe("A file that was changed while it was written", () => {
  it("is read again, and the edit made", async () => {
    met.throws = Array.from({ length: 3 }, () => new FileChanged("a.txt", "was changed"));
    expect(await edited()).toContain("+1:1");
  });

  it("is not tried again where something of others could not stay in its place", async () => {
    met.throws = [new FileChanged("a.txt", "was changed; it is in /rescued", { mustBeTold: true })];
    expect(await edited()).toMatch(/^\[FILE_CHANGED\] a\.txt was changed; it is in \/rescued/);
  });
});
