// One line changed in a file of 10 MB beside a copy of that file, in one run, alternating, medians of many.
//   node bench/edit.mjs [ROUNDS]       after npm run build
// Every edit is a call of the edit tool with the tag of the one before. Prints the times, and keeps the run.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace } from "../dist/quarry.js";
import { keep, machine, median } from "./record.mjs";

const BYTES = 10_000_000;
const ALLOWED = { timesCopy: 4 };

const [rounds = "31"] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), "quarry-bench-"));
try {
  const tree = join(root, "tree");
  mkdirSync(tree);
  const file = join(tree, "a.txt");
  const lines = plant(file);
  const workspace = await createWorkspace({
    root: tree,
    env: { ...process.env, QUARRY_CACHE_DIR: join(root, "cache") },
  });
  const middle = Math.floor(lines / 2);
  const shown = await workspace.tools.read({ path: `a.txt:${middle}-${middle}` });
  let tag = shown.details.tag;
  const [edits, copies, copied] = [[], [], []];
  for (let round = -3; round < Number(rounds); round++) {
    const text = `changed in round ${round}`;
    const edit = await timed(() =>
      workspace.tools.edit({ input: `¶a.txt#${tag}\nreplace ${middle}..${middle}:\n+${text}\n` }),
    );
    if (edit.value.isError) throw new Error(edit.value.content[0].text);
    tag = edit.value.details.perFileResults[0].tag;
    const copy = await timed(() => execFileSync("cp", [file, join(tree, "b.txt")]));
    const inProcess = await timed(() => copyFileSync(file, join(tree, "c.txt")));
    if (round < 0) continue;
    edits.push(edit.ms);
    copies.push(copy.ms);
    copied.push(inProcess.ms);
  }
  if (readFileSync(file, "utf8").split("\n")[middle - 1] !== `changed in round ${Number(rounds) - 1}`) {
    throw new Error("The last edit is not there");
  }
  await workspace.close();
  const [ours, cp, copyFile] = [edits, copies, copied].map(median);
  const row = {
    "edit ms": Number(ours.toFixed(1)),
    "cp ms": Number(cp.toFixed(1)),
    "copyFileSync ms": Number(copyFile.toFixed(1)),
    "times cp": Number((ours / cp).toFixed(2)),
    "times copyFileSync": Number((ours / copyFile).toFixed(2)),
  };
  console.table([row]);
  console.log(`allowed: ${ALLOWED.timesCopy} times the copy`);
  keep({ machine: await machine(rounds), bytes: BYTES, lines, allowed: ALLOWED, row });
} finally {
  rmSync(root, { recursive: true, force: true });
}

function plant(file) {
  let text = "";
  let lines = 0;
  while (text.length < BYTES) {
    lines += 1;
    text += `line ${lines} of a long file ${"x".repeat((lines * 7) % 41)}\n`;
  }
  writeFileSync(file, text);
  return lines;
}

async function timed(work) {
  const started = performance.now();
  const value = await work();
  return { value, ms: performance.now() - started };
}
