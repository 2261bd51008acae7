// Clients of the official library 1.x, in a program of its own. Started by `clients.ts`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { listen, said } from "./client-script.mjs";

await listen(async (asked) => {
  const logs = [];
  const roots = [...(asked.roots ?? [])];
  const capabilities = asked.roots === null ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: "one", version: "1" }, { capabilities });
  if (asked.roots !== null) {
    // A client that never answers is one of the cases.
    client.setRequestHandler(ListRootsRequestSchema, () =>
      asked.silent ? new Promise(() => {}) : { roots },
    );
  }
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.push(params));
  const transport =
    asked.url === undefined
      ? new StdioClientTransport({ ...asked.server, stderr: "pipe" })
      : new StreamableHTTPClientTransport(new URL(asked.url));
  const stderr = said(transport.stderr);
  await client.connect(transport);
  const callTool = (params, options) => client.callTool(params, undefined, options);
  return { client, callTool, logs, roots, tells: true, stderr };
});
