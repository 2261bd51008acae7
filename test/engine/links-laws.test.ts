/** The laws of links that are followed once, over random trees: everything that can be reached, and nothing twice. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  type Arbitrary,
  assert,
  asyncProperty,
  constantFrom,
  record,
  subarray,
  uniqueArray,
} from "fast-check";
import { describe, it } from "vitest";
import { findEntries } from "../../src/engine/find.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import type { IgnoreRules } from "../../src/model/query.ts";
import { normaliseFind, normaliseSearch } from "../../src/tools/normalise.ts";
import { guardOf } from "../../src/tools/walk-candidates.ts";
import { type Files, link, plant } from "../support/tree.ts";
import { policyOf } from "../workspace/ground.ts";

const FOLDERS = ["a", "a/p", "a/p/q", "b", "b/p", "c", "c/r"] as const;
const OUTSIDE = "/usr";

const trees = record({
  links: uniqueArray(
    record({
      folder: constantFrom(...FOLDERS),
      name: constantFrom("k", "m", "z", "p"),
      to: constantFrom(...FOLDERS, ".", "nowhere", "a/f", OUTSIDE),
    }),
    { maxLength: 8, selector: ({ folder, name }) => `${folder}/${name}` },
  ),
  rules: subarray(["p/", "/b", "k", "m/", "r", "!/b/p"]),
  target: constantFrom(".", ...FOLDERS),
});

function planted({ links, rules }: { readonly links: readonly Link[]; readonly rules: readonly string[] }): {
  readonly root: string;
  readonly remove: () => void;
} {
  const files: Record<string, Files[string]> = { ".ignore": `${rules.join("\n")}\n` };
  for (const folder of FOLDERS) files[`${folder}/f`] = "needle\n";
  for (const { folder, name, to } of links) {
    const path = `${folder}/${name}`;
    if (FOLDERS.some((one) => one === path)) continue;
    files[path] = link(to === OUTSIDE ? to : relative(`/${folder}`, `/${to}`) || ".");
  }
  return plant(files);
}

const STORED = ["s0", "s1", "s2", "S2"] as const;

/** Links to folders of one store, with rules above the store, in it and in its folders. */
const stores = record({
  links: uniqueArray(
    record({
      folder: constantFrom("app", "app/more"),
      to: constantFrom(...STORED),
      name: constantFrom("k", "m", "z"),
    }),
    { minLength: 2, maxLength: 6, selector: ({ folder, name }) => `${folder}/${name}` },
  ),
  root: subarray(
    [
      "f",
      "sub/",
      "/store/s1/sub",
      "store/s2/f",
      "**/sub/f",
      "**/d",
      "s1/sub",
      "!f",
      "/sub",
      "!/store/s1/d",
      "*/d",
    ],
    { maxLength: 3 },
  ),
  store: subarray(["/s1/sub", "sub", "/sub", "s2/f", "!d", "/S2/d/f", "s*/f"], { maxLength: 2 }),
  own: subarray(["/f", "sub/f", "!/d"], { maxLength: 1 }),
  nested: subarray(["s0", "s1"]),
  target: constantFrom("app", "."),
});

/** Only one of these two is what the rule above them means. */
const TOLD_APART: typeof stores extends Arbitrary<infer Drawn> ? Drawn : never = {
  links: [
    { folder: "app", to: "S2", name: "k" },
    { folder: "app", to: "s0", name: "z" },
  ],
  root: [],
  store: ["/S2/d/f"],
  own: [],
  nested: [],
  target: "app",
};

interface Stored {
  readonly links: readonly Link[];
  readonly root: readonly string[];
  readonly store: readonly string[];
  readonly own: readonly string[];
  readonly nested: readonly string[];
}

