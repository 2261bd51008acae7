/**
 * The ground of the mutation machine: a tree that is a real repository with three branches, what lies above and outside
 * of it that decides what ripgrep lists, and a home. Grounds are planted in advance, because the index trusts no file
 * that was read soon after its last change, and one that trusts nothing cannot be wrong.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";

export const WORDS = ["alpha", "bravo", "delta", "gamma"] as const;
export const PATHS = [
  "a",
  "b.log",
  ".h",
  "d/a",
  "d/b.log",
  "d/e/a",
  "d/e/f/b",
  "x/a",
  "x/d/a",
  "x/d/e/a",
  "build/a",
] as const;
/** These have another name outside the tree from the start. */
const LINKED = ["a", "d/e/a", "x/d/a"] as const;
export const BRANCHES = ["main", "other", "third"] as const;

export interface MutationGround {
  /** Holds all of it. */
  readonly place: string;
  readonly root: string;
  readonly outside: string;
  readonly home: string;
  /** Where the index is saved. */
  readonly saved: string;
  readonly env: NodeJS.ProcessEnv;
  readonly remove: () => void;
}

/** Grounds that were planted long enough ago, so many at a time. */
export class Grounds {
  readonly #atOnce: number;
  #ready: MutationGround[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async next(): Promise<MutationGround> {
    if (this.#ready.length === 0) {
      this.#ready = Array.from({ length: this.#atOnce }, plantGround);
      await sleep(DISTRUSTED_YOUNG + 100);
    }
    return this.#ready.pop() ?? plantGround();
  }

  remove(): void {
    for (const { remove } of this.#ready.splice(0)) remove();
    if (made !== null) rmSync(dirname(made), { recursive: true, force: true });
    made = null;
  }
}

function plantGround(): MutationGround {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-mutations-")));
  // Another user looks at it as well.
  chmodSync(place, 0o755);
  const [root, outside, home] = [join(place, "up", "tree"), join(place, "outside"), join(place, "home")];
  mkdirSync(root, { recursive: true });
  mkdirSync(outside);
  mkdirSync(join(home, ".config", "git"), { recursive: true });
  for (const [path, text] of Object.entries(worktreeOf(outside))) write(outside, path, text);
  cpSync(repository(), join(root, ".git"), { recursive: true });
  for (const [at, path] of PATHS.entries()) write(root, path, `${WORDS[at % WORDS.length]} here\n`);
  for (const path of LINKED) linkSync(join(root, path), join(outside, nameOutside(path)));
  const { XDG_CONFIG_HOME: _, ...env } = process.env;
  return {
    place,
    root,
    outside,
    home,
    saved: join(place, "index"),
    env: { ...env, HOME: home },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

/** A repository outside the tree, of which a folder in the tree may be a worktree. */
function worktreeOf(outside: string): Readonly<Record<string, string>> {
  return {
    "far.git/info/exclude": "",
    "far.git/worktrees/x/commondir": "../..\n",
    "worktree-file": `gitdir: ${join(outside, "far.git/worktrees/x")}\n`,
    rules: "",
  };
}

export function nameOutside(path: string): string {
  return `linked-${path.replaceAll("/", "-")}`;
}

export function write(root: string, path: string, text: string): void {
  const file = join(root, path);
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Runs git on a tree whose repository need not be there. */
export function git(root: string, ...args: readonly string[]): void {
  spawnSync("git", [`--git-dir=${join(root, ".git")}`, `--work-tree=${root}`, ...args], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, ...IDENTITY },
  });
}

const IDENTITY = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "x",
  GIT_AUTHOR_EMAIL: "x@x",
  GIT_COMMITTER_NAME: "x",
  GIT_COMMITTER_EMAIL: "x@x",
};

/** What the branches hold: other texts, other names, a file where there was a folder, other rules. */
const COMMITTED: Readonly<Record<(typeof BRANCHES)[number], Readonly<Record<string, string>>>> = {
  main: Object.fromEntries(PATHS.map((path, at) => [path, `${WORDS[at % WORDS.length]} here\n`])),
  other: {
    a: "gamma of another branch\n",
    "d/a": "alpha here\n",
    "d/renamed": "delta here\n",
    "x/a": "bravo here\n",
    "only/other/a": "alpha only\n",
    ".gitignore": "*.log\n/x/d/\n",
  },
  third: {
    d: "delta where a folder was\n",
    "a/b/c": "bravo where a file was\n",
    "d.log": "gamma\n",
    "x/.ignore": "a\n",
    "x/a": "alpha ignored\n",
    "x/b": "alpha\n",
  },
};

let made: string | null = null;

/** The `.git` that every ground gets a copy of; it goes with `Grounds.remove`. */
function repository(): string {
  if (made !== null) return made;
  const root = mkdtempSync(join(tmpdir(), "quarry-repository-"));
  git(root, "init", "-q", "--template=");
  for (const branch of BRANCHES) {
    git(root, "checkout", "-q", "--orphan", branch);
    git(root, "rm", "-rfq", ".");
    for (const [path, text] of Object.entries(COMMITTED[branch])) write(root, path, text);
    git(root, "add", "-Af");
    git(root, "commit", "-qm", branch);
  }
  git(root, "checkout", "-qf", "main");
  made = join(root, ".git");
  return made;
}
