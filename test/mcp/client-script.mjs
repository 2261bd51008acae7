// What both client programs do when they are told: each line of JSON that comes in is a conversation, with a client and
// a server of its own, and one line goes out for it. A program serves a whole file of tests: loading its library takes
// longer than most conversations. `steps` are done one after the other; those of a step `together` at once. Nothing is
// judged here.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** `connect` makes a client, and what the two libraries differ in. Ends with stdin. */
export async function listen(connect) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { number, ...asked } = JSON.parse(line);
    converse(asked, connect).then(
      (answer) => answerWith({ number, answer }),
      (error) => answerWith({ number, failed: String(error?.stack ?? error) }),
    );
  }
  process.exit(0);
}

function answerWith(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

/** All that comes out of a stream. */
export function said(stream) {
  let text = "";
  stream?.setEncoding?.("utf8");
  stream?.on("data", (piece) => (text += piece));
  const ended = new Promise((resolve) => (stream === undefined ? resolve() : stream?.once("end", resolve)));
  return async () => {
    await ended;
    return text;
  };
}

async function converse(asked, connect) {
  const library = await connect(asked);
  const { client, logs, stderr } = library;
  const results = [];
  for (const step of asked.steps) results.push(await perform(step, client, library));
  const answer = {
    results,
    instructions: client.getInstructions(),
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    logs,
  };
  await client.close();
  return { ...answer, stderr: await stderr() };
}

async function perform(step, client, library) {
  try {
    return await STEPS[step.do](step, client, library);
  } catch (error) {
    return { thrown: { code: error.code, message: error.message, data: error.data } };
  }
}

const STEPS = {
  list: (_, client) => client.listTools(),
  call: async ({ name, arguments: input, progress, meta }, _, { callTool }) => {
    const seen = [];
    const options = progress === true ? { onprogress: (update) => seen.push(update) } : {};
    const result = await callTool({ name, arguments: input, ...(meta ? { _meta: meta } : {}) }, options);
    return progress === true ? { ...result, seen } : result;
  },
  // Ends the call when a file is there.
  cancel: async ({ name, arguments: input, when }, _, { callTool }) => {
    const ending = new AbortController();
    const call = callTool({ name, arguments: input }, { signal: ending.signal });
    call.catch(() => {});
    while (!existsSync(when)) await pause(10);
    ending.abort("enough");
    return call;
  },
  together: ({ steps }, client, library) => Promise.all(steps.map((step) => perform(step, client, library))),
  // Waits for the end of the processes whose ids a file lists; those that do not end within half a minute.
  over: async ({ file }) => {
    const alive = () => readFileSync(file, "utf8").trim().split("\n").map(Number).filter(isAlive);
    for (let turn = 0; turn < 600 && alive().length > 0; turn += 1) await pause(50);
    return { alive: alive() };
  },
  roots: async ({ roots }, client, library) => {
    library.roots.splice(0, library.roots.length, ...roots);
    if (library.tells) await client.sendRootsListChanged();
    return {};
  },
  level: ({ level }, client) => client.setLoggingLevel(level),
  ping: (_, client) => client.ping(),
  resources: (_, client) => client.listResources(),
  templates: (_, client) => client.listResourceTemplates(),
  read: ({ uri }, client) => client.readResource({ uri }),
  complete: ({ uri, name, value }, client) =>
    client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } }),
};

function isAlive(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
