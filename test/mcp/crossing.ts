/**
 * Many clients at once with the same request ids, each looking for its own canary: no answer may cross (T22), and what
 * the server holds at the end is what it held before. Short in the suite, long in `http.long.ts`.
 */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, call, initialize, messages, newest, open, send } from "./http-server.ts";
import { type Started, startProgram, stop } from "./program.ts";

export interface Crossing {
  readonly clients: number;
  readonly milliseconds: number;
  /** No more rounds of each client than these. */
  readonly rounds: number;
  /** Before what the server holds is counted the first time. */
  readonly warm: number;
  /** Between two rounds of a client, in milliseconds. @default 0 */
  readonly between?: number;
}

export interface Report {
  readonly answers: number;
  /** Answers that were not the client's own, or none. */
  readonly wrong: readonly string[];
  readonly before: Held;
  readonly after: Held;
  /** Mebibytes in between, each half minute. */
  readonly course: readonly number[];
}

export interface Held {
  readonly descriptors: number;
  readonly mebibytes: number;
  readonly children: number;
}

export async function cross({ clients, milliseconds, rounds, warm, between = 0 }: Crossing): Promise<Report> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "quarry-crossing-")));
  for (let who = 0; who < clients; who++) {
    writeFileSync(join(root, `file-${who}.txt`), `canary-${who}-sings\n`.repeat(20));
  }
  const server = await startProgram(root, ["--log-level", "info"]);
  const course: number[] = [];
  const sampling = setInterval(() => course.push(mebibytes(server)), 30_000);
  try {
    const first = await run(server.port, clients, { until: performance.now() + warm, rounds, between });
    const before = await held(server);
    const until = performance.now() + milliseconds;
    const second = await run(server.port, clients, { until, rounds, between });
    const after = await held(server);
    const all = [...first, ...second];
    return {
      answers: all.reduce((sum, { answers }) => sum + answers, 0),
      wrong: all.flatMap(({ wrong }) => wrong),
      before,
      after,
      course,
    };
  } catch (cause) {
    throw new Error(`The server: ${server.child.exitCode} ${server.log().slice(-2000)}`, { cause });
  } finally {
    clearInterval(sampling);
    await stop(server);
    rmSync(root, { recursive: true, force: true });
  }
}

interface Told {
  readonly answers: number;
  readonly wrong: readonly string[];
}

interface Bounds {
  readonly until: number;
  readonly rounds: number;
  readonly between: number;
}

function run(port: number, clients: number, bounds: Bounds): Promise<Told[]> {
  return Promise.all(Array.from({ length: clients }, (_, who) => client(port, who, bounds)));
}

/** One client: every second one has a session. All use the ids 1, 2, 3 in every round. */
async function client(port: number, who: number, { until, rounds, between }: Bounds): Promise<Told> {
  const agent = new Agent({ keepAlive: true });
  const session = who % 2 === 0 ? await initialize(port) : null;
  const ask = (id: number, name: string, input: object): Promise<Answer> =>
    session === null
      ? send(port, { ...newest(id, name, input), agent })
      : send(port, { headers: session, body: call(id, name, input), agent });
  const wrong: string[] = [];
  let answers = 0;
  for (let round = 0; round < rounds && performance.now() < until; round++) {
    const all = await Promise.all([
      ask(1, "search", { pattern: `canary-${who}-\\w+` }),
      ask(2, "read", { path: `file-${who}.txt` }),
      ask(3, "find", { paths: [`file-${who}.txt`] }),
    ]);
    for (const [at, answer] of all.entries()) {
      answers += 1;
      if (!isOwn(answer, at + 1, who)) wrong.push(`${who}: ${answer.status} ${answer.text.slice(0, 500)}`);
    }
    if (round % 5 === 4 && session !== null) await leaveOne(port, session, who);
    if (between > 0) await pause(between);
  }
  if (session !== null) await send(port, { method: "DELETE", headers: session });
  agent.destroy();
  return { answers, wrong };
}

/** Exactly one answer, to this id, with this client's canary or file and nobody else's. */
function isOwn({ status, text }: Answer, id: number, who: number): boolean {
  const [answer, ...more] = messages(text).filter((message) => message.method === undefined);
  const names = new Set([...text.matchAll(/(?:canary|file)-(\d+)/g)].map(([, name]) => name));
  return (
    status === 200 && answer?.id === id && more.length === 0 && names.size === 1 && names.has(String(who))
  );
}

/** A call that is dropped, and cancelled or not. */
async function leaveOne(port: number, headers: Record<string, string>, who: number): Promise<void> {
  const id = `left-${performance.now()}`;
  const body = call(id, "search", { pattern: `canary-${who}` });
  const running = await open(port, { headers, body });
  running.drop();
  if (who % 4 !== 0) return;
  const params = { requestId: id };
  await send(port, { headers, body: { jsonrpc: "2.0", method: "notifications/cancelled", params } });
}

/** When everybody has left. */
async function held(server: Started): Promise<Held> {
  const { child, port } = server;
  const health = async (): Promise<number> =>
    (JSON.parse((await send(port, { method: "GET", path: "/health" })).text) as { sessions: number })
      .sessions;
  while ((await health()) > 0) await pause(50);
  await pause(500);
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  return {
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    mebibytes: mebibytes(server),
    children: children.split(" ").filter((one) => one.trim() !== "").length,
  };
}

function mebibytes({ child }: Started): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
