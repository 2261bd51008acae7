/** What can be done to a tree: the steps of the mutation machine, drawn at random and made by real calls. */
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Arbitrary, constantFrom, integer, oneof, record } from "fast-check";
import { BRANCHES, git, type MutationGround, nameOutside, PATHS, WORDS, write } from "./mutation-ground.ts";

const FOLDERS = ["d", "d/e", "d/e/f", "x", "x/d", "x/d/e", "build", "new", "new/deep"] as const;
const RULES = ["", "*.log\n", "build/\n", "/d/e\n", "a\n", "!a\n", "x/d/\n", "alpha\n.h\n"] as const;
/** From the root: in the tree, above it, in its repository and in another one, the user's, and behind a link. */
const IGNORE_FILES = [
  ".gitignore",
  ".ignore",
  "d/.gitignore",
  "x/.ignore",
  ".rgignore",
  "../.ignore",
  "../.gitignore",
  "../../.rgignore",
  ".git/info/exclude",
  "x/.git/info/exclude",
  "../../outside/far.git/info/exclude",
  "../../home/.config/git/ignore",
  "../../home/mine",
  "../../outside/rules",
] as const;
const CONFIGURATIONS = ["", "[core]\n\texcludesfile = ~/mine\n"] as const;

const path = constantFrom(...PATHS);
const folder = constantFrom(...FOLDERS);
const word = constantFrom(...WORDS);

export type Change =
  | {
      readonly op: FileOp;
      readonly path: string;
      readonly word: string;
    }
  | { readonly op: "rename" | "symlink"; readonly path: string; readonly to: string }
  | { readonly op: FolderOp; readonly path: string; readonly to: string }
  | { readonly op: "rules" | "config"; readonly path: string; readonly text: string }
  | { readonly op: "checkout"; readonly branch: string }
  | { readonly op: RepositoryOp; readonly path: string }
  | { readonly op: "burst"; readonly count: number; readonly word: string }
  | { readonly op: "shut" | "open"; readonly path: string };

type FileOp =
  | "write"
  | "append"
  | "same-size"
  | "nested"
  | "truncate"
  | "delete"
  | "touch-back"
  | "hard-link"
  | "write-through";
type FolderOp = "move" | "move-out" | "move-in" | "remove-tree" | "replace-tree" | "empty";
type RepositoryOp = "clean" | "repository" | "worktree" | "link-rules" | "replace-root";

export const change: Arbitrary<Change> = oneof(
  {
    weight: 24,
    arbitrary: record({ op: constantFrom<FileOp>("write", "append", "same-size", "nested"), path, word }),
  },
  {
    weight: 16,
    arbitrary: record({
      op: constantFrom<FileOp>("truncate", "delete", "touch-back", "hard-link", "write-through"),
      path,
      word,
    }),
  },
  { weight: 8, arbitrary: record({ op: constantFrom("rename" as const), path, to: path }) },
  {
    weight: 12,
    arbitrary: record({
      op: constantFrom<FolderOp>("move", "move-out", "move-in", "remove-tree", "replace-tree"),
      path: folder,
      to: folder,
    }),
  },
  // Of few places, so that it is there when it is taken away.
  {
    weight: 6,
    arbitrary: record({ op: constantFrom<FolderOp>("empty"), path: constantFrom("d", "x"), to: folder }),
  },
  { weight: 4, arbitrary: record({ op: constantFrom("symlink" as const), path, to: path }) },
  {
    weight: 5,
    arbitrary: record({
      op: constantFrom("rules" as const),
      path: constantFrom(...IGNORE_FILES),
      text: constantFrom(...RULES),
    }),
  },
  {
    weight: 1,
    arbitrary: record({
      op: constantFrom("config" as const),
      path: constantFrom(".gitconfig", ".config/git/config"),
      text: constantFrom(...CONFIGURATIONS),
    }),
  },
  {
    weight: 3,
    arbitrary: record({ op: constantFrom("checkout" as const), branch: constantFrom(...BRANCHES) }),
  },
  {
    weight: 3,
    arbitrary: record({
      op: constantFrom<RepositoryOp>("clean", "repository", "worktree", "link-rules", "replace-root"),
      path: constantFrom("x", "d"),
    }),
  },
  {
    weight: 4,
    arbitrary: record({
      op: constantFrom("burst" as const),
      count: integer({ min: 10, max: 60 }),
      word,
    }),
  },
);

/** Folders that nobody may look into, and that one may again. */
export const permission: Arbitrary<Change> = record({
  op: constantFrom("shut" as const, "open" as const),
  path: folder,
});

