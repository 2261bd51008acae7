/** A process that is stopped hears nothing; what happened meanwhile waits in the queue, or is known to be lost. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inotifyLimit } from "../../src/index/feed/queue.ts";
import { tree } from "../support/tree.ts";
import { feedProcess } from "./feed-process.ts";

test("changes that were made while the process was stopped are told", async () => {
  const root = tree({ "a/file": "x", "b/c/file": "x" });
  const { child, look } = await feedProcess(root);
  child.kill("SIGSTOP");
  writeFileSync(join(root, "a/file"), "y");
  mkdirSync(join(root, "x/y"), { recursive: true });
  writeFileSync(join(root, "x/y/file"), "x");
  renameSync(join(root, "b"), join(root, "moved"));
  rmSync(join(root, "moved/c/file"));
  child.kill("SIGCONT");
  const { touched, lost } = await look();
  expect(lost).toBeNull();
  expect(touched).toEqual(expect.arrayContaining(["a/file", "x/y/file", "b", "moved", "moved/c"]));
});

test("when they were more than the queue holds, that is told", async () => {
  const root = tree({ one: "x", two: "x", three: "x" });
  const { child, look } = await feedProcess(root);
  child.kill("SIGSTOP");
  const limit = inotifyLimit("max_queued_events") ?? 0;
  for (let index = 0; index < limit; index++) utimesSync(join(root, index % 2 === 0 ? "one" : "two"), 1, 1);
  writeFileSync(join(root, "three"), "y");
  child.kill("SIGCONT");
  expect(await look()).toMatchObject({ touched: [], lost: "overflow" });
});
