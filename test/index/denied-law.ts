/**
 * The law of the index for a session that may not see all: whoever answers, the index or ripgrep, files and names, their
 * order and what is counted as denied are the same. Over random trees with ignore files, links and odd names, which change
 * between questions.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { findEntries } from "../../src/engine/find.ts";
import { findTree } from "../../src/engine/find-tree.ts";
import type { Ground } from "../../src/engine/ground.ts";
import type { Ledger } from "../../src/engine/ledger.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import type { AskedFind } from "../../src/index/ask.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { FindQuery, Query } from "../../src/model/query.ts";
import { compileGlobs } from "../../src/regex/glob.ts";
import { normaliseFind, normaliseSearch } from "../../src/tools/normalise.ts";
import { guardOf } from "../../src/tools/walk-candidates.ts";
import { createPolicy, type Policy } from "../../src/workspace/policy.ts";
import { eachMinute } from "../support/each-minute.ts";
import { all } from "../support/query.ts";
import { type Indexed, indexed, listed, WHOLE_TREE } from "./indexed.ts";
import { ready } from "./question.ts";
import { filesOf } from "./search-law.ts";

export interface DeniedTally {
  cases: number;
  byIndex: number;
  /** Something was counted, by the index. */
  counted: number;
}

const NAMES = [
  ".env",
  "a.x",
  "b.x",
  "b.ts",
  "secrets",
  "src",
  "x",
  "dist",
  "a b",
  "[id]",
  "caf\u00e9.x",
  "cafe\u0301.x",
  "e\u0301\u00e9",
  "!a",
];
const IGNORED = [".env", "dist", "dist/", "*.x", "!a.x", "/x", "src/*", "secrets", "b.*"];
const GLOBS = [
  ".env",
  "*.x",
  "secrets/",
  "secrets",
  "src/x",
  "src/",
  "**/x",
  "/x",
  "/secrets/*",
  "src/**",
  "dist",
  "caf\u00e9.x",
  "cafe\u0301.x",
  "\u00e9*",
  "[\u00e9]*",
  "*\u00e9",
  "!a",
  "!!a",
  "\\!a",
  "*/*.x",
  "a b",
  "\\[id\\]",
  "{a,b}.x",
  ".*",
  "?.x",
  "**",
  "x/**/x",
  ".git",
];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const planted = fc.record({
  path,
  kind: fc.constantFrom("file", "file", "file", "file", "folder", "link", "rules", "gone"),
  rules: fc.array(fc.constantFrom(...IGNORED), { minLength: 1, maxLength: 2 }),
});
type Planted = typeof planted extends fc.Arbitrary<infer T> ? T : never;