let outsiders = 0;

/** A step that cannot be made on the tree as it is changes nothing. */
export function make(ground: MutationGround, step: Change): void {
  try {
    makeStep(ground, step);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
  }
}

function makeStep(ground: MutationGround, step: Change): void {
  const { root, outside, home } = ground;
  switch (step.op) {
    case "rename":
      return renameSync(join(root, step.path), join(root, step.to));
    case "symlink":
      rmSync(join(root, step.path));
      return symlinkSync(join(root, step.to), join(root, step.path));
    case "move":
    case "move-out":
    case "move-in":
    case "remove-tree":
    case "replace-tree":
    case "empty":
      return changeFolder(ground, step.op, step.path, step.to);
    case "rules":
      return write(root, step.path, step.text);
    case "config":
      return write(home, step.path, step.text);
    case "checkout":
      return git(root, "checkout", "-qf", step.branch);
    case "clean":
      return git(root, "clean", "-fdq");
    case "repository":
      return swap(join(root, ".git"), join(outside, "kept.git"));
    case "worktree":
      return swap(join(outside, "worktree-file"), join(root, step.path, ".git"));
    case "link-rules":
      return symlinkSync(join(outside, "rules"), join(root, step.path, ".ignore"));
    case "replace-root":
      return replaceRoot(ground);
    case "burst":
      for (let at = 0; at < step.count; at++) write(root, `new/burst-${at}`, `${step.word} ${at}\n`);
      return;
    case "shut":
      return chmodSync(join(root, step.path), 0o000);
    case "open":
      return chmodSync(join(root, step.path), 0o755);
    default:
      return changeFile(ground, step.op, step.path, step.word);
  }
}

function changeFile({ root, outside }: MutationGround, op: FileOp, path: string, word: string): void {
  const file = join(root, path);
  switch (op) {
    case "write":
      return write(root, path, `${word} written\n`);
    case "append":
      return appendFileSync(file, `${word} appended\n`);
    case "same-size":
      return overwrite(file, word);
    case "nested":
      return write(root, `new/deep/${word}/${path}`, `${word} nested\n`);
    case "truncate":
      return truncateSync(file, 0);
    case "delete":
      return rmSync(file);
    case "touch-back": {
      const { atimeMs, mtimeMs } = statSync(file);
      overwrite(file, word);
      return utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
    }
    case "hard-link":
      return linkSync(file, `${file}-${word}`);
    case "write-through": {
      const through = [join(outside, nameOutside(path)), `${file}-${word}`];
      return through.filter(existsSync).forEach((other) => overwrite(other, word));
    }
    default:
      op satisfies never;
  }
}

function changeFolder({ root, outside }: MutationGround, op: FolderOp, path: string, to: string): void {
  switch (op) {
    case "move":
      return renameSync(join(root, path), join(root, to));
    case "move-out":
      return renameSync(join(root, path), join(outside, `tree-${outsiders++}`));
    case "move-in": {
      const made = join(outside, `made-${outsiders++}`);
      write(made, "a", "alpha moved\n");
      write(made, "e/b.log", "bravo moved\n");
      return renameSync(made, join(root, path));
    }
    case "remove-tree":
      return rmSync(join(root, path), { recursive: true });
    case "replace-tree":
      rmSync(join(root, path), { recursive: true });
      write(root, `${path}/a`, "gamma replaced\n");
      return write(root, `${path}/e/a`, "delta replaced\n");
    case "empty": {
      const place = join(root, path, "empty");
      return existsSync(place) ? rmdirSync(place) : void mkdirSync(place, { recursive: true });
    }
    default:
      op satisfies never;
  }
}

/** From the one place to the other, or back. */
function swap(one: string, other: string): void {
  const [from, to] = existsSync(one) ? [one, other] : [other, one];
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Another folder stands where the root was, with its repository and little else. */
function replaceRoot({ root, outside }: MutationGround): void {
  const away = join(outside, `root-${outsiders++}`);
  renameSync(root, away);
  write(root, "a", "delta in another root\n");
  write(root, "d/e/a", "alpha in another root\n");
  if (existsSync(join(away, ".git"))) renameSync(join(away, ".git"), join(root, ".git"));
}

/** The first bytes, in place. Every word has five letters. */
function overwrite(file: string, word: string): void {
  const fd = openSync(file, "r+");
  try {
    writeSync(fd, word, 0);
  } finally {
    closeSync(fd);
  }
}
