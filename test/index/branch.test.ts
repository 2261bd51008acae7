/** A branch of 20,000 files is switched while the tree is asked about: every answer is ripgrep's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { tree } from "../support/tree.ts";
import { indexed } from "./indexed.ts";
import { git } from "./mutation-ground.ts";
import { askBoth, askIndex, differenceIn, type Question, ready } from "./question.ts";

const FILES = 20_000;
const FOLDERS = 200;

/** Two branches as git takes them in: half of the files have another text, a fifth is in one of them only. */
function branches(): string {
  const lines = ["blob", "mark :1", ...data("alpha here\n"), "blob", "mark :2", ...data("bravo here\n")];
  for (const branch of ["main", "other"]) {
    lines.push(`commit refs/heads/${branch}`, "committer x <x@x> 0 +0000", ...data(branch));
    for (let at = 0; at < FILES; at++) {
      if (at % 10 === (branch === "main" ? 1 : 2)) continue;
      const blob = branch === "other" && at % 2 === 0 ? 2 : 1;
      lines.push(`M 100644 :${blob} d${at % FOLDERS}/f${at}.c`);
    }
    if (branch === "other") lines.push("M 100644 inline .gitignore", ...data("d7/\n"));
  }
  return `${lines.join("\n")}\n`;
}

function data(text: string): readonly string[] {
  return [`data ${text.length}`, text];
}

const asked: Question = { asked: "bravo", order: "path", glob: "d1*/**" };

it("a switched branch of 20,000 files hides nothing", async () => {
  const root = tree({});
  git(root, "init", "-q", "-b", "main");
  await run(root, ["fast-import", "--quiet"], branches());
  await run(root, ["checkout", "-qf", "main"]);
  const index = await indexed(root);
  onTestFinished(index.close);
  let byIndex = 0;
  for (const branch of ["other", "main", "other"]) {
    const switched = run(root, ["checkout", "-qf", branch]);
    // What is said meanwhile is of a time between.
    while ((await Promise.race([switched, setImmediate("not yet")])) === "not yet")
      await askIndex(index, root, process.env, asked);
    const outcome = await askBoth(index, root, process.env, asked);
    expect(differenceIn(outcome)).toBeNull();
    expect(await ready(index)).toBe(true);
    const again = await askBoth(index, root, process.env, asked);
    expect(differenceIn(again)).toBeNull();
    expect(again.ripgrep.files.length > 1_000).toBe(branch === "other");
    if ((again.again ?? again.first).engine === "index") byIndex += 1;
  }
  expect(byIndex).toBeGreaterThan(0);
}, 300_000);

async function run(root: string, args: readonly string[], input = ""): Promise<void> {
  const own = [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`];
  const child = spawn("git", [...own, ...args], { cwd: root, stdio: ["pipe", "ignore", "inherit"] });
  child.stdin?.end(input);
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
}
