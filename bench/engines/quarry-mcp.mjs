// Quarry through MCP: the program as a client starts it, over stdio or HTTP, and the official client.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { watchChild, watchProcess } from "../cleanup.mjs";
import { NOWHERE } from "../questions.mjs";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** `patience`: how long an index may take until it answers, in milliseconds. */
export async function openQuarryMcp(root, cache, patience) {
  const env = { ...process.env, QUARRY_CACHE_DIR: cache };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp", "--workdir", root, "--read-only", ...indexFlags()],
    env,
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  const { pid } = transport;
  const forget = watchProcess(pid);
  const call = caller(client);
  return {
    name: "quarry mcp",
    pid,
    index: await answering(call, patience),
    search: ({ pattern, i, type, glob, path }) => call("search", { pattern, i, type, paths: glob ?? path }),
    find: (glob) => call("find", { paths: glob }),
    close: async () => {
      await client.close();
      forget();
    },
  };
}

/** A server over HTTP; `join` is one more session. */
export async function openQuarryHttp(root, cache) {
  const env = { ...process.env, QUARRY_CACHE_DIR: cache };
  const argv = [
    PROGRAM,
    "mcp",
    "--workdir",
    root,
    "--read-only",
    "--transport",
    "http",
    "--port",
    "0",
    ...indexFlags(),
  ];
  const child = watchChild(spawn(process.execPath, argv, { env, stdio: ["ignore", "ignore", "pipe"] }));
  const url = await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
      const [found] = /http:\/\/\S+\/mcp/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`The server over HTTP ended: ${said}`)));
  });
  const clients = [];
  return {
    pid: child.pid,
    join: async (patience) => {
      // Of the older revisions: the newest has no sessions.
      const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "legacy" } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      clients.push(client);
      return answering(caller(client), patience);
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      child.kill("SIGTERM");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    },
  };
}

function caller(client) {
  return async (name, given) => {
    const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    const started = performance.now();
    const { isError, content, _meta: meta } = await client.callTool({ name, arguments: input });
    const ms = performance.now() - started;
    if (isError) throw new Error(content[0].text);
    const { engine, engineWhy, files } = meta?.["quarry/details"] ?? {};
    return { ms, engine, engineWhy, files };
  };
}

/** Until the index answers, or will not. */
async function answering(call, patience) {
  const started = performance.now();
  for (;;) {
    const { engine, engineWhy } = await call("search", NOWHERE);
    const ms = performance.now() - started;
    if (engine === "index" || engineWhy === "there is no index" || ms > patience)
      return { engine, engineWhy, ms };
    await sleep(20);
  }
}

let flags = null;

/** Ready as soon as can be, where the program can be told so. */
function indexFlags() {
  flags ??= /--index\b/.test(execFileSync(process.execPath, [PROGRAM, "mcp", "--help"], { encoding: "utf8" }))
    ? ["--index", "now"]
    : [];
  return flags;
}
