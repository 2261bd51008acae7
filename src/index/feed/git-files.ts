/**
 * Where ripgrep looks for a repository's own excludes and for the user's global ones. It is what ripgrep does, not what
 * git does: git's configuration is searched for one line by a regex, and relative paths are taken from the folder that
 * ripgrep runs in. Called by `rules-watch.ts`, and for repositories inside a tree by whoever watches them.
 */
import { userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { Environment } from "../../workspace/cache.ts";
import type { RuleFiles } from "./rule-files.ts";

// As the crate `ignore` has it, for bytes: its blanks are ASCII, and only a newline ends a line. Written so that no run
// of blanks can be shared out in two ways.
const EXCLUDES_LINE =
  /(?:^|\n)[\t\v\f\r ]*excludesfile[\t\n\v\f\r ]*=[\t\n\v\f\r ]*(?:"[\t\n\v\f\r ]*)?([^\t\n\v\f\r ]+?)[\t\v\f\r ]*(?:"[\t\v\f\r ]*)?(?=\n|$)/i;

/** The file `info/exclude` of a repository, also of a worktree, whose `.git` is a file; null where none is read. */
export function infoExclude(folder: string, workingFolder: string, files: RuleFiles): string | null {
  const git = join(folder, ".git");
  const kind = files.kind(git);
  if (kind !== "file") return join(git, "info/exclude");
  const gitFolder = firstLine(files.text(git));
  if (gitFolder === null || !gitFolder.startsWith("gitdir: ")) return null;
  const own = resolve(workingFolder, gitFolder.slice("gitdir: ".length));
  const common = firstLine(files.text(join(own, "commondir")));
  if (common === null) return null;
  return join(resolve(common.startsWith(".") ? own : workingFolder, common), "info/exclude");
}

/** The user's global ignore file, be it there or not. */
export function excludesFile(workingFolder: string, env: Environment, files: RuleFiles): string | null {
  const home = homeOf(env);
  const config = configFolder(env, home);
  const configs = [
    ...(home === null ? [] : [join(home, ".gitconfig")]),
    ...(config === null ? [] : [join(config, "git/config")]),
  ];
  for (const path of configs) {
    const named = excludesIn(files.text(resolve(workingFolder, path)));
    if (named !== null)
      return resolve(
        workingFolder,
        named.replaceAll("~", () => home ?? "~"),
      );
  }
  return config === null ? null : resolve(workingFolder, join(config, "git/ignore"));
}

function excludesIn(text: Buffer | null): string | null {
  const found = text === null ? null : EXCLUDES_LINE.exec(text.toString("latin1"));
  if (found?.[1] === undefined) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(found[1], "latin1"));
  } catch {
    return null;
  }
}

/** An empty HOME counts, as it does for ripgrep; without one, the system knows. */
function homeOf(env: Environment): string | null {
  const home = env["HOME"];
  if (home !== undefined) return home;
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}

function configFolder(env: Environment, home: string | null): string | null {
  return env["XDG_CONFIG_HOME"] || (home === null ? null : join(home, ".config"));
}

function firstLine(text: Buffer | null): string | null {
  if (text === null || text.length === 0) return null;
  const end = text.indexOf("\n");
  return text
    .subarray(0, end === -1 ? text.length : end)
    .toString("utf8")
    .replace(/\r$/, "");
}
