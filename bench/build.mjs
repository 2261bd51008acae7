// The part of the bench that builds: how long an index takes from nothing in units of a full scan, what is saved, how
// the main loop fares meanwhile, how soon a restarted process is ready, and the memory of a server.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "./cleanup.mjs";
import { openQuarry } from "./engines/quarry.mjs";
import { openQuarryHttp } from "./engines/quarry-mcp.mjs";
import { memoryOf } from "./memory-of.mjs";
import { NOWHERE } from "./questions.mjs";
import { median } from "./record.mjs";

const SCANS = 9;
const STARTS = 5;
const SESSIONS = 8;

/** A full scan, the unit. */
export async function scanTime(ripgrep) {
  const times = [];
  for (let round = -1; round < SCANS; round++) {
    const { ms } = await ripgrep.search(NOWHERE);
    if (round >= 0) times.push(ms);
  }
  return median(times);
}

/** So many builds from nothing, each into a cache of its own; the last one's is `cache`. */
export async function benchBuild(corpus, cache, builds) {
  const opened = [];
  for (let build = 1; build <= builds; build++) {
    const place = build === builds ? cache : temporaryFolder("build");
    mkdirSync(place, { recursive: true });
    const engine = await openQuarry(corpus.root, place, { warm: true });
    const memory = memoryOf(engine.pid);
    const ready = performance.now();
    await engine.settle();
    // The tail of a build: its segments are merged while it answers.
    opened.push({ ...engine.opened, memory, settledMs: engine.opened.ms + performance.now() - ready });
    await engine.close();
    if (place !== cache) removeFolder(place);
  }
  const saved = bytesOf(cache);
  return {
    status: opened[0].status,
    ms: median(opened.map(({ ms }) => ms)),
    settledMs: median(opened.map(({ settledMs }) => settledMs)),
    lagP99: median(opened.map(({ lag }) => lag.p99)),
    lagMax: Math.max(...opened.map(({ lag }) => lag.max)),
    memory: opened[0].memory,
    saved,
    share: saved / corpus.bytes,
    builds: opened,
  };
}

/** From the start of a process until its index can answer; the index is saved. */
export async function benchRestart(corpus, cache) {
  const times = [];
  let memory = null;
  let status = null;
  for (let start = 0; start < STARTS; start++) {
    const engine = await openQuarry(corpus.root, cache);
    times.push(engine.opened.sinceStartMs);
    ({ status } = engine.opened);
    memory = memoryOf(engine.pid);
    await engine.close();
  }
  return { ms: median(times), times, status, memory };
}

/** A restarted server over HTTP, with one session and with eight. */
export async function benchSessions(corpus, cache, patience) {
  const server = await openQuarryHttp(corpus.root, cache);
  try {
    const index = await server.join(patience);
    const one = memoryOf(server.pid);
    for (let session = 1; session < SESSIONS; session++) await server.join(patience);
    return { index, one, eight: memoryOf(server.pid) };
  } finally {
    await server.close();
  }
}

function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
}
