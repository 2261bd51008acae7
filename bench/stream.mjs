// The library's stream beside the bare `rg --json` process, in one run, alternating, medians of many.
//   node bench/stream.mjs FOLDER [ROUNDS]      after npm run build; FOLDER: a large tree, such as Debian's linux-source-6.1 unpacked
// Prints a table and keeps the run under bench/runs/ with the machine and the versions. What is judged are
// ratios within the run; the times of a shared machine mean little.
import { fork, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import { search } from "quarry";
import { keep, machine, median } from "./record.mjs";

const [folder, rounds = "15"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node bench/stream.mjs FOLDER [ROUNDS]");
  process.exit(2);
}

/** Answers of up to 1,000 matches: a word that is nowhere, rare ones, classes, alternations, case folded. */
const PATTERNS = [
  "PM_RESUME",
  "no_such_identifier_anywhere",
  "EXPORT_SYMBOL_GPL\\(usb_\\w+",
  "schedule_work_on",
  'kmem_cache_create\\("[a-z_]+"',
  "(?i)linus torvalds",
  "[A-Z]+_RESUME_[A-Z]+",
  "copy_from_user_nofault|copy_to_user_nofault",
  "struct\\s+file_operations\\s+proc_\\w+",
  "^#include <linux/rhashtable",
];

function bare(pattern) {
  const started = performance.now();
  const argv = ["--no-config", "--json", "--no-mmap", "--hidden", "-e", pattern, "--", "./"];
  const child = spawn(rgPath, argv, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  child.stdout.resume();
  return new Promise((resolve) => child.on("close", () => resolve(performance.now() - started)));
}

async function ours(pattern, order) {
  const started = performance.now();
  const answer = search({ root: folder, pattern, order, timeoutMs: 120_000 });
  let matches = 0;
  let first = null;
  for await (const _ of answer) {
    first ??= performance.now() - started;
    matches++;
  }
  const { partial } = await answer.summary;
  if (partial) throw new Error(`${pattern}: partial answer`);
  return { time: performance.now() - started, matches, first };
}

/** A child process of its own, so that its memory is its own. */
function memoryOf(pattern, count) {
  return new Promise((resolve) => {
    fork(fileURLToPath(new URL("./memory.mjs", import.meta.url)), [folder, pattern, String(count)]).on(
      "message",
      resolve,
    );
  });
}

const rows = [];
for (const pattern of PATTERNS) {
  const times = { rg: [], path: [], none: [], first: [] };
  let matches = 0;
  await bare(pattern);
  await ours(pattern, "path");
  for (let round = 0; round < Number(rounds); round++) {
    times.rg.push(await bare(pattern));
    const ordered = await ours(pattern, "path");
    const streamed = await ours(pattern, "none");
    times.path.push(ordered.time);
    times.none.push(streamed.time);
    if (streamed.first !== null) times.first.push(streamed.first / streamed.time);
    matches = ordered.matches;
  }
  rows.push({
    pattern,
    matches,
    "rg ms": Math.round(median(times.rg)),
    "path order / rg": Number((median(times.path) / median(times.rg)).toFixed(3)),
    "order none / rg": Number((median(times.none) / median(times.rg)).toFixed(3)),
    "first match at": times.first.length === 0 ? "-" : `${Math.round(median(times.first) * 100)} %`,
  });
}
console.table(rows);

const memory = await memoryOf("return", 100_000);
console.log(
  `100,000 matches, order none: peak ${memory.peakMB} MB resident (${memory.startMB} MB before), ${memory.matches} consumed`,
);

keep({ machine: await machine(rounds), rows, memory });
