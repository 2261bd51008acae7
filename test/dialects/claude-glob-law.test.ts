/** Claude's `Glob` against the command line that it stands for, over random trees and patterns. */
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Arbitrary,
  array,
  assert as holds,
  asyncProperty,
  boolean,
  constantFrom,
  option,
  record,
  tuple,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeGlob } from "../../src/dialects/claude/glob.ts";
import { DEFAULTS } from "../../src/quarry.ts";
import { globFor } from "../differential/globs.ts";
import { rgFiles } from "../differential/rg.ts";
import { tree } from "../support/tree.ts";
import { globber } from "./globber.ts";

const VCS = DEFAULTS.vcsFolders;

/** Names of folders and of files, so that no path needs a file for a folder. */
const FOLDERS = ["src", "lib", "a b", ".hidden", "node_modules", "[id]", "{x}", "dist", "日本", ...VCS];
const FILES = [
  "a.ts",
  "b.ts",
  "c.js",
  "README.md",
  ".env",
  "Makefile",
  "!bang.ts",
  "#hash.md",
  "star*.ts",
  "what?.js",
  "tab\there.txt",
  "line\nbreak.txt",
  "back\\slash.ts",
  "café.txt",
  "a,b.txt",
  "end ",
  "-dash.ts",
  "[x].ts",
  ".gitignore",
  ".ignore",
  "{y}.js",
  "emoji😀.txt",
];
const RULES = "*.ts\nlib/\n/src\n!a.ts\n";

interface Sought {
  readonly paths: readonly string[];
  readonly asked: readonly Asked[];
}

interface Asked {
  readonly glob: string;
  readonly negated: boolean;
  readonly absolute: boolean;
  /** A path of the tree, whose folder is searched. */
  readonly within: string | null;
}

const path = tuple(array(constantFrom(...FOLDERS), { maxLength: 3 }), constantFrom(...FILES)).map(
  ([folders, name]) => [...folders, name].join("/"),
);

const sought: Arbitrary<Sought> = uniqueArray(path, { minLength: 3, maxLength: 30 }).chain((paths) => {
  const asked = constantFrom(...paths).chain((target) =>
    record({
      glob: globFor(target),
      negated: boolean(),
      absolute: boolean(),
      within: option(constantFrom(...paths), { freq: 1 }),
    }),
  );
  return record({ paths: constantFrom(paths), asked: array(asked, { minLength: 4, maxLength: 4 }) });
});

/** What ripgrep lists in the folder, without version control, newest first. */
async function expected(
  root: string,
  folder: string,
  glob: string,
  paths: readonly string[],
): Promise<string[]> {
  const listed = await rgFiles(join(root, folder), ["--no-ignore", "--hidden", `--glob=${glob}`]);
  return listed
    .map((name) => Buffer.from(name, "latin1").toString())
    .filter((name) => !name.split("/").some((part) => VCS.includes(part)))
    .map((name) => join(folder, name))
    .sort((one, other) => age(other, paths) - age(one, paths));
}

/** Different for each, and in no order of names. */
function age(name: string, paths: readonly string[]): number {
  return 1_700_000_000 + ((paths.indexOf(name) * 37) % 101);
}

describe("the files that Glob lists", () => {
  it("are those of ripgrep in the folder without version control, newest first", async () => {
    let found = 0;
    let cases = 0;
    await holds(
      asyncProperty(sought, async ({ paths, asked }) => {
        const root = tree();
        for (const name of paths) {
          mkdirSync(dirname(join(root, name)), { recursive: true });
          writeFileSync(join(root, name), name.endsWith("ignore") ? RULES : "");
          utimesSync(join(root, name), age(name, paths), age(name, paths));
        }
        const { names } = await globber(claudeGlob, root);
        for (const { glob, negated, absolute, within } of asked) {
          const folder = within === null ? "." : dirname(within);
          const input = inputOf(root, folder, glob, { negated, absolute });
          const known = await expected(root, folder, input.meant, paths);
          expect([input.call, await names(input.call)]).toEqual([input.call, known]);
          cases += 1;
          if (known.length > 0) found += 1;
        }
        rmSync(root, { recursive: true });
      }),
      { numRuns: 30 },
    );
    expect(found / cases).toBeGreaterThan(0.4);
  }, 120_000);
});

/** The call, and what ripgrep must be given for the same. */
function inputOf(
  root: string,
  folder: string,
  glob: string,
  { negated, absolute }: { readonly negated: boolean; readonly absolute: boolean },
): { readonly call: object; readonly meant: string } {
  const where = folder === "." ? {} : { path: folder };
  if (negated) return { call: { pattern: `!${glob}`, ...where }, meant: `!${glob}` };
  // A mark at its start is part of a name here, and syntax to ripgrep.
  const meant = glob.replace(/^[!#]/, "\\$&");
  const plain = !/[*?[{\\]/.test(folder);
  if (absolute && plain && /^[^/]*[*?[{]/.test(glob))
    return { call: { pattern: join(root, folder, "/") + glob }, meant };
  const pattern = glob.replace(/^\//, "./").replace(/^!/, "\\!");
  return { call: { pattern, ...where }, meant };
}
