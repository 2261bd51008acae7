// `git grep` over the work tree. Its repository lies outside of it and knows the names alone: git greps the files on
// disk, and hashing all of them first would only take time.
import { execFileSync, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { removeFolder, temporaryFolder, watchChild } from "../cleanup.mjs";
import { countsOf, output, typeGlobs } from "./ripgrep.mjs";

export function openGitGrep(root) {
  const place = temporaryFolder("git");
  const env = {
    ...process.env,
    GIT_DIR: join(place, "repository"),
    GIT_WORK_TREE: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    // Its \w and \p{…} are Unicode's only in such a locale.
    LC_ALL: "C.UTF-8",
  };
  const git = (argv, input) => execFileSync("git", argv, { cwd: root, env, input, maxBuffer: 2 ** 30 });
  git(["init", "--quiet"]);
  // As a blob of its own, whatever kind of hash it uses.
  const blob = git(["hash-object", "-w", "--stdin"], "").toString().trim();
  git(
    ["update-index", "-z", "--index-info"],
    files(root)
      .map((path) => `100644 ${blob}\t${path}\0`)
      .join(""),
  );

  return {
    name: "git grep",
    // Not of Perl's syntax.
    asks: ({ pattern }) => !pattern.includes("(?-u"),
    search: async (question) => {
      const started = performance.now();
      const argv = ["grep", "-n", ...matching(question)];
      const child = watchChild(spawn("git", argv, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] }));
      child.stdout.resume();
      const code = await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
      // A pattern that it refuses takes no time at all.
      if (code === null || code > 1) throw new Error(`git grep ended with ${code}`);
      return { ms: performance.now() - started };
    },
    whole: async (question) => ({
      counts: countsOf(output("git", ["grep", "-c", "-z", ...matching(question)], { cwd: root, env })),
    }),
    close: async () => removeFolder(place),
  };
}

export function gitVersion() {
  return execFileSync("git", ["--version"], { encoding: "utf8" }).trim().replace("git version ", "");
}

function matching({ pattern, i, type, glob, path }) {
  const globs = [...(glob === undefined ? [] : [glob]), ...(type === undefined ? [] : typeGlobs(type))];
  const paths = [...globs.map((one) => `:(glob)**/${one}`), ...(path === undefined ? [] : [path])];
  // -I: no binary files, as ripgrep; -P: the syntax nearest to Rust's.
  return ["-I", "-P", ...(i ? ["-i"] : []), "-e", pattern, "--", ...paths];
}

function files(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .toSorted();
}
