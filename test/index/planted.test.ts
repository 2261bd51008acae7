/** A repository may ship what looks like an index of it; nobody takes it for one (T28). */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { savedIndex } from "../../src/index/inspect.ts";
import { indexFolder } from "../../src/index/places.ts";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";
import { createWorkspace } from "../../src/quarry.ts";
import { FOLDER, tree } from "../support/tree.ts";
import { write } from "./mutation-ground.ts";

/** Where a person, or another version of this program, might look for one. */
const PLACES: readonly string[] = [
  "",
  "index",
  "cache/index",
  ".quarry",
  ".quarry/index",
  "quarry/index",
  ".cache/quarry/index",
  ".config/quarry/index",
  ".git/quarry/index",
  "node_modules/.cache/quarry/index",
  "deep/.quarry/index",
  "~/.cache/quarry/index",
];

/** Ignored, so that nobody reads them as files of the tree either. */
const IGNORED = "/index/\ncache\n.quarry\nquarry\n.cache\n.config\nnode_modules\n~\n/v2-*\n";

/** The answers of a workspace to a few questions, by whoever gives them. */
async function answers(root: string, env: NodeJS.ProcessEnv, index: "now" | "off"): Promise<string[]> {
  const workspace = await createWorkspace({ root, env, index });
  if (index === "now") while ((await workspace.indexStatus())?.phase !== "ready") await sleep(10);
  const said: string[] = [];
  // Not one that is nowhere: for that, what is ignored is searched too.
  for (const pattern of ["needle", "only[A-Z]here"])
    said.push((await workspace.tools.search({ pattern })).content[0].text);
  said.push((await workspace.tools.find({ paths: ["."] })).content[0].text);
  await workspace.close();
  return said;
}

/** Every file below a folder, as it is. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

it("An index that lies in the repository is neither taken nor changed, and answers are right", async () => {
  const ground = tree({ root: FOLDER, elsewhere: FOLDER, theirs: FOLDER, home: FOLDER });
  const at = (name: string): string => join(ground, name);
  const root = at("root");
  const env = (cache: string): NodeJS.ProcessEnv => ({
    ...process.env,
    HOME: at("home"),
    QUARRY_CACHE_DIR: at(cache),
  });
  // Indexes as the author of the repository made them: of another tree, and of one in the same place that is otherwise.
  write(at("elsewhere"), "a.ts", "needle decoy\n");
  write(root, "a.ts", "decoy\n");
  write(root, ".gitignore", IGNORED);
  await sleep(DISTRUSTED_YOUNG + 100);
  const saved: string[] = [];
  for (const tree of [at("elsewhere"), root]) {
    await answers(tree, env("theirs"), "now");
    saved.push(indexFolder(tree, env("theirs")));
    expect(savedIndex(tree, env("theirs"))?.files).toBeGreaterThan(0);
  }
  rmSync(join(root, "a.ts"));
  write(root, "a.ts", "needle onlyXhere\n");
  write(root, "deep/b.ts", "needle\n");
  const planted: string[] = [];
  for (const place of PLACES)
    for (const folder of saved) {
      const copy = join(root, place, basename(folder));
      mkdirSync(join(root, place), { recursive: true });
      cpSync(folder, copy, { recursive: true });
      planted.push(...filesBelow(copy));
    }
  expect(planted.length).toBeGreaterThan(PLACES.length * 4);
  const before = planted.map((path) => readFileSync(path, "latin1"));
  // Who reads a file that was last read before it was changed leaves a trace, where the system keeps the time.
  const reads = (path: string): number => statSync(path).atimeMs;
  for (const path of planted) utimesSync(path, 1_000, 2_000);

  expect(savedIndex(root, env("own"))).toBeNull();
  const said = await answers(root, env("own"), "now");
  expect(savedIndex(root, env("own"))?.files).toBe(3);
  // Once more, with what was saved.
  expect(await answers(root, env("own"), "now")).toEqual(said);
  expect(planted.filter((path) => reads(path) !== 1_000_000)).toEqual([]);
  expect(planted.map((path) => readFileSync(path, "latin1"))).toEqual(before);
  expect(planted.filter((path) => statSync(path).mtimeMs !== 2_000_000)).toEqual([]);
  expect(said).toEqual(await answers(root, env("own"), "off"));
  expect(said[0]).toContain("a.ts");
  expect(said[0]).toContain("b.ts");
  expect(said[1]).toContain("onlyXhere");
}, 60_000);
