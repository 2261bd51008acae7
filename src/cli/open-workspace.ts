/** The workspace that a command works in, as its flags say. Called by call, read and edit, which always close it. */
import { isAbsolute, resolve } from "node:path";
import { type AnyTools, createWorkspace, type Workspace, type WorkspaceOptions } from "../quarry.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";

export function openWorkspace(
  typed: Typed,
  io: Io,
  defaults: Pick<WorkspaceOptions, "allow" | "session" | "readOnly">,
): Promise<Workspace<AnyTools>> {
  const root = resolve(io.cwd, typed.text("workdir") ?? ".");
  // A folder on the command line is relative to where the command runs, as everywhere.
  const allow = typed
    .list("allow-dir")
    .map((folder) => (isAbsolute(folder) ? folder : resolve(io.cwd, folder)));
  const options: WorkspaceOptions = {
    root,
    dialect: typed.choice("dialect") ?? "quarry",
    anthropicCompat: typed.on("anthropic-compat"),
    allow: allow.length === 0 ? defaults.allow : allow,
    deny: typed.list("deny"),
    readOnly: typed.on("read-only") || (defaults.readOnly ?? false),
    session: typed.text("session") ?? defaults.session,
    // One call is over before an index would be there.
    index: "off",
    env: io.env,
  };
  return createWorkspace(options);
}
