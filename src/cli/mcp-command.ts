/**
 * `quarry mcp`: an MCP server over stdio or HTTP, until its client or whoever started it ends it. What is said to people
 * goes to stderr.
 */
import { processIsOurs } from "../index/give-back.ts";
import { logger, type LogOptions } from "../mcp/log.ts";
import type { McpOptions } from "../mcp/options.ts";
import { serveOverStdio } from "../mcp/stdio.ts";
import { ToolError } from "../model/errors.ts";
import { parseTyped } from "./arguments.ts";
import { twins } from "./environment-twins.ts";
import type { Io } from "./io.ts";
import { mcpOptions } from "./mcp-options.ts";
import type { Output } from "./output.ts";

export async function mcpCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("mcp", [...twins("mcp", io.env), ...argv]);
  if (typed.on("help")) {
    await out.write((await import("./help.ts")).commandHelp("mcp"));
    return 0;
  }
  const [extra] = typed.positionals;
  if (extra !== undefined) {
    throw new ToolError("INVALID_INPUT", `quarry mcp takes no argument ${JSON.stringify(extra)}`, {
      hint: "The folder is --workdir DIR",
    });
  }
  const client = typed.text("print-config");
  if (client !== undefined) {
    return (await import("./print-config.ts")).printConfig(client, typed, argv, io, out);
  }
  const overHttp = typed.choice("transport") === "http";
  const logs: LogOptions = {
    // Over stdio a client keeps what is said, or shows it as trouble: only trouble is said.
    level: typed.choice("log-level") ?? (overHttp ? "info" : "warn"),
    format: typed.choice("log-format") ?? "text",
    write: (line) => void io.stderr.write(line),
  };
  const log = logger(logs);
  const options = await mcpOptions(typed, io);
  processIsOurs();
  const release = options.index === "now" ? holdIndex(options) : null;
  try {
    if (overHttp) {
      const [{ serveOverHttp }, { httpOptions }] = await Promise.all([
        import("../mcp/http.ts"),
        import("./mcp-http.ts"),
      ]);
      await serveOverHttp(options, httpOptions(typed, logs), { log, signal: io.signal });
    } else {
      await serveOverStdio(options, { stdin: io.stdin, stdout: io.stdout, log, signal: io.signal });
    }
  } finally {
    await (await release)?.();
  }
  return 0;
}

/** Before there is a client, and while none is there. */
async function holdIndex({ root, env }: McpOptions): Promise<() => Promise<void>> {
  const [{ indexSource }, { indexSettings }] = await Promise.all([
    import("../index/open-indexes.ts"),
    import("../index/settings.ts"),
  ]);
  return indexSource(root, indexSettings({ use: "now" }, env), env).release;
}
