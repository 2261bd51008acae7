/** An index in the test's own thread, asked as the engine asks the one in a thread. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskedFind, AskedScope, ListedAnswer } from "../../src/index/ask.ts";
import type { Builders } from "../../src/index/builders.ts";
import { Keeper, type KeeperParts } from "../../src/index/keeper.ts";
import type { Moment } from "../../src/index/messages.ts";
import type { IndexSource } from "../../src/index/open-indexes.ts";
import { unpacked } from "../../src/index/packed-list.ts";
import { packLooks, unpackLooks } from "../../src/index/query/look.ts";
import type { Second } from "../../src/index/query/second.ts";
import { takeParts } from "../../src/index/query/shares.ts";
import { type Verdict, verifier } from "../../src/index/query/verify.ts";
import { runJob } from "../../src/index/store/jobs.ts";
import { askedOf, type TreeIndex } from "../../src/index/tree-index.ts";

/** Every file of the tree. */
export const WHOLE_TREE: AskedScope = {
  targets: [{ path: ".", kind: "folder", glob: null }],
  include: [],
  includeNames: false,
  exclude: [],
  names: [],
  maxFileSize: null,
};

/** Builds at once, in this thread. */
export const inlineBuilders: Builders = { run: async (job) => runJob(job), close: async () => {} };

/** Looks at once, in this thread, at half of what it would be sent; every third file and those behind it. */
function inlineSecond(root: string): Second {
  return {
    isWorth: (looked) => looked % 3 === 2,
    expect: () => {},
    look: async (pattern, given, shares) => {
      const looks = unpackLooks(packLooks(given));
      const verdicts: Verdict[] = [];
      for (const [from, to] of takeParts(shares, looks.length, "back")) {
        verdicts.unshift(...looks.slice(from, to).map(verifier(root, pattern)));
        if (verdicts.length * 2 >= looks.length) break;
      }
      return verdicts;
    },
    close: () => {},
  };
}

export interface Indexed {
  readonly keeper: Keeper;
  readonly source: IndexSource;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** Without a folder, one that goes with `close`. */
export async function indexed(
  root: string,
  parts: Partial<KeeperParts> = {},
  given?: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Indexed> {
  const index = indexing(root, parts, given, env);
  await index.keeper.start();
  return index;
}

/** The same, before it is started. */
export function indexing(
  root: string,
  parts: Partial<KeeperParts> = {},
  given?: string,
  env: NodeJS.ProcessEnv = process.env,
): Indexed {
  const folder = given ?? mkdtempSync(join(tmpdir(), "quarry-index-"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keeper = new Keeper(
    { root, folder, env, maxFiles: 1_000_000 },
    { builders: inlineBuilders, second: inlineSecond(root), ...parts },
  );
  return {
    keeper,
    folder,
    source: sourceOf(keeper, root),
    close: async () => {
      await keeper.close();
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As its owner has it. */
export async function listed(
  keeper: Keeper,
  find: AskedFind,
  since: Moment | null = null,
): Promise<ListedAnswer> {
  return unpacked(await keeper.list(find, since));
}

function sourceOf(keeper: Keeper, root: string): IndexSource {
  const asking = (since: Moment | null): Pick<TreeIndex, "ask" | "list"> => ({
    ask: async (ask) =>
      askedOf(await keeper.ask(ask, since), {
        page: (cursor, count) => keeper.page(cursor, count),
        drop: (cursor) => keeper.drop(cursor),
      }),
    list: (find) => listed(keeper, find, since),
  });
  let moments = 0;
  const index: TreeIndex = {
    ...asking(null),
    root,
    begun: () => {
      const moment = ++moments;
      keeper.refresh(moment);
      return { ...index, ...asking(moment) };
    },
    prepare: () => {},
    leftOut: async () => keeper.leftOut(),
    wrote: (keys) => keeper.wrote(keys),
    status: async () => keeper.status(),
    started: async () => {},
    settled: () => keeper.settled(),
    close: () => keeper.close(),
  };
  return {
    current: () => index,
    why: () => "",
    walked: () => {},
    fellBack: () => {},
    fallbacks: () => [],
    release: async () => {},
  };
}
