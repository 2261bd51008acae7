/** What an MCP server is started with: flags, their twins in the environment, and what the working folder narrows. */
import { isAbsolute, resolve } from "node:path";
import { indexSettings } from "../index/settings.ts";
import { knownTools } from "../mcp/alike-tools.ts";
import { narrowedBy } from "../mcp/narrowed.ts";
import { narrowing } from "../mcp/narrowing.ts";
import type { McpOptions } from "../mcp/options.ts";
import { ToolError } from "../model/errors.ts";
import { resolveRoot } from "../workspace/targets.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";
import { packageVersion } from "./version.ts";

/** What cannot be served is said at the start, to whoever wrote the configuration, and not to a client at its first call. */
export async function mcpOptions(typed: Typed, io: Io): Promise<McpOptions> {
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
  await checkFolders(allow);
  const { use } = indexSettings({ use: typed.choice("index") }, io.env);
  const options: McpOptions = {
    root,
    allow: allow.length === 0 ? null : allow,
    deny: typed.list("deny"),
    dialect,
    anthropicCompat,
    readOnly: typed.on("read-only"),
    disabledTools: await knownTools("--disable-tools", typed.list("disable-tools")),
    maxFileSize: typed.bytes("max-file-size") ?? null,
    index: typed.on("no-index") ? "off" : use,
    structured: typed.on("structured"),
    env: io.env,
    version: await packageVersion(),
  };
  const narrowed = await narrowedBy(options, await narrowing(root));
  await checkGlobs(narrowed.deny);
  if (narrowed.allow === null || narrowed.allow === options.allow) return narrowed;
  return { ...narrowed, within: await checkFolders(narrowed.allow) };
}

/** Where they really are. @throws PATH_NOT_FOUND, NOT_A_FOLDER */
async function checkFolders(folders: readonly string[]): Promise<readonly string[]> {
  if (folders.length === 0) return [];
  const { realFolder } = await import("../workspace/policy.ts");
  return Promise.all(folders.map(realFolder));
}

/** @throws INVALID_GLOB. Loaded only where something is denied: it takes some 50 ms. */
async function checkGlobs(globs: readonly string[]): Promise<void> {
  if (globs.length === 0) return;
  const { compileGlobs } = await import("../regex/glob.ts");
  compileGlobs(globs, "path");
}
