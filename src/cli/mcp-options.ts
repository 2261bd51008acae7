/** What an MCP server is started with: flags, their twins in the environment, and what the working folder narrows. */
import { isAbsolute, resolve } from "node:path";
import { ToolError } from "../model/errors.ts";
import type { McpOptions } from "../mcp/options.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";
import { narrowing } from "./narrowing.ts";
import { packageVersion } from "./version.ts";

export async function mcpOptions(typed: Typed, io: Io): Promise<McpOptions> {
  const root = resolve(io.cwd, typed.text("workdir") ?? ".");
  const absolute = (folder: string): string => (isAbsolute(folder) ? folder : resolve(io.cwd, folder));
  const allow = typed.list("allow-dir").map(absolute);
  const dialect = typed.choice("dialect") ?? "quarry";
  const anthropicCompat = typed.on("anthropic-compat");
  if (anthropicCompat && dialect !== "boris") {
    throw new ToolError("INVALID_INPUT", `--anthropic-compat is for --dialect boris, not for ${dialect}`, {
      hint: "Leave it out; claude has these names anyway",
    });
  }
  const narrowed = await narrowing(root);
  return {
    root,
    allow: narrowed.allow(allow.length === 0 ? null : allow),
    deny: [...typed.list("deny"), ...narrowed.deny],
    dialect,
    anthropicCompat,
    readOnly: typed.on("read-only") || narrowed.readOnly,
    disabledTools: [...typed.list("disable-tools"), ...narrowed.disabledTools],
    maxFileSize: least(typed.bytes("max-file-size") ?? null, narrowed.maxFileSize),
    structured: typed.on("structured"),
    env: io.env,
    version: await packageVersion(),
  };
}

function least(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
