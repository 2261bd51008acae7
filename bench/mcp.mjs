// The MCP server over stdio: how long after its start `initialize` is answered, beside a bare `node -e 0`, and what a
// small search costs through it, beside the same call of the library. Medians of many, alternating.
//   npm run build && node bench/mcp.mjs [ROUNDS]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createWorkspace } from "quarry";
import { keep, machine, median } from "./record.mjs";

const [rounds = "15"] = process.argv.slice(2);
/** From the start of the process to the answer. */
const GOAL_MS = 300;

const PROGRAM = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const root = join(place, "tree");
const env = { ...process.env, QUARRY_CACHE_DIR: join(place, "cache") };
mkdirSync(root);
for (let at = 0; at < 200; at++) {
  writeFileSync(join(root, `${at}.ts`), `export const name${at} = ${at};\n`.repeat(50));
}

const GREETING = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};
const CALL = { name: "search", arguments: { pattern: "name77 ", mode: "count" } };

/** A server, and a way to ask it. */
function serve() {
  const started = performance.now();
  const child = spawn(process.execPath, [PROGRAM, "mcp", "--workdir", root], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const ask = (message) =>
    new Promise((resolve) => {
      waiting.set(message.id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    });
  const end = async () => {
    child.stdin.end();
    await once(child, "close");
  };
  return { started, ask, end };
}

async function greeted() {
  const { started, ask, end } = serve();
  await ask(GREETING);
  const time = performance.now() - started;
  await end();
  return time;
}

/** To the answer of the first call, which waits for all that is loaded. */
async function called() {
  const { started, ask, end } = serve();
  await ask(GREETING);
  await ask({ id: 1, method: "tools/call", params: CALL });
  const time = performance.now() - started;
  await end();
  return time;
}

async function bare() {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "close");
  return performance.now() - started;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const start = { initialize: [], firstCall: [], node: [] };
for (let round = -1; round < Number(rounds); round++) {
  const times = { node: await bare(), initialize: await greeted(), firstCall: await called() };
  // The first round warms the disk.
  if (round >= 0) for (const name of Object.keys(start)) start[name].push(times[name]);
}

const search = { library: [], mcp: [] };
const workspace = await createWorkspace({ root, env });
const server = serve();
await server.ask(GREETING);
for (let round = -3; round < 4 * Number(rounds); round++) {
  const library = await timed(() => workspace.tools.search(CALL.arguments));
  const mcp = await timed(() => server.ask({ id: round + 10, method: "tools/call", params: CALL }));
  if (round < 0) continue;
  search.library.push(library);
  search.mcp.push(mcp);
}
await server.end();
await workspace.close();
rmSync(place, { recursive: true, force: true });

const medians = Object.fromEntries(
  [...Object.entries(start), ...Object.entries(search)].map(([name, times]) => [
    name,
    Number(median(times).toFixed(1)),
  ]),
);
console.table(medians);
const met = medians.initialize <= GOAL_MS;
console.log(`initialize ${medians.initialize} ms, goal ${GOAL_MS}: ${met ? "met" : "MISSED"}`);
// Processes that others run on a shared machine delay these too: the bare node beside them says how much.
const load = loadavg().map((value) => Number(value.toFixed(1)));
keep({ machine: await machine(rounds), load, goalMs: GOAL_MS, medians, times: { start, search } });
if (!met) process.exitCode = 1;
