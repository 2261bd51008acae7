/**
 * Official client libraries as processes of their own, told by JSON what to call, beside a server of the built program:
 * a table over libraries and transports, so that a test is written once.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { afterAll, onTestFinished } from "vitest";
import { PROGRAM } from "../cli/helpers.ts";
import { tree } from "../support/tree.ts";
import { listening, spawnProgram, type Started } from "./program.ts";

export type Transport = "stdio" | "http";

const TRANSPORTS: readonly Transport[] = ["stdio", "http"];

export interface Library {
  readonly name: string;
  readonly program: string;
  /** Of 2.x: the newest, or one with an `initialize`. */
  readonly revision?: "2026-07-28";
}

export const LIBRARIES: readonly Library[] = [
  { name: "1.x", program: "client-1.mjs" },
  { name: "2.x", program: "client-2.mjs" },
  { name: "2.x in 2026-07-28", program: "client-2.mjs", revision: "2026-07-28" },
];

/** Every library over every transport. */
export const CLIENTS: readonly (readonly [string, Library, Transport])[] = TRANSPORTS.flatMap((transport) =>
  LIBRARIES.map((library) => [`${library.name} over ${transport}`, library, transport] as const),
);

/** For what no transport has a part in. */
export const OVER_STDIO: typeof CLIENTS = CLIENTS.filter(([, , transport]) => transport === "stdio");

export interface Step {
  readonly do: string;
  readonly [argument: string]: unknown;
}

export interface Conversation {
  readonly steps: readonly Step[];
  /** The flags of `quarry mcp`. */
  readonly flags: readonly string[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** null: the client has no such thing. */
  readonly roots?: readonly { readonly uri: string; readonly name?: string }[] | null;
  /** It says that it has roots, and never names them. */
  readonly silent?: boolean;
}

/** The answer of one step: a result, or what the library threw. */
export interface Answer extends Partial<CallToolResult> {
  readonly thrown?: { readonly code: number | string; readonly message: string; readonly data?: unknown };
  readonly seen?: readonly {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
  }[];
  readonly tools?: readonly Tool[];
  readonly [name: string]: unknown;
}

export interface Said {
  readonly results: readonly Answer[];
  readonly instructions: string;
  readonly server: { readonly name: string; readonly title: string; readonly version: string };
  readonly capabilities: object;
  readonly logs: readonly { readonly level: string; readonly data: string }[];
  /** What the server wrote to stderr. */
  readonly stderr: string;
}

/** One conversation of one client with a server of its own. */
export async function converse(
  library: Library,
  transport: Transport,
  conversation: Conversation,
): Promise<Said> {
  const { steps, flags, cwd = tree(), roots = null, silent = false } = conversation;
  const env = serverEnv(conversation.env);
  const told = { steps, roots, silent, revision: library.revision };
  if (transport === "stdio") {
    const server = { command: process.execPath, args: [PROGRAM, "mcp", ...flags], cwd, env };
    return client(library, { ...told, server });
  }
  const { url, log } = await serveHttp(flags, { cwd, env });
  const said = await client(library, { ...told, url });
  return { ...said, stderr: log() };
}

/** An environment with a cache of its own, and nothing that the tests' own would change. */
export function serverEnv(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const home = tree();
  return {
    PATH: process.env["PATH"],
    HOME: home,
    QUARRY_CACHE_DIR: join(home, "cache"),
    QUARRY_INDEX: "off",
    ...more,
  };
}

async function client({ program }: Library, told: object): Promise<Said> {
  const running = programs.get(program) ?? new Program(program);
  programs.set(program, running);
  return running.ask(told);
}

/** The programs of the libraries, for one file of tests. */
const programs = new Map<string, Program>();
afterAll(() => {
  for (const program of programs.values()) program.end();
});

/** One program of a library, in which each conversation is a client of its own. */
class Program {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (line: Line) => void>();
  #number = 0;
  #stderr = "";

  constructor(name: string) {
    this.#child = spawn(process.execPath, [fileURLToPath(new URL(name, import.meta.url))]);
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    createInterface({ input: this.#child.stdout }).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      this.#waiting.get(line.number)?.(line);
      this.#waiting.delete(line.number);
    });
    this.#child.once("close", (code) => {
      const failed = `The client ended with ${code}: ${this.#stderr}`;
      for (const [number, hear] of this.#waiting) hear({ number, failed });
    });
  }

  async ask(told: object): Promise<Said> {
    const number = ++this.#number;
    const line = await new Promise<Line>((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.stdin.write(`${JSON.stringify({ ...told, number })}\n`);
    });
    if (line.answer === undefined) throw new Error(`The client failed: ${line.failed} ${this.#stderr}`);
    return line.answer;
  }

  end(): void {
    this.#child.stdin.end();
  }
}

interface Line {
  readonly number: number;
  readonly answer?: Said;
  readonly failed?: string;
}

/** `quarry mcp` over HTTP on a free port, until the test is over. */
function serveHttp(
  flags: readonly string[],
  ground: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Started> {
  const child = spawnProgram(flags, ground);
  endWithTest(child);
  return listening(child);
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
}
