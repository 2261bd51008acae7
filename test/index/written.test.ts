/** What the tools write is told to the index, which need not hear of it from the system. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openFeed } from "../../src/index/feed/feed.ts";
import { nothingYet } from "../../src/index/feed/changes.ts";
import { indexedScope } from "../../src/index/listing.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { onWritten } from "../../src/workspace/written.ts";
import { indexed, listed } from "./indexed.ts";

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "quarry-written-")));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

it("is told by every tool that writes, with its real path", async () => {
  const root = folder();
  const told: string[] = [];
  onTestFinished(onWritten((paths) => told.push(...paths)));
  const workspace = await createWorkspace({ root });
  onTestFinished(() => workspace.close());
  await workspace.tools.write({ path: "deep/new.ts", content: "one\n" });
  const { content } = await workspace.tools.read({ path: "deep/new.ts" });
  const [, tag = ""] = /#([0-9A-F]{4})/.exec(content[0].text) ?? [];
  await workspace.tools.edit({ input: `¶deep/new.ts#${tag}\nreplace 1..1:\n+two\n` });
  expect(told).toEqual([join(root, "deep/new.ts"), join(root, "deep/new.ts")]);
});

it("is in the next answer, also where no event tells of it", async () => {
  const root = folder();
  writeFileSync(join(root, "a"), "one\n");
  const deaf = async (...options: Parameters<typeof openFeed>): ReturnType<typeof openFeed> => {
    const feed = await openFeed(...options);
    return {
      ...feed,
      settle: async () => {},
      take: () => ({ ...nothingYet(), sifted: new Set(), lost: null }),
    };
  };
  const { keeper, close } = await indexed(root, { openFeed: deaf });
  onTestFinished(close);
  const names = async (): Promise<readonly string[]> => {
    const scope = { ...indexedScope(root), names: [] };
    const answer = await listed(keeper, { scope, kinds: "files", order: "path", limit: null });
    return answer.kind === "able" ? answer.entries.map(({ path }) => path) : [answer.why];
  };
  writeFileSync(join(root, "b"), "two\n");
  expect(await names()).toEqual(["a"]);
  keeper.wrote(["b"]);
  expect(await names()).toEqual(["a", "b"]);
});
