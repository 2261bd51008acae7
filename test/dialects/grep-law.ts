/**
 * The law of grep: what Claude's `Grep` and Boris's `grep` answer to random calls is what ripgrep prints, up to the rules
 * of the dialect. The whole text is compared, but for notes about something else, and so are the details.
 */
import { type Arbitrary, assert, asyncProperty, constantFrom, tuple } from "fast-check";
import { globFor, nameGlobFor } from "../differential/globs.ts";
import { rgFiles } from "../differential/rg.ts";
import type { Tree } from "../differential/tree.ts";
import { borisFiles } from "./boris-files.ts";
import { borisLaw } from "./boris-grep-law.ts";
import { BORIS_TYPES } from "./boris-grep-oracle.ts";
import { claudeLaw, type Order } from "./claude-grep-law.ts";
import { type GrepCall, grepCall } from "./grep-calls.ts";
import { plantForGrep } from "./grep-tree.ts";

/** At least this part of the cases must find something, or the law would hold for want of answers. */
export const MATCHING = 0.5;

const CLAUDE_TYPES = ["ts", "js", "md", "json", "txt", "css", "yaml", "make"];

/** Each returns in which part of the cases something was found. */
export async function claudeAgrees(cases: number): Promise<number> {
  const tree = plantForGrep({ large: false });
  try {
    const law = await claudeLaw([tree.root, tree.bare]);
    const agreed = await agree(await claudeCalls(tree), ([call, order]) => law.holds(call, order), cases);
    await law.close();
    return agreed;
  } finally {
    tree.remove();
  }
}

export async function borisAgrees(cases: number): Promise<number> {
  const tree = plantForGrep({ large: true });
  try {
    const law = await borisLaw([tree.root, tree.bare]);
    const agreed = await agree(await borisCalls(tree), law.holds, cases);
    await law.close();
    return agreed;
  } finally {
    tree.remove();
  }
}

export async function claudeCalls(tree: Tree): Promise<Arbitrary<[GrepCall, Order]>> {
  const searched = new Set(await rgFiles(tree.root, ["--hidden"]));
  return tuple(
    grepCall({ tree, searched, globs: globFor, types: CLAUDE_TYPES }),
    constantFrom<Order>("mtime", "mtime", "path"),
  );
}

export async function borisCalls(tree: Tree): Promise<Arbitrary<GrepCall>> {
  const searched = await borisFiles(tree.root, ".");
  return grepCall({ tree, searched, globs: nameGlobFor, types: Object.keys(BORIS_TYPES) });
}

async function agree<T>(
  calls: Arbitrary<T>,
  law: (call: T) => Promise<boolean>,
  cases: number,
): Promise<number> {
  let matching = 0;
  await assert(
    asyncProperty(calls, async (call) => {
      if (await law(call)) matching += 1;
    }),
    { numRuns: cases, interruptAfterTimeLimit: 3_000_000, markInterruptAsFailure: true },
  );
  return matching / cases;
}
