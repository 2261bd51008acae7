/** One call of a tool in a workspace of its own, printed: what the call, read and edit commands have in common. */
import type { ToolResult } from "../dialects/result.ts";
import { escapeJson } from "../format/escape.ts";
import { show } from "../format/style.ts";
import { ToolError } from "../model/errors.ts";
import type { WorkspaceOptions } from "../quarry.ts";
import type { Typed } from "./arguments.ts";
import { type Io, say, stderrStyle, stdoutStyle } from "./io.ts";
import { openWorkspace } from "./open-workspace.ts";
import type { Output } from "./output.ts";

export async function callTool(
  tool: string,
  input: unknown,
  typed: Typed,
  io: Io,
  out: Output,
  defaults: Pick<WorkspaceOptions, "allow" | "session">,
): Promise<number> {
  const workspace = await openWorkspace(typed, io, defaults);
  let result: ToolResult;
  try {
    for (const warning of workspace.warnings) await say(io, `${show(stderrStyle(io), warning)}\n`);
    const call = workspace.tools[tool];
    if (call === undefined) throw readOnly(tool);
    result = await call(input as never, { signal: out.ended });
  } finally {
    await workspace.close();
  }
  await out.write(`${typed.on("details") ? json(io, result) : text(io, result)}\n`);
  const kept = artifactOf(result);
  if (kept !== null && (typed.text("session") ?? defaults.session) === undefined) {
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

function readOnly(tool: string): ToolError {
  return new ToolError("READ_ONLY", `${tool} changes files, and this session may not`, {
    hint: "Leave out --read-only",
  });
}
