/**
 * `quarry call TOOL JSON`: one call of a tool as an agent makes it, and exactly the text it gets; with `--details`
 * the whole result. A workspace is opened for it and always closed again.
 */
import { addAbortSignal } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { isAbsolute, resolve } from "node:path";
import type { ToolResult } from "../dialects/result.ts";
import { escapeJson } from "../format/escape.ts";
import { show } from "../format/style.ts";
import { ToolError } from "../model/errors.ts";
import { createWorkspace, type Workspace } from "../quarry.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { commandHelp } from "./help.ts";
import { type Io, say, stderrStyle, stdoutStyle } from "./io.ts";
import { nearest } from "./nearest.ts";
import type { Output } from "./output.ts";

export async function callCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("call", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("call"));
    return 0;
  }
  const [name, given, extra] = typed.positionals;
  if (extra !== undefined) throw usage(`quarry call takes no argument ${JSON.stringify(extra)}`);
  if (name === undefined) throw usage("There is no tool to call");
  const tool = toolName(name);
  const input = parseInput(
    given === "-" ? await readText(addAbortSignal(out.ended, io.stdin)) : (given ?? "{}"),
  );
  const workspace = await openWorkspace(typed, io);
  let result: ToolResult;
  try {
    for (const warning of workspace.warnings) await say(io, `${show(stderrStyle(io), warning)}\n`);
    result = await workspace.tools[tool](input as never, { signal: out.ended });
  } finally {
    await workspace.close();
  }
  await out.write(`${typed.on("details") ? json(io, result) : text(io, result)}\n`);
  const kept = artifactOf(result);
  if (kept !== null && typed.text("session") === undefined) {
    await say(io, `note: artifact://${kept} ended with this call; --session NAME keeps it\n`);
  }
  return result.isError === true ? 2 : 0;
}

/** Line by line: a terminal must not be moved about, and lines must stay lines. */
function text(io: Io, { content: [{ text }] }: ToolResult): string {
  const style = stdoutStyle(io, undefined);
  return text
    .split("\n")
    .map((line) => show(style, line))
    .join("\n");
}

function json(io: Io, result: ToolResult): string {
  const line = JSON.stringify(result);
  return stdoutStyle(io, undefined).escape ? escapeJson(line) : line;
}

function artifactOf({ details }: ToolResult): string | null {
  const { meta } = details as {
    readonly meta?: { readonly truncation?: { readonly artifactId: string | null } };
  };
  return meta?.truncation?.artifactId ?? null;
}

const TOOLS = ["search", "find"] as const;

function toolName(name: string): keyof Workspace["tools"] {
  const tool = TOOLS.find((one) => one === name);
  if (tool !== undefined) return tool;
  const near = nearest(name, TOOLS);
  throw new ToolError("INVALID_INPUT", `There is no tool ${JSON.stringify(name)}`, {
    hint: near === null ? `The tools are ${TOOLS.join(", ")}` : `Did you mean ${near}?`,
  });
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("INVALID_INPUT", `The input is no JSON: ${why}`, {
      hint: `Write it in single quotes: '{"pattern":"text"}'`,
      cause,
    });
  }
}

function openWorkspace(typed: Typed, io: Io): Promise<Workspace> {
  const root = resolve(io.cwd, typed.text("workdir") ?? ".");
  // A folder on the command line is relative to where the command runs, as everywhere.
  const allow = typed
    .list("allow-dir")
    .map((folder) => (isAbsolute(folder) ? folder : resolve(io.cwd, folder)));
  return createWorkspace({
    root,
    allow: allow.length === 0 ? undefined : allow,
    deny: typed.list("deny"),
    session: typed.text("session"),
    env: io.env,
  });
}

function usage(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: "quarry help call shows how it is called" });
}
