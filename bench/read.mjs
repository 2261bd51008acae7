// A page out of the middle of a huge file beside sed, in one run, alternating, medians of many.
//   node bench/read.mjs [ROUNDS]       after npm run build; plants a log of 1 GB in the temporary folder
// Every read is a call of the read tool in a process of its own. Prints the times, and keeps the run under bench/runs/.
import { execFileSync, fork } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keep, machine, median } from "./record.mjs";

const BYTES = 1_000_000_000;
const PAGES = [
  { page: "first 51", first: 1, last: 51 },
  { page: "9,000,000-9,000,050", first: 9_000_000, last: 9_000_050 },
  { page: "last 51", tail: 51 },
];
const ALLOWED = { differenceMs: 100, growthMB: 64 };

const [rounds = "9"] = process.argv.slice(2);
const root = mkdtempSync(join(tmpdir(), "quarry-bench-"));
try {
  mkdirSync(join(root, "tree"));
  const file = join(root, "tree", "big.log");
  const lines = plant(file);
  const rows = [];
  for (const asked of PAGES) {
    const [ours, theirs, growths] = [[], [], []];
    for (let round = -1; round < Number(rounds); round++) {
      const read = await ourRead(file, asked);
      const sed = theirRead(file, asked);
      if (read.text !== sed.text) throw new Error(`${asked.page}: not what sed prints`);
      if (round < 0) continue;
      ours.push(read.elapsedMs);
      theirs.push(sed.elapsedMs);
      growths.push(read.growthMB);
    }
    const [oursMs, sedMs] = [median(ours), median(theirs)].map(Math.round);
    rows.push({
      page: asked.page,
      "ours ms": oursMs,
      "sed ms": sedMs,
      ratio: Number((oursMs / sedMs).toFixed(2)),
      "difference ms": oursMs - sedMs,
      "growth MB": Math.max(...growths),
    });
  }
  console.table(rows);
  console.log(`allowed: ${ALLOWED.differenceMs} ms more than sed, ${ALLOWED.growthMB} MB`);
  keep({ machine: await machine(rounds), bytes: BYTES, lines, allowed: ALLOWED, rows });
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** A log with lines of many lengths; says how many. */
function plant(file) {
  const fd = openSync(file, "w");
  let lines = 0;
  for (let bytes = 0; bytes < BYTES; ) {
    let block = "";
    for (let count = 0; count < 20_000; count++) {
      lines += 1;
      const second = String(lines % 60).padStart(2, "0");
      block += `2026-11-16T02:35:${second}.000Z INFO worker[${lines % 97}] request ${lines} done in ${(lines * 7919) % 1000} ms ${"x".repeat(lines % 61)}\n`;
    }
    bytes += writeSync(fd, block);
  }
  closeSync(fd);
  return lines;
}

/** In a process of its own, which tells how long it took and how much memory. */
function ourRead(file, asked) {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(new URL("./read-page.mjs", import.meta.url)), [
      file,
      JSON.stringify(asked),
    ]);
    child.on("message", resolve);
  });
}

function theirRead(file, { first, last, tail }) {
  // sed knows no line from the end, so tail finds them and sed numbers them: both are needed to print LINE|text.
  const script = `${first},${last}p;${last}q`;
  const started = performance.now();
  const text =
    tail === undefined
      ? execFileSync("sed", ["-n", script, file], { encoding: "utf8" })
      : execFileSync("sh", ["-c", 'tail -n "$1" "$2"; sed -n "\\$=" "$2" >&2', "-", tail, file], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
        });
  return { text, elapsedMs: performance.now() - started };
}
