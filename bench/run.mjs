// The benchmark of the index: `npm run bench -- --help` says what it does and takes. Each part is a file of its own; this
// one opens the engines, runs the parts over the trees, and says at the end what holds.
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { benchBuild, benchRestart, benchSessions, scanTime } from "./build.mjs";
import { removeFolder, temporaryFolder } from "./cleanup.mjs";
import { benchCache, findTree, plantCorpus } from "./corpus.mjs";
import { openFff } from "./engines/fff.mjs";
import { gitVersion, openGitGrep } from "./engines/git-grep.mjs";
import { bunProgram, installPeer } from "./engines/peers.mjs";
import { openPiNatives } from "./engines/pi-natives.mjs";
import { openQuarryMcp } from "./engines/quarry-mcp.mjs";
import { openQuarry } from "./engines/quarry.mjs";
import { openRipgrep } from "./engines/ripgrep.mjs";
import { benchFind } from "./find.mjs";
import { benchFresh } from "./fresh.mjs";
import { judge, wrongAnswers } from "./goals.mjs";
import { benchScale, scaleRow } from "./growth.mjs";
import { memoryOf } from "./memory-of.mjs";
import { readOptions } from "./options.mjs";
import { barPlot, growthPlot } from "./plot.mjs";
import { askable, GLOBS, QUESTIONS } from "./questions.mjs";
import { keep, machine } from "./record.mjs";
import { benchSearch } from "./search.mjs";
import { tables } from "./table.mjs";

const BUILDS = 3;
/** For a server whose index is not saved yet, beyond three times what a build took. */
const PATIENCE = 15_000;

const options = readOptions(process.argv.slice(2), process.env);
if (options !== null) await main(options);

async function main({ parts, scales, main: mainScale, into, rounds, ...rest }) {
  const cache = benchCache(rest.cache);
  const tree = findTree(rest.tree, cache);
  const run = {
    machine: { ...(await machine(rounds)), quarry: commit(), load: loadavg() },
    rounds,
    engines: [],
    growth: [],
    search: null,
    find: null,
    build: null,
    restart: null,
    server: null,
    sessions: null,
    fresh: null,
  };
  const limits = { rounds, milliseconds: rest.milliseconds };
  for (const percent of scales) {
    const place = temporaryFolder("corpus");
    say(`copying ${percent} % of the tree`);
    const corpus = { ...plantCorpus(tree, percent, join(place, "tree")), name: basename(tree) };
    if (percent === mainScale) {
      await mainParts(run, corpus, place, { parts, limits, cache, match: rest.match });
    } else {
      say(`growth at ${percent} %`);
      const peers = new Set(parts.has("peers") ? ["git grep"] : []);
      run.growth.push(await benchScale(corpus, place, { peers, milliseconds: limits.milliseconds / 4 }));
    }
    removeFolder(place);
  }
  report(run, into);
}

