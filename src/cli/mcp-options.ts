/** What an MCP server is started with: flags, their twins in the environment, and what the working folder narrows. */
import { isAbsolute, resolve } from "node:path";
import { nearest } from "../format/nearest.ts";
import type { McpOptions } from "../mcp/options.ts";
import { ToolError } from "../model/errors.ts";
import { BORIS_FILE } from "../model/limits.ts";
import { resolveRoot } from "../workspace/targets.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";
import { narrowing } from "./narrowing.ts";
import { packageVersion } from "./version.ts";

export async function mcpOptions(typed: Typed, io: Io): Promise<McpOptions> {
  // A folder that is not there is said at the start, to whoever wrote the configuration.
  const root = await resolveRoot(resolve(io.cwd, typed.text("workdir") ?? "."));
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
    allow: await narrowed.allow(allow.length === 0 ? null : allow),
    deny: [...typed.list("deny"), ...narrowed.deny],
    dialect,
    anthropicCompat,
    readOnly: typed.on("read-only") || narrowed.readOnly,
    disabledTools: [
      ...(await knownTools("--disable-tools", typed.list("disable-tools"))),
      ...(await knownTools("disableTools of the project", narrowed.disabledTools)),
    ],
    maxFileSize: smaller(typed.bytes("max-file-size") ?? null, dialect, narrowed.maxFileSize),
    structured: typed.on("structured"),
    env: io.env,
    version: await packageVersion(),
  };
}

/** Of any dialect: a project may be served in each of them. A mistyped one would stay offered. */
async function knownTools(where: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const { DIALECTS, toolDefinitions } = await import("../dialects/dialects.ts");
  const all = new Set(
    [...DIALECTS.map((one) => toolDefinitions(one)), toolDefinitions("boris", { anthropicCompat: true })]
      .flat()
      .map(({ name }) => name),
  );
  const unknown = names.find((name) => !all.has(name));
  if (unknown === undefined) return names;
  const near = nearest(unknown, [...all]);
  throw new ToolError("INVALID_INPUT", `${where} names no tool: ${JSON.stringify(unknown)}`, {
    hint: near === null ? `The tools are ${[...all].join(", ")}` : `Did you mean ${near}?`,
  });
}

/** A project may ask for less than was typed, or than a dialect allows where nothing was. */
function smaller(typed: number | null, dialect: string, project: number | null): number | null {
  if (project === null) return typed;
  return Math.min(project, typed ?? (dialect === "boris" ? BORIS_FILE : project));
}
