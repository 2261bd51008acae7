// Clients of the official library 2.x, in a program of its own: in the older revisions, or in 2026-07-28 alone.
// Started by `clients.ts`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { listen, said } from "./client-script.mjs";

await listen(async (asked) => {
  const logs = [];
  const roots = [...(asked.roots ?? [])];
  const newest = asked.revision === "2026-07-28";
  const capabilities = asked.roots === null ? {} : { roots: newest ? {} : { listChanged: true } };
  const client = new Client(
    { name: "two", version: "1" },
    { capabilities, versionNegotiation: { mode: newest ? { pin: asked.revision } : "legacy" } },
  );
  if (asked.roots !== null) {
    client.setRequestHandler("roots/list", () => (asked.silent ? new Promise(() => {}) : { roots }));
  }
  client.setNotificationHandler("notifications/message", ({ params }) => logs.push(params));
  const transport =
    asked.url === undefined
      ? new StdioClientTransport({ ...asked.server, stderr: "pipe" })
      : new StreamableHTTPClientTransport(new URL(asked.url));
  const stderr = said(transport.stderr);
  await client.connect(transport);
  const callTool = (params, options) => client.callTool(params, options);
  return { client, callTool, logs, roots, tells: !newest, stderr };
});
