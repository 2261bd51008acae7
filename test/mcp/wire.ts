/** A server of the built program over stdio, spoken to in bytes: what no client library would send. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { PROGRAM } from "../cli/helpers.ts";
import { serverEnv } from "./clients.ts";

export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface WireOptions {
  readonly flags?: readonly string[];
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

export class Wire {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: Message[] = [];
  stderr = "";
  #rest = "";
  readonly #closed: Promise<unknown[]>;
  #watchers: (() => void)[] = [];

  constructor({ flags = [], cwd, env }: WireOptions) {
    this.child = spawn(process.execPath, [PROGRAM, "mcp", ...flags], { cwd, env: serverEnv(env) });
    onTestFinished(() => {
      this.child.kill("SIGKILL");
    });
    this.child.stdin.on("error", () => {});
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.#closed = once(this.child, "close");
  }

  /** Throws in the test's process when stdout has anything but messages. */
  #hear(text: string): void {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.messages.push(JSON.parse(line) as Message);
    for (const look of this.#watchers) look();
  }

  /** Bytes as they are. */
  write(bytes: string | Buffer): void {
    this.child.stdin.write(bytes);
  }

  send(...messages: readonly object[]): void {
    this.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  }

  /** The first message that is such a one, past or to come; undefined when the server ends before. */
  async heard(is: (message: Message) => boolean): Promise<Message | undefined> {
    const found = (): Message | undefined => this.messages.find(is);
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (found() !== undefined) resolve();
      };
      this.#watchers.push(look);
      void this.#closed.then(() => resolve());
      look();
    });
    return found();
  }

  answer(id: string | number | null): Promise<Message | undefined> {
    return this.heard((message) => message.id === id && message.method === undefined);
  }

  async request(id: string | number, method: string, params: object = {}): Promise<Message | undefined> {
    this.send({ id, method, params });
    return this.answer(id);
  }

  /** `initialize` in an older revision, and what comes after it. */
  async initialize(capabilities: object = {}, protocolVersion = "2025-11-25"): Promise<Message | undefined> {
    this.send(
      { id: "hello", method: "initialize", params: greeting(protocolVersion, capabilities) },
      { method: "notifications/initialized" },
    );
    return this.answer("hello");
  }

  /** Ends it as a client does; its exit code, and what stdout had besides messages. */
  async end(): Promise<{ readonly code: number | null; readonly rest: string }> {
    this.child.stdin.end();
    return this.ended();
  }

  async ended(): Promise<{ readonly code: number | null; readonly rest: string }> {
    const [code] = (await this.#closed) as [number | null];
    return { code, rest: this.#rest };
  }
}

export function greeting(protocolVersion: string, capabilities: object = {}): object {
  return { protocolVersion, capabilities, clientInfo: { name: "wire", version: "1" } };
}

/** What every request of the newest revision carries. */
export function newest(capabilities: object = {}, more: object = {}): object {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    ...more,
  };
}
