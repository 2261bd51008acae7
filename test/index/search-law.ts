/** The law of the index: whoever answers, the index or ripgrep, the files are the same and in the same order. */
import { asyncProperty, assert } from "fast-check";
import { expect } from "vitest";
import type { Ground } from "../../src/engine/ground.ts";
import { planScope } from "../../src/engine/plan.ts";
import { type Search, searchFiles } from "../../src/engine/search.ts";
import { searchTree } from "../../src/engine/search-tree.ts";
import type { Query } from "../../src/model/query.ts";
import { ToolError } from "../../src/model/errors.ts";
import { normaliseSearch } from "../../src/tools/normalise.ts";
import { fileKey } from "../../src/workspace/targets.ts";
import { searchCase } from "../differential/cases.ts";
import type { Tree } from "../differential/tree.ts";
import { eachMinute } from "../support/each-minute.ts";
import { indexed } from "./indexed.ts";

export interface Tally {
  cases: number;
  byIndex: number;
  matched: number;
}

export async function searchLaw(tree: Tree, numRuns: number): Promise<Tally> {
  const tally: Tally = { cases: 0, byIndex: 0, matched: 0 };
  const [whole, bare] = [await indexed(tree.root), await indexed(tree.bare)];
  try {
    const law = asyncProperty(searchCase(tree), async ({ request, places }) => {
      const { ignore: _, hidden: __, follow: ___, ...rest } = request;
      const query = await queryOf({ ...rest, paths: places.map(({ given }) => given) });
      if (query === null) return;
      const { source } = request.root === tree.root ? whole : bare;
      const ground: Ground = { env: process.env, signal: undefined };
      const one = searchTree(query, planScope(query), { ...ground, index: source });
      const found = await filesOf(one);
      tally.cases += 1;
      if (one.used().engine === "index") tally.byIndex += 1;
      if (found.length > 0) tally.matched += 1;
      expect(found).toEqual(await filesOf(searchFiles(query, planScope(query), ground)));
    });
    await eachMinute(
      () => tally,
      () => assert(law, { numRuns }),
    );
  } finally {
    await whole.close();
    await bare.close();
  }
  return tally;
}

/** null: it is refused. */
async function queryOf(request: Parameters<typeof normaliseSearch>[0]): Promise<Query | null> {
  try {
    const { query } = await normaliseSearch(request, process.env);
    const order = query.order === "none" ? "path" : query.order;
    return { ...query, mode: "files", order, binary: "ripgrep", reportBinary: false };
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}

export async function filesOf(search: Search): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const { file } of search) files.push(fileKey(file));
  return files;
}
