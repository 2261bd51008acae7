/** A policy over a walk: what it withholds is left out, counted, and never opened. */
import { describe, expect, it } from "vitest";
import { findEntries } from "../../src/engine/find.ts";
import type { Guard } from "../../src/engine/guard.ts";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { compileGlobs } from "../../src/regex/glob.ts";
import type { Terms } from "../../src/workspace/judge.ts";
import { normaliseFind, normaliseSearch } from "../../src/tools/normalise.ts";
import { tree } from "../support/tree.ts";

const FILES = {
  "src/a.ts": "needle\n",
  "src/key.pem": "needle\n",
  "secrets/one.txt": "needle\n",
  "secrets/two.txt": "nothing\n",
  "other.txt": "nothing\n",
};

/** Only an index judges by these. */
const TERMS: Terms = {
  root: "/",
  realRoot: "/",
  deny: [],
  letters: "case counts",
  anchors: ["/"],
  realAnchors: ["/"],
  folders: ["/"],
  withheld: [],
};

function guardOf(globs: readonly string[]): Guard {
  const set = compileGlobs(globs, "path");
  return {
    open: false,
    terms: TERMS,
    globs,
    withholds: ({ path }, kind) => {
      const named = path.normalize("NFC");
      const parts = named.split("/");
      return (
        set.matches(named, kind) ||
        parts.some((_, at) => at > 0 && set.matches(parts.slice(0, at).join("/"), "folder"))
      );
    },
    withholdsLink: () => true,
  };
}

async function searched(root: string, globs: readonly string[], pattern: string) {
  const { query } = await normaliseSearch({ root, pattern }, process.env);
  const found = searchFiles(query, planScope(query), {
    env: process.env,
    signal: undefined,
    guard: guardOf(globs),
  });
  const files: string[] = [];
  for await (const { file } of found) files.push(file.path);
  return { files, denied: found.ledger.read().skipped.denied };
}

describe("a guarded search", () => {
  it("leaves out what is denied and counts it", async () => {
    const root = tree(FILES);
    expect(await searched(root, ["*.pem", "secrets/"], "needle")).toEqual({ files: ["src/a.ts"], denied: 2 });
  });

  it("counts the same whether the denied files hold the pattern or not", async () => {
    const root = tree(FILES);
    expect((await searched(root, ["secrets/*.txt"], "needle")).denied).toBe(2);
    expect((await searched(root, ["secrets/*.txt"], "nowhere to be found")).denied).toBe(2);
  });

  it("withholds names composed in another way", async () => {
    const root = tree({ "caf\u0065\u0301.txt": "needle\n", "b.txt": "needle\n" });
    expect(await searched(root, ["caf\u00e9.txt"], "needle")).toEqual({ files: ["b.txt"], denied: 1 });
    expect((await searched(root, ["caf\u00e9.txt"], "absent")).denied).toBe(1);
  });

  it("asks the guard last, also without globs, and does not tell that a withheld file matched", async () => {
    const root = tree(FILES);
    const { query } = await normaliseSearch({ root, pattern: "needle" }, process.env);
    const guard: Guard = {
      globs: [],
      terms: TERMS,
      withholds: ({ path }) => path.startsWith("secrets/"),
      open: false,
      withholdsLink: () => true,
    };
    const found = searchFiles(query, planScope(query), { env: process.env, signal: undefined, guard });
    const files: string[] = [];
    for await (const { file } of found) files.push(file.path);
    expect(files).toEqual(["src/a.ts", "src/key.pem"]);
    expect(found.ledger.read().skipped.denied).toBe(0);
  });
});

describe("a guarded find", () => {
  it("leaves out and counts files and folders", async () => {
    const root = tree(FILES);
    const { query } = await normaliseFind({ root, order: "path" });
    const told: string[] = [];
    const found = findEntries(query, planScope(query), {
      env: process.env,
      signal: undefined,
      guard: guardOf(["*.pem", "secrets/"]),
      onFound: ({ path }, kind) => told.push(kind === "folder" ? `${path}/` : path),
    });
    const paths: string[] = [];
    for await (const { path } of found) paths.push(path);
    expect(paths).toEqual(["other.txt", "src", "src/a.ts"]);
    expect(told.sort()).toEqual(["other.txt", "src/", "src/a.ts"]);
    expect(found.ledger.read().skipped.denied).toBe(2);
  });
});