function plantedStore({ links, root, store, own, nested }: Stored, more: Files): ReturnType<typeof plant> {
  const text = (rules: readonly string[]): string => rules.map((rule) => `${rule}\n`).join("");
  const files: Record<string, Files[string]> = {
    ...more,
    ".ignore": text(root),
    "store/.ignore": text(store),
    "store/s1/.ignore": text(own),
    "app/more/f": "needle\n",
  };
  for (const stored of STORED)
    for (const file of ["f", "sub/f", "d/f"]) files[`store/${stored}/${file}`] = "needle\n";
  // Links in what the links lead to.
  for (const stored of nested) files[`store/${stored}/d/in`] = link("../../s2");
  for (const { folder, name, to } of links)
    files[`${folder}/${name}`] = link(join(relative(`/${folder}`, "/store"), to));
  return plant(files);
}

interface Link {
  readonly folder: string;
  readonly name: string;
  readonly to: string;
}

/** The files that hold "needle" and the files of a find, by path; a sieve must not change them. */
async function answers(root: string, target: string, ignore: IgnoreRules): Promise<readonly string[][]> {
  const ground = {
    env: process.env,
    signal: undefined,
    guard: guardOf({ root, policy: await policyOf(root) }),
  };
  const scope = { root, paths: [target], ignore };
  const found: string[][] = [];
  for (const include of [[], ["f"]]) {
    const search = (await normaliseSearch({ ...scope, pattern: "needle", include }, process.env)).query;
    const find = (await normaliseFind({ ...scope, order: "path", include: ["f"], kinds: "files" })).query;
    const searched: string[] = [];
    const query = { ...search, links: "once" } as const;
    for await (const { file } of searchFiles(query, planScope(query), ground)) searched.push(file.path);
    found.push(searched);
    const listed: string[] = [];
    const asked = { ...find, links: "once", kinds: include.length === 0 ? "all" : "files" } as const;
    for await (const { path, kind } of findEntries(asked, planScope(asked), ground)) {
      if (kind === "file") listed.push(path);
    }
    found.push(listed);
  }
  return found;
}

/** The real files that can be reached through folders and links, inside the root. */
function reachable(root: string, folder: string, visited: Set<string> = new Set()): Set<string> {
  const real = realpathSync(folder);
  const files = new Set<string>();
  if (visited.has(real) || (real !== root && !real.startsWith(root + sep))) return files;
  visited.add(real);
  for (const { name } of readdirSync(real, { withFileTypes: true })) {
    const path = join(real, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory() === true) for (const file of reachable(root, path, visited)) files.add(file);
    else if (name === "f") files.add(path);
  }
  return files;
}

function sameLists(lists: readonly (readonly string[])[]): boolean {
  return new Set(lists.map((list) => list.join("\n"))).size === 1;
}

describe("Links that are followed once", () => {
  it("show every file that can be reached, and none twice", async () => {
    await assert(
      asyncProperty(trees, async (drawn) => {
        const { root, remove } = planted(drawn);
        try {
          const all = await answers(root, drawn.target, "off");
          const real = (all[0] ?? []).map((path) => realpathSync(join(root, path)));
          const wanted = reachable(root, join(root, drawn.target));
          return (
            sameLists(all) &&
            new Set(real).size === real.length &&
            sameLists([real.sort(), [...wanted].sort()])
          );
        } finally {
          remove();
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it("show the same with a sieve and without, whatever the ignore rules, and nothing twice", async () => {
    await assert(
      asyncProperty(trees, async (drawn) => {
        const { root, remove } = planted(drawn);
        try {
          const all = await answers(root, drawn.target, "on");
          const real = (all[0] ?? []).map((path) => realpathSync(join(root, path)));
          return sameLists(all) && new Set(real).size === real.length;
        } finally {
          remove();
        }
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  it("show the same in one run as in a run for each", async () => {
    await assert(
      asyncProperty(stores, async (drawn) => {
        const together = plantedStore(drawn, {});
        // The file of a repository elsewhere, where rules are not looked for.
        const apart = plantedStore(drawn, { ".jj": "" });
        try {
          const one = await answers(together.root, drawn.target, "on");
          return sameLists([...one, ...(await answers(apart.root, drawn.target, "on"))]);
        } finally {
          together.remove();
          apart.remove();
        }
      }),
      { numRuns: 8, examples: [[TOLD_APART]] },
    );
  }, 120_000);
});
