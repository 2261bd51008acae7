/** The law of the index for names: whoever answers, the index or ripgrep's walk, entries, order and total are the same. */
import { asyncProperty, assert } from "fast-check";
import { expect } from "vitest";
import { type Find, findEntries } from "../../src/engine/find.ts";
import { findTree } from "../../src/engine/find-tree.ts";
import type { Ground } from "../../src/engine/ground.ts";
import { planScope } from "../../src/engine/plan.ts";
import { ToolError } from "../../src/model/errors.ts";
import type { Entry } from "../../src/model/match.ts";
import type { FindQuery } from "../../src/model/query.ts";
import type { FindRequest } from "../../src/model/request.ts";
import { normaliseFind } from "../../src/tools/normalise.ts";
import { findCase } from "../differential/cases.ts";
import type { Tree } from "../differential/tree.ts";
import { all } from "../support/query.ts";
import { eachMinute } from "../support/each-minute.ts";
import { indexed } from "./indexed.ts";
import type { Tally } from "./search-law.ts";

export async function findLaw(tree: Tree, numRuns: number): Promise<Tally> {
  const tally: Tally = { cases: 0, byIndex: 0, matched: 0 };
  const [whole, bare] = [await indexed(tree.root), await indexed(tree.bare)];
  try {
    const law = asyncProperty(findCase(tree), async ({ request, places }) => {
      const query = await queryOf({ ...served(request), paths: places.map(({ given }) => given) });
      if (query === null) return;
      const { source } = request.root === tree.root ? whole : bare;
      const ground: Ground = { env: process.env, signal: undefined };
      const one = findTree(query, planScope(query), { ...ground, index: source });
      const found = inOrder(query, (await all(one)).flat()).slice(0, query.limit ?? undefined);
      tally.cases += 1;
      if (one.used().engine === "index") tally.byIndex += 1;
      if (found.length > 0) tally.matched += 1;
      const other = findEntries(query, planScope(query), ground);
      const walked = inOrder(query, await all(other));
      expect(found).toEqual(walked.slice(0, query.limit ?? undefined));
      expect(toldOf(one)).toEqual({ ...toldOf(other), files: walked.length });
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

function toldOf({ ledger }: Pick<Find, "ledger">): object {
  const { files, partial, skipped } = ledger.read();
  return { files, partial, skipped };
}

/** Some of what no index holds is left in, to see that ripgrep is asked then. */
function served({ ignore, hidden, follow, ...rest }: FindRequest): FindRequest {
  return ignore === "everywhere" && follow !== undefined && hidden !== undefined
    ? { ignore, hidden, follow, ...rest }
    : rest;
}

function inOrder({ order }: FindQuery, entries: readonly Entry[]): readonly Entry[] {
  if (order !== "none") return entries;
  return entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ path, pathBytes, kind }: Entry): string {
  return `${path} ${pathBytes} ${kind}`;
}

/** null: it is refused. */
async function queryOf(request: FindRequest): Promise<FindQuery | null> {
  try {
    return (await normaliseFind(request)).query;
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}
