/** What each MCP client's configuration needs to start `quarry mcp`, for `--print-config` and docs/clients.md. */
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";

export interface ClientConfig {
  readonly title: string;
  /** Where it goes. */
  readonly file: string;
  readonly text: string;
}

interface Client {
  readonly title: string;
  readonly file: string;
  /** What it calls the folder that is open in it; null: it starts servers there; undefined: it has no word for it. */
  readonly folder: string | null | undefined;
  readonly text: (args: readonly string[]) => string;
}

const SERVER = (args: readonly string[]): object => ({ command: "quarry", args });

const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-code": {
    title: "Claude Code",
    file: ".mcp.json in the project",
    folder: null,
    text: (args) => json({ mcpServers: { quarry: SERVER(args) } }),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    file: "claude_desktop_config.json (Settings, Developer, Edit Config)",
    folder: undefined,
    text: (args) => json({ mcpServers: { quarry: SERVER(args) } }),
  },
  cursor: {
    title: "Cursor",
    file: ".cursor/mcp.json in the project",
    folder: "${workspaceFolder}",
    text: (args) => json({ mcpServers: { quarry: SERVER(args) } }),
  },
  vscode: {
    title: "VS Code",
    file: ".vscode/mcp.json in the project",
    folder: "${workspaceFolder}",
    text: (args) => json({ servers: { quarry: { type: "stdio", ...SERVER(args) } } }),
  },
  codex: {
    title: "Codex",
    file: "~/.codex/config.toml, or .codex/config.toml in a trusted project",
    folder: undefined,
    text: (args) =>
      `[mcp_servers.quarry]\ncommand = "quarry"\nargs = [${args.map((arg) => JSON.stringify(arg)).join(", ")}]`,
  },
  gemini: {
    title: "Gemini CLI",
    file: ".gemini/settings.json in the project",
    folder: null,
    text: (args) => json({ mcpServers: { quarry: SERVER(args) } }),
  },
  zed: {
    title: "Zed",
    file: "settings.json (zed: open settings)",
    folder: undefined,
    text: (args) => json({ context_servers: { quarry: { ...SERVER(args), env: {} } } }),
  },
  stdio: {
    title: "Any client that starts a command",
    file: "wherever it keeps its servers",
    folder: undefined,
    text: (args) => ["quarry", ...args].map(shellWord).join(" "),
  },
};

export const CLIENT_NAMES: readonly string[] = Object.keys(CLIENTS);

/** `args` are the flags that the server shall have, but for the folder. @throws INVALID_INPUT */
export function clientConfig(name: string, root: string, args: readonly string[]): ClientConfig {
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client === undefined) {
    const near = nearest(name, CLIENT_NAMES);
    throw new ToolError("INVALID_INPUT", `--print-config knows no client ${JSON.stringify(name)}`, {
      hint: near === null ? `The clients are ${CLIENT_NAMES.join(", ")}` : `Did you mean ${near}?`,
    });
  }
  const folder = client.folder === undefined ? root : client.folder;
  const workdir = folder === null ? [] : ["--workdir", folder];
  return { title: client.title, file: client.file, text: client.text(["mcp", ...workdir, ...args]) };
}

/** Lists of words on one line each, as people write them. */
function json(value: object): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /\[\n((?:\s+"(?:[^"\\]|\\.)*",?\n)+)\s+\]/g,
    (_, items: string) => `[${items.trim().replaceAll(/,\n\s+/g, ", ")}]`,
  );
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
