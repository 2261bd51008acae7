// Archives beside the same files on disk, through the agent's search, in one run, alternating, medians of many.
//   node bench/archives.mjs FOLDER [ROUNDS]      FOLDER: a tree with at least 2,000 .c files, such as linux-source-6.1
// Prints a table of ratios, archive to disk, for the first search of an archive in a session and for a later one, and
// keeps the run under bench/runs/. Also: the memory of a search that has every member to hold.
import { execFileSync, fork } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createWorkspace, find } from "quarry";
import { keep, machine, median } from "./record.mjs";

const MEMBERS = 2_000;
const PATTERNS = [
  "no_such_identifier_anywhere",
  "netif_carrier_off",
  "EXPORT_SYMBOL_GPL",
  "return -E\\w+;",
  "(?i)copyright \\(c\\) 20\\d\\d",
  "[a-z]+_[a-z]+_init\\(",
];

const [source, rounds = "15"] = process.argv.slice(2);
if (source === undefined) {
  console.error("usage: node bench/archives.mjs FOLDER [ROUNDS]");
  process.exit(2);
}

const root = mkdtempSync(join(tmpdir(), "quarry-bench-"));
try {
  const bytes = await plant(root);
  const scopes = ["files", "a.zip", "a.tar", "a.tar.gz"];
  const rows = [];
  for (const pattern of PATTERNS) {
    const times = new Map(scopes.map((scope) => [scope, { first: [], again: [] }]));
    let files = 0;
    for (let round = -1; round < Number(rounds); round++) {
      for (const scope of scopes) {
        // A workspace of its own, which has not looked into the archive yet.
        const workspace = await createWorkspace({ root });
        for (const turn of ["first", "again"]) {
          const started = performance.now();
          const { details, isError } = await workspace.tools.search({ pattern, paths: scope });
          if (isError) throw new Error(details.message);
          if (round >= 0) times.get(scope)[turn].push(performance.now() - started);
          if (scope === "files") files = details.totalFiles;
          else if (details.totalFiles !== files)
            throw new Error(`${scope}: ${details.totalFiles} of ${files} files`);
        }
        await workspace.close();
      }
    }
    const { first, again } = times.get("files");
    const disk = median([...first, ...again]);
    const ratio = (scope, turn) => Number((median(times.get(scope)[turn]) / disk).toFixed(2));
    const row = { pattern, files, "disk ms": Math.round(disk) };
    for (const scope of scopes.slice(1)) {
      row[`${scope.slice(2)} first`] = ratio(scope, "first");
      row[`${scope.slice(2)} again`] = ratio(scope, "again");
    }
    rows.push(row);
  }
  console.table(rows);
  const memory = [];
  for (const scope of scopes.slice(1)) memory.push({ scope, ...(await memoryOf(scope)) });
  for (const { scope, growthMB } of memory) {
    console.log(
      `${scope}: grew by ${growthMB} MB; ${Math.round(bytes / 1e6)} MB unpacked, ${Math.round(bytes / 1e6) + 64} allowed`,
    );
  }
  keep({ machine: await machine(rounds), members: MEMBERS, unpackedBytes: bytes, rows, memory });
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** The same files in a folder and in three archives; says how many bytes they are. */
async function plant(root) {
  const { hits } = await find({ root: source, paths: "**/*.c", kinds: "files", order: "path" }).collect();
  let bytes = 0;
  let taken = 0;
  for (const { path } of hits) {
    const { size } = statSync(join(source, path));
    if (size < 4_096 || size > 24_576) continue;
    const folder = join(root, "files", `d${taken % 40}`);
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(source, path), join(folder, `f${taken}.c`));
    bytes += size;
    taken += 1;
    if (taken === MEMBERS) break;
  }
  const names = readdirSync(join(root, "files"));
  const inside = { cwd: join(root, "files") };
  execFileSync("tar", ["-cf", "../a.tar", ...names], inside);
  execFileSync("tar", ["-czf", "../a.tar.gz", ...names], inside);
  execFileSync("python3", ["-m", "zipfile", "-c", "../a.zip", ...names], inside);
  return bytes;
}

/** In a process of its own, where every member matches. */
function memoryOf(scope) {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(new URL("./archive-memory.mjs", import.meta.url)), [root, scope]);
    child.on("message", resolve);
  });
}
