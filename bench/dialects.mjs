// The same question in every dialect, through the library, in one run, alternating, medians of many.
//   node bench/dialects.mjs FOLDER [ROUNDS]      FOLDER: a large tree, such as linux-source-6.1
// Prints the time of Quarry's own tool and how many times of it the others take, and keeps the run under bench/runs/.
// Every answer must name the same files, as far as each shows them.
import { createWorkspace } from "quarry";
import { keep, machine, median } from "./record.mjs";

const FILES = 20;
const QUESTIONS = [
  { pattern: "no_such_identifier_anywhere" },
  { pattern: "netif_carrier_off" },
  { pattern: "EXPORT_SYMBOL_GPL" },
  { pattern: "return -E\\w+;" },
  { pattern: "(?i)copyright \\(c\\) 20\\d\\d" },
  { pattern: "struct file_operations", type: "c" },
];

const [root, rounds = "15"] = process.argv.slice(2);
if (root === undefined) {
  console.error("usage: node bench/dialects.mjs FOLDER [ROUNDS]");
  process.exit(2);
}

/** Names of files, as many as on a page of search; Boris's types are its own, so a glob stands for one. */
const CALLS = {
  quarry: ({ tools }, { pattern, type }) => tools.search({ pattern, type, mode: "files", limit: FILES }),
  claude: ({ tools }, { pattern, type }) => tools.Grep({ pattern, type, head_limit: FILES }),
  boris: ({ tools }, { pattern, type }) => tools.grep({ pattern, type, head_limit: FILES }),
};

const workspaces = {};
try {
  for (const dialect of Object.keys(CALLS)) workspaces[dialect] = await createWorkspace({ root, dialect });
  const rows = [];
  for (const question of QUESTIONS) {
    const times = Object.fromEntries(Object.keys(CALLS).map((dialect) => [dialect, []]));
    const totals = {};
    for (let round = -1; round < Number(rounds); round++) {
      for (const [dialect, call] of Object.entries(CALLS)) {
        const started = performance.now();
        const { details, isError } = await call(workspaces[dialect], question);
        if (isError) throw new Error(details.message);
        if (round >= 0) times[dialect].push(performance.now() - started);
        totals[dialect] = details.totalFiles;
      }
    }
    const own = median(times.quarry);
    rows.push({
      ...question,
      files: totals.quarry,
      "quarry ms": Math.round(own),
      claude: Number((median(times.claude) / own).toFixed(3)),
      boris: Number((median(times.boris) / own).toFixed(3)),
      "claude files": totals.claude,
      "boris files": totals.boris,
    });
  }
  console.table(rows);
  keep({ machine: await machine(rounds), files: FILES, rows });
} finally {
  for (const workspace of Object.values(workspaces)) await workspace.close();
}
