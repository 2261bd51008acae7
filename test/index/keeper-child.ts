/** An index in a process of its own, asked over IPC together with ripgrep. Started by `keeper-process.ts`. */
import { chownSync, mkdirSync } from "node:fs";
import { begun } from "../../src/engine/ground.ts";
import { openBuilders } from "../../src/index/builders.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import type { IndexSource } from "../../src/index/open-indexes.ts";
import { type Indexed, inlineBuilders, indexing } from "./indexed.ts";
import type { Call, ChildOptions } from "./keeper-process.ts";
import { askBoth } from "./question.ts";

const options = JSON.parse(process.argv[2] ?? "") as ChildOptions;
const { root, folder, env, user, builders, limits } = options;
if (user !== null) {
  mkdirSync(folder, { recursive: true });
  chownSync(folder, user, user);
  process.setgroups?.([]);
  process.setgid?.(user);
  process.setuid?.(user);
}
let early: IndexSource | undefined;
const index: Indexed = indexing(
  root,
  {
    builders: builders === "threads" ? openBuilders() : inlineBuilders,
    openFeed: (given) => openFeed(limits === null ? given : { ...given, limits }),
  },
  folder,
  env,
);

const tell = (value: unknown): void => void process.send?.(value ?? null);
process.on("message", (call: Call) => void answer(call).then(tell));
// The parent is gone.
process.on("disconnect", () => process.exit());
tell("starting");
await index.keeper.start();
tell("started");

async function answer(call: Call): Promise<unknown> {
  switch (call.kind) {
    case "begin":
      early = begun(index.source);
      return null;
    case "ask":
      return askBoth(index, root, env, call.question, call.question.early === true ? early : undefined);
    case "status":
      return index.keeper.status();
    case "settled":
      return index.keeper.settled();
    case "close":
      return index.close();
    default:
      return call satisfies never;
  }
}
