// A client of the official library 2.x, as a program of its own: in the older revisions, or in 2026-07-28 alone.
// Started by `clients.ts`.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { asked, play } from "./client-script.mjs";

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
await client.connect(
  asked.url === undefined
    ? new StdioClientTransport({ ...asked.server, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(asked.url)),
);
await play(client, {
  callTool: (params, options) => client.callTool(params, options),
  logs,
  roots,
  tells: !newest,
});