const glob = fc.constantFrom(...GLOBS);
const question = fc.record({
  deny: fc.oneof(
    { weight: 5, arbitrary: fc.array(glob, { minLength: 1, maxLength: 3 }) },
    fc.constant<string[]>([]),
  ),
  allow: fc.option(
    fc.array(fc.constantFrom("src", ".", "src/x", "secrets"), { minLength: 1, maxLength: 2 }),
    {
      freq: 3,
      nil: undefined,
    },
  ),
  denyFrom: fc.constantFrom<"nowhere" | "above" | "below">("nowhere", "nowhere", "above", "below"),
  paths: fc.oneof(
    { weight: 3, arbitrary: fc.constant(["."]) },
    fc.array(fc.constantFrom(".", "src", "x", "*.x", "src/**/*.x", "src/*", "**/x"), {
      minLength: 1,
      maxLength: 2,
    }),
  ),
  include: fc.option(fc.array(glob, { minLength: 1, maxLength: 1 }), { freq: 4, nil: undefined }),
  exclude: fc.option(fc.array(glob, { minLength: 1, maxLength: 1 }), { freq: 5, nil: undefined }),
  types: fc.option(fc.constant(["ts"]), { freq: 6, nil: undefined }),
  kinds: fc.constantFrom("all", "files", "folders"),
  order: fc.constantFrom("path", "mtime"),
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 3, nil: undefined }),
  maxFileSize: fc.option(fc.constantFrom(3, 100), { freq: 7, nil: undefined }),
  throughLink: fc.boolean(),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.array(
  fc.record({
    plant: fc.array(planted, { minLength: 1, maxLength: 5 }),
    ask: fc.array(question, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

export async function deniedLaw(numRuns: number): Promise<DeniedTally> {
  const tally: DeniedTally = { cases: 0, byIndex: 0, counted: 0 };
  const law = fc.asyncProperty(
    fc.array(planted, { minLength: 4, maxLength: 25 }),
    rounds,
    async (tree, steps) => {
      const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-denied-")));
      const root = join(place, "above", "root");
      mkdirSync(join(root, ".git"), { recursive: true });
      symlinkSync(root, join(place, "linked"));
      for (const one of tree) put(root, one);
      const index = await indexed(root);
      try {
        for (const { plant, ask } of steps) {
          for (const one of plant) put(root, one);
          // Changed rules mean a new list.
          await listed(index.keeper, EVERYTHING);
          expect(await ready(index)).toBe(true);
          for (const one of ask) await compare(place, root, index, one, tally);
        }
      } finally {
        await index.close();
        rmSync(place, { recursive: true, force: true });
      }
    },
  );
  await eachMinute(
    () => tally,
    () => fc.assert(law, { numRuns }),
  );
  return tally;
}

/** What stands in the way stays. */
function put(root: string, { path, kind, rules }: Planted): void {
  const at = join(root, path);
  try {
    if (kind === "gone") return rmSync(at, { recursive: true, force: true });
    mkdirSync(kind === "folder" ? at : dirname(at), { recursive: true });
    if (kind === "rules") writeFileSync(join(dirname(at), ".gitignore"), `${rules.join("\n")}\n`);
    else if (kind === "link" && !existsSync(at)) symlinkSync(join(root, "src"), at);
    else if (kind === "file") writeFileSync(at, `needle${path}\n`);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === undefined) throw cause;
  }
}

const EVERYTHING: AskedFind = { scope: WHOLE_TREE, kinds: "all", order: "path", limit: 0 };

async function compare(
  place: string,
  real: string,
  { source }: Indexed,
  asked: Question,
  tally: DeniedTally,
): Promise<void> {
  const root = asked.throughLink ? join(place, "linked") : real;
  const [policy, search, find] = await meant(root, asked);
  if (policy === null || search === null || find === null) return;
  const guard = guardOf({ root, policy });
  const ground = (): Ground => ({ env: process.env, signal: undefined, guard });
  const one = searchTree(search, planScope(search), { ...ground(), index: source });
  const files = await filesOf(one);
  note(tally, one.used().engine, one.ledger);
  const other = searchFiles(search, planScope(search), ground());
  expect(files).toEqual(await filesOf(other));
  const { denied } = one.ledger.read().skipped;
  const question = JSON.stringify(asked);
  expect(denied, `search by ${one.used().engine}, ${question}`).toBe(other.ledger.read().skipped.denied);
  const named = findTree(find, planScope(find), { ...ground(), index: source });
  const entries = (await all(named)).flat().slice(0, find.limit ?? undefined);
  note(tally, named.used().engine, named.ledger);
  const walk = findEntries(find, planScope(find), ground());
  const walked = await all(walk);
  expect(entries).toEqual(walked.slice(0, find.limit ?? undefined));
  const { files: total, skipped } = named.ledger.read();
  const found = { total: walked.length, skipped: walk.ledger.read().skipped };
  expect({ total, skipped }, `find by ${named.used().engine}, ${question}`).toEqual(found);
}

function note(tally: DeniedTally, engine: string, ledger: Ledger): void {
  tally.cases += 1;
  if (engine !== "index") return;
  tally.byIndex += 1;
  if (ledger.read().skipped.denied > 0) tally.counted += 1;
}

/** null: it is refused. */
async function meant(
  root: string,
  { deny, allow, denyFrom, paths, include, exclude, types, kinds, order, limit, maxFileSize }: Question,
): Promise<[Policy | null, Query | null, FindQuery | null]> {
  try {
    const from = denyFrom === "above" ? [dirname(root)] : denyFrom === "below" ? [join(root, "src")] : [];
    const globs = (list: readonly string[]): ((path: string, kind: "file" | "folder") => boolean) => {
      const set = compileGlobs(list, "path");
      return (path, kind) => set.matches(path, kind);
    };
    const policy = await createPolicy({ root, allow, deny, denyFrom: from, globs });
    const scope = { root, paths, include, exclude, types, order } as const;
    const { query } = await normaliseSearch(
      { ...scope, pattern: "needle", mode: "files", maxFileSize },
      process.env,
    );
    const asked = { ...scope, kinds: types === undefined ? kinds : "files", limit } as const;
    const found = await normaliseFind(asked);
    return [policy, { ...query, binary: "ripgrep", reportBinary: false }, found.query];
  } catch (cause) {
    if (cause instanceof ToolError) return [null, null, null];
    throw cause;
  }
}
