import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { watchRules } from "../../src/index/feed/rules-watch.ts";
import { rgPath } from "../support/ripgrep.ts";
import { FOLDER, tree } from "../support/tree.ts";

interface Ground {
  /** The folder that holds all of it. */
  readonly base: string;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

function ground(more: Parameters<typeof tree>[0] = {}): Ground {
  const base = tree({ "up/mid/root/file.txt": "x", "up/mid/root/other.md": "x", home: FOLDER, ...more });
  const home = join(base, "home");
  return { base, root: join(base, "up/mid/root"), home, env: { HOME: home } };
}

/** What the real ripgrep lists, which the fingerprint must follow. */
function listing({ root, env }: Ground): string {
  const { stdout } = spawnSync(rgPath, ["--no-config", "--files", "--sort", "path", "."], { cwd: root, env });
  return stdout.toString();
}

const changes: Readonly<
  Record<string, { before?: Parameters<typeof tree>[0]; change: (at: Ground) => void }>
> = {
  "an ignore file above comes": {
    change: ({ base }) => writeFileSync(join(base, "up/.ignore"), "*.txt"),
  },
  "one for ripgrep alone comes": {
    change: ({ base }) => writeFileSync(join(base, "up/mid/.rgignore"), "*.txt"),
  },
  "a repository's ignore file above is changed to another of the same size and age": {
    before: { "up/.git": FOLDER, "up/.gitignore": "*.md" },
    change: ({ base }) => {
      const path = join(base, "up/.gitignore");
      writeFileSync(path, "*.tx");
      utimesSync(path, 1, 1);
      writeFileSync(path, "*.??");
      utimesSync(path, 1, 1);
      writeFileSync(path, "*t");
    },
  },
  "a repository comes, with the ignore file in place": {
    before: { "up/.gitignore": "*.txt" },
    change: ({ base }) => mkdirSync(join(base, "up/.git")),
  },
  "another kind of repository comes": {
    before: { "up/.gitignore": "*.txt" },
    change: ({ base }) => mkdirSync(join(base, "up/.jj")),
  },
  "a repository goes": {
    before: { "up/.gitignore": "*.txt", "up/.git": FOLDER },
    change: ({ base }) => rmSync(join(base, "up/.git"), { recursive: true }),
  },
  "a repository's own excludes come": {
    before: { "up/.git/info": FOLDER },
    change: ({ base }) => writeFileSync(join(base, "up/.git/info/exclude"), "*.txt"),
  },
  "the root's own excludes change": {
    before: { "up/mid/root/.git/info/exclude": "*.md" },
    change: ({ root }) => writeFileSync(join(root, ".git/info/exclude"), "*.txt"),
  },
  "an ignore file is a link whose target comes": {
    change: ({ base }) => {
      symlinkSync(join(base, "rules"), join(base, "up/.ignore"));
      writeFileSync(join(base, "rules"), "*.txt");
    },
  },
  "the global file comes": {
    before: { "home/.config/git": FOLDER, "up/mid/root/.git": FOLDER },
    change: ({ home }) => writeFileSync(join(home, ".config/git/ignore"), "*.txt"),
  },
  "git's configuration names another global file": {
    before: { "up/mid/root/.git": FOLDER, "home/mine": "*.txt" },
    change: ({ home }) =>
      writeFileSync(join(home, ".gitconfig"), '[core]\n\tExcludesFile = "~/mine"\n[user]\n\tname = x\n'),
  },
  "the other configuration names one": {
    before: { "up/mid/root/.git": FOLDER, "home/mine": "*.txt", "home/.config/git": FOLDER },
    change: ({ home }) =>
      writeFileSync(join(home, ".config/git/config"), `[core]\nexcludesfile=${join(home, "mine")}\n`),
  },
  "the global file that is named changes": {
    before: {
      "up/mid/root/.git": FOLDER,
      "home/mine": "*.md",
      "home/.gitconfig": "[core]\nexcludesfile = ~/mine\n",
    },
    change: ({ home }) => writeFileSync(join(home, "mine"), "*.txt"),
  },
};

describe("the fingerprint changes when", () => {
  test.each(Object.entries(changes))("%s", (_, { before = {}, change }) => {
    const at = ground(before);
    const { fingerprint } = watchRules(at);
    const listed = listing(at);
    const first = fingerprint();
    expect(fingerprint()).toBe(first);
    change(at);
    expect(fingerprint()).not.toBe(first);
    // It does make a difference to ripgrep.
    expect(listing(at)).not.toBe(listed);
  });
});

test("a worktree's excludes are those of its repository", () => {
  const at = ground({ "main/.git/worktrees/w/commondir": "../..\n", "main/.git/info/exclude": "*.md\n" });
  writeFileSync(join(at.root, ".git"), `gitdir: ${join(at.base, "main/.git/worktrees/w")}\n`);
  const { fingerprint } = watchRules(at);
  const first = fingerprint();
  expect(listing(at)).toContain("file.txt");
  writeFileSync(join(at.base, "main/.git/info/exclude"), "*.txt\n");
  expect(listing(at)).not.toContain("file.txt");
  expect(fingerprint()).not.toBe(first);
});

test("what changes nothing leaves it alone", () => {
  const at = ground({ "up/.gitignore": "*.txt", "home/.gitconfig": "[user]\nname = x\n" });
  const { fingerprint } = watchRules(at);
  const first = fingerprint();
  utimesSync(join(at.base, "up/.gitignore"), 1, 1);
  writeFileSync(join(at.base, "up/new"), "x");
  appendFileSync(join(at.home, ".gitconfig"), "email = y\n");
  renameSync(join(at.base, "up/.gitignore"), join(at.base, "up/kept"));
  writeFileSync(join(at.base, "up/.gitignore"), "*.txt");
  unlinkSync(join(at.base, "up/kept"));
  expect(fingerprint()).toBe(first);
});

test("a change within a clock tick is seen, whatever the times say", () => {
  const at = ground({ "up/.ignore": "aaaa" });
  const { fingerprint } = watchRules(at);
  const seen = new Set<string>();
  for (let round = 0; round < 500; round++) {
    writeFileSync(join(at.base, "up/.ignore"), String(1000 + round));
    seen.add(fingerprint());
  }
  expect(seen.size).toBe(500);
});

test("files of nested repositories can be watched along", () => {
  const at = ground({ elsewhere: "a" });
  const { fingerprint } = watchRules(at);
  const more = { files: [join(at.base, "elsewhere")], repositories: [] };
  const first = fingerprint(more);
  writeFileSync(join(at.base, "elsewhere"), "b");
  expect(fingerprint(more)).not.toBe(first);
});

test("a pipe in place of an ignore file does not hold it up", () => {
  const at = ground();
  const { fingerprint } = watchRules(at);
  const first = fingerprint();
  spawnSync("mkfifo", [join(at.base, "up/.ignore")]);
  expect(fingerprint()).not.toBe(first);
});
