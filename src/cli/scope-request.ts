/**
 * The part of a request that `search` and `find` have in common: where to look, at which files, for how long.
 * Pure; called by both commands. Paths are the person's own: relative to the current folder, and not confined to it.
 */
import { ToolError } from "../model/errors.ts";
import type { IgnoreRules } from "../model/query.ts";
import type { FindRequest } from "../model/request.ts";
import type { Typed } from "./arguments.ts";

type ScopeRequest = Omit<FindRequest, "kinds" | "order" | "limit" | "skip">;

export function scopeRequest(typed: Typed, root: string, paths: readonly string[]): ScopeRequest {
  const globs = typed.list("glob");
  const seconds = typed.decimal("timeout");
  return {
    root,
    paths: paths.length > 0 ? paths : undefined,
    include: globs.filter((glob) => !glob.startsWith("!")),
    exclude: globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
    types: typed.list("type"),
    ignore: ignoreRules(typed),
    hidden: !typed.on("no-hidden"),
    follow: typed.on("follow"),
    maxFileSize: typed.bytes("max-filesize"),
    timeoutMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    engine: typed.on("no-index") ? "ripgrep" : typed.choice("engine"),
  };
}

/** `--all` is the opposite of a page. */
export function checkPage(typed: Typed): void {
  if (!typed.on("all")) return;
  for (const name of ["limit", "skip"] as const) {
    if (typed.integer(name) === undefined) continue;
    throw new ToolError("INVALID_INPUT", `--all and --${name} exclude each other`, {
      hint: "--all shows everything; leave it out to see a page",
    });
  }
}

function ignoreRules(typed: Typed): IgnoreRules {
  if (typed.on("no-ignore")) return "off";
  return typed.on("no-require-git") ? "everywhere" : "on";
}
