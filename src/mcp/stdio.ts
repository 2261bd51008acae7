/**
 * The server over stdin and stdout: nothing but protocol on stdout. It ends when stdin does, with everything that it
 * started. Called by the command line.
 */
import type { Server, Transport } from "@modelcontextprotocol/server";
import type { Readable, Writable } from "node:stream";
import { answerEarly } from "./early.ts";
import { broadWarning } from "./hello.ts";
import type { Log } from "./log.ts";
import type { McpOptions } from "./options.ts";
import { begin } from "./quiet.ts";

export interface StdioGround {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly log: Log;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

export async function serveOverStdio(options: McpOptions, ground: StdioGround): Promise<void> {
  const { stdin, stdout, log, signal } = ground;
  const early = answerEarly(stdin, stdout, options);
  const [{ serveStdio }, { LineTransport }, { createServer }, { ClientGround }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./line-transport.ts"),
    import("./server.ts"),
    import("./client-ground.ts"),
  ]);
  // One client is at the other end, whichever revision it speaks.
  const client = new ClientGround(options, (text) => log("warn", text));
  const transport = new LineTransport(
    early.rest(),
    stdout,
    (message) => !("method" in message) && early.answered(message.id),
  );
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted || stdin.readableEnded || stdin.destroyed) resolve();
  });
  const onerror = (error: Error): void =>
    log("debug", "The protocol was not followed", { why: error.message });
  // Where the revision is known, nobody has to stand between and look at each message for it.
  const served = early.greeted()
    ? await connected(createServer(client, log), transport, onerror)
    : serveStdio(() => createServer(client, log), { transport, onerror });
  const broad = broadWarning(options);
  if (broad !== null) log("warn", broad);
  log("info", "Serving over stdio", { root: options.root, dialect: options.dialect });
  begin()();
  await ended;
  await served.close();
  await client.close();
  log("info", "The client is gone");
}

async function connected(
  server: Server,
  transport: Transport,
  onerror: (error: Error) => void,
): Promise<Server> {
  server.onerror = onerror;
  await server.connect(transport);
  return server;
}
