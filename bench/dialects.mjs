// The same question in every dialect, through the library, in one run, alternating, medians of many.
//   node bench/dialects.mjs FOLDER [ROUNDS]      FOLDER: a large tree, such as linux-source-6.1
// Prints the time of Quarry's own tool and how many times of it the others take, by the clock and in processor time
// with that of the children, and keeps the run under bench/runs/.
// The dialects differ in what they leave out: Boris heeds `.gitignore` outside repositories too, and no file over
// 10 MB. So all are asked about a copy of the folder, made of hard links, without ignore files and such files; a
// dialect that finds another number of files there ends the run. ripgrep looks at the size of every file to heed that
// limit, so Boris is compared with Quarry's own tool in a workspace with the same one (`limited`), claude without.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace } from "quarry";
import { keep, machine, median } from "./record.mjs";

const FILES = 20;
const LARGEST = 10 * 1024 * 1024;
const IGNORE_FILES = new Set([".gitignore", ".ignore", ".rgignore"]);
const QUESTIONS = [
  { pattern: "no_such_identifier_anywhere" },
  { pattern: "netif_carrier_off" },
  { pattern: "EXPORT_SYMBOL_GPL" },
  { pattern: "return -E\\w+;" },
  { pattern: "(?i)copyright \\(c\\) 20\\d\\d" },
  { pattern: "struct file_operations", type: "c" },
];

const [folder, rounds = "15"] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node bench/dialects.mjs FOLDER [ROUNDS]");
  process.exit(2);
}

/** Names of files, as many as on a page of search. */
const search = ({ tools }, { pattern, type }) => tools.search({ pattern, type, mode: "files", limit: FILES });
const CALLS = {
  quarry: search,
  limited: search,
  claude: ({ tools }, { pattern, type }) => tools.Grep({ pattern, type, head_limit: FILES }),
  boris: ({ tools }, { pattern, type }) => tools.grep({ pattern, type, head_limit: FILES }),
};
const DIALECTS = Object.keys(CALLS);

/** On the same disk, or a copy of the bytes where there is another one. */
function copyInto(place) {
  const root = join(place, "tree");
  try {
    execFileSync("cp", ["-al", folder, root], { stdio: "ignore" });
  } catch {
    rmSync(root, { recursive: true, force: true });
    execFileSync("cp", ["-a", folder, root]);
  }
  for (const { name, parentPath, path } of readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  )) {
    const file = join(parentPath ?? path, name);
    if (IGNORE_FILES.has(name) || statSync(file).size > LARGEST) rmSync(file);
  }
  return root;
}

const TICK = 1000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Milliseconds of processor time, of this process and of the children that have ended. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  // The name may hold blanks; what follows it begins with the third field.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * TICK;
}

async function ask(workspaces, question) {
  const spent = Object.fromEntries(DIALECTS.map((dialect) => [dialect, { clock: [], processor: [] }]));
  const totals = {};
  for (let round = -1; round < Number(rounds); round++) {
    for (const [dialect, call] of Object.entries(CALLS)) {
      const before = processorTime();
      const started = performance.now();
      const { details, isError } = await call(workspaces[dialect], question);
      const clock = performance.now() - started;
      if (isError) throw new Error(details.message);
      totals[dialect] = details.totalFiles;
      if (round < 0) continue;
      spent[dialect].clock.push(clock);
      spent[dialect].processor.push(processorTime() - before);
    }
  }
  if (new Set(Object.values(totals)).size !== 1) {
    throw new Error(`the dialects found different numbers of files: ${JSON.stringify({ question, totals })}`);
  }
  return { spent, files: totals.quarry };
}

const place = mkdtempSync(join(tmpdir(), "quarry-dialects-"));
const workspaces = {};
try {
  const root = copyInto(place);
  for (const dialect of DIALECTS) {
    workspaces[dialect] =
      dialect === "limited"
        ? await createWorkspace({ root, settings: { maxFileSize: LARGEST } })
        : await createWorkspace({ root, dialect });
  }
  const rows = [];
  for (const question of QUESTIONS) {
    const { spent, files } = await ask(workspaces, question);
    const times = (dialect, own, by) =>
      Number((median(spent[dialect][by]) / median(spent[own][by])).toFixed(3));
    rows.push({
      ...question,
      files,
      "quarry ms": Math.round(median(spent.quarry.clock)),
      "quarry cpu ms": Math.round(median(spent.quarry.processor)),
      claude: times("claude", "quarry", "clock"),
      boris: times("boris", "limited", "clock"),
      "claude cpu": times("claude", "quarry", "processor"),
      "boris cpu": times("boris", "limited", "processor"),
      limited: times("limited", "quarry", "clock"),
    });
  }
  console.table(rows);
  keep({ machine: await machine(rounds), files: FILES, rows });
} finally {
  for (const workspace of Object.values(workspaces)) await workspace.close();
  rmSync(place, { recursive: true, force: true });
}
