/**
 * `quarry mcp`: an MCP server over stdio or HTTP, until its client or whoever started it ends it. What is said to people
 * goes to stderr.
 */
import { resolve } from "node:path";
import { logger, type LogOptions } from "../mcp/log.ts";
import { serveOverStdio } from "../mcp/stdio.ts";
import { ToolError } from "../model/errors.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { twins } from "./environment-twins.ts";
import { type Io, say } from "./io.ts";
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
  if (client !== undefined) return printConfig(client, typed, argv, io, out);
  const logs: LogOptions = {
    level: typed.choice("log-level") ?? "info",
    format: typed.choice("log-format") ?? "text",
    write: (line) => void io.stderr.write(line),
  };
  const log = logger(logs);
  const options = await mcpOptions(typed, io);
  if (typed.choice("transport") === "http") {
    const [{ serveOverHttp }, { httpOptions }] = await Promise.all([
      import("../mcp/http.ts"),
      import("./mcp-http.ts"),
    ]);
    await serveOverHttp(options, httpOptions(typed, logs), { log, signal: io.signal });
    return 0;
  }
  await serveOverStdio(options, { stdin: io.stdin, stdout: io.stdout, log, signal: io.signal });
  return 0;
}

/** On stdout what goes into the file, on stderr which file that is. */
async function printConfig(
  client: string,
  typed: Typed,
  argv: readonly string[],
  io: Io,
  out: Output,
): Promise<number> {
  const { clientConfig } = await import("./client-config.ts");
  const root = resolve(io.cwd, typed.text("workdir") ?? ".");
  const { title, file, text } = clientConfig(client, root, otherFlags(argv, io.cwd));
  await say(io, `${title}: ${file}\n`);
  await out.write(`${text}\n`);
  return 0;
}

/** What was typed but for what only concerns this call; a folder is meant from here, wherever a client starts servers. */
function otherFlags(argv: readonly string[], cwd: string): readonly string[] {
  const own = /^--(?:print-config|workdir)(=|$)/;
  return argv
    .filter((word, at) => !own.test(word) && !/^--(?:print-config|workdir)$/.test(argv[at - 1] ?? ""))
    .map((word, at, words) => {
      if (words[at - 1] === "--allow-dir") return resolve(cwd, word);
      const [, folder] = /^--allow-dir=(.*)$/s.exec(word) ?? [];
      return folder === undefined ? word : `--allow-dir=${resolve(cwd, folder)}`;
    });
}