/** Everything that the tables are of. */
async function mainParts(run, corpus, place, { parts, limits, cache, match }) {
  const { root, ...about } = corpus;
  run.corpus = about;
  const saved = join(place, "cache");
  const ripgrep = openRipgrep(root);
  run.scanMs = await scanTime(ripgrep);
  run.engines.push({ name: "ripgrep", version: run.machine.ripgrep, ran: true });

  say("building");
  const build = await benchBuild(corpus, saved, parts.has("build") ? BUILDS : 1);
  const patience = PATIENCE + 3 * build.ms;
  if (parts.has("build")) run.build = build;
  const asked = askable(QUESTIONS, root).filter(({ name }) => match.test(name));
  const globs = GLOBS.filter(({ glob }) => match.test(glob));
  run.leftOut = QUESTIONS.filter((question) => !asked.includes(question)).map(({ name }) => name);
  if (parts.has("search") || parts.has("find")) {
    const engines = [ripgrep, ...(await openEngines(run, corpus, saved, patience, parts, cache))];
    try {
      if (parts.has("search")) {
        say(`search: ${asked.length} patterns, ${engines.map(({ name }) => name).join(", ")}`);
        run.search = await benchSearch(engines, asked, limits);
      }
      if (parts.has("find")) {
        say(`find: ${globs.length} globs`);
        run.find = await benchFind(engines, globs, limits);
      }
      const mcp = engines.find(({ name }) => name === "quarry mcp");
      if (mcp !== undefined) run.server = { index: mcp.index, memory: memoryOf(mcp.pid) };
      for (const { name, pid, opened } of engines) {
        const entry = run.engines.find((one) => one.name === name);
        if (pid !== undefined) entry.memory = memoryOf(pid);
        if (opened !== undefined) entry.readyMs = opened.ms;
      }
    } finally {
      for (const engine of engines) await engine.close().catch(() => {});
    }
  }
  if (parts.has("build")) {
    say("restarts");
    run.restart = await benchRestart(corpus, saved);
    run.sessions = await benchSessions(corpus, saved, patience);
  }
  if (parts.has("fresh")) {
    say("changes");
    const engine = await openQuarry(root, saved);
    run.fresh = await benchFresh(corpus, engine);
    await engine.close();
  }
  if (run.search !== null) run.growth.push(scaleRow(corpus, run.search.results, { scan: run.scanMs, build }));
}

/** Those that can be had; each is listed, also one that cannot. */
async function openEngines(run, corpus, saved, patience, parts, cache) {
  const { root } = corpus;
  const engines = [];
  const attempt = async (name, open) => {
    try {
      const { engine, version, why } = await open();
      engines.push(engine);
      run.engines.push({ name, version, ran: true, ...(why === undefined ? {} : { why }) });
    } catch (cause) {
      run.engines.push({ name, ran: false, why: cause.message.split("\n")[0] });
    }
  };
  const version = run.machine.quarry;
  await attempt("quarry", async () => ({ engine: await openQuarry(root, saved), version }));
  // From nothing, in a cache of its own: its memory after building is asked for.
  await attempt("quarry mcp", async () => ({
    engine: await openQuarryMcp(root, `${saved}-mcp`, patience),
    version,
  }));
  if (!parts.has("peers")) {
    for (const name of ["git grep", "fff", "pi-natives"])
      run.engines.push({ name, ran: false, why: "--only" });
    return engines;
  }
  await attempt("git grep", () => ({ engine: openGitGrep(root), version: gitVersion() }));
  await attempt("fff", async () => {
    const { folder, version } = installPeer("fff", cache);
    return { engine: await openFff(root, folder), version };
  });
  await attempt("pi-natives", async () => {
    const { folder, version, notes } = installPeer("pi-natives", cache);
    const bun = bunProgram(cache);
    const engine = await openPiNatives(root, folder, bun.program);
    return { engine, version: [`${version}, bun ${bun.version}`, ...notes].join("; ") };
  });
  return engines;
}

function report(run, into) {
  run.machine.loadAtEnd = loadavg();
  run.goals = judge(run);
  const wrong = wrongAnswers(run);
  const text = tables(run);
  console.log(`\n${text}\n`);
  const plots = {
    ...(run.search === null ? {} : { "patterns.svg": barPlot(run) }),
    ...(run.growth.length === 0 ? {} : { "growth.svg": growthPlot(run) }),
  };
  keep(
    run,
    { "table.md": `${text}\n`, ...plots },
    into === undefined ? undefined : pathToFileURL(`${resolve(into)}/`),
  );
  if (wrong.length === 0) return;
  console.error(`${wrong.length} answers of ours are not ripgrep's:`);
  for (const one of wrong) console.error(`  ${JSON.stringify(one)}`);
  process.exitCode = 1;
}

function commit() {
  try {
    const git = (argv) => execFileSync("git", argv, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
    return `${git(["rev-parse", "--short", "HEAD"])}${git(["status", "--porcelain", "--", "../src"]) === "" ? "" : " with changes"}`;
  } catch {
    return "not known";
  }
}

function say(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
