import { parentPort } from "node:worker_threads";
import { given, loaded } from "../workspace/thread-side.ts";
import { threadsEnded } from "../workspace/thread.ts";
import { giveBack, givingBackWhenQuiet } from "./give-back.ts";
import { Keeper, type KeeperOptions } from "./keeper.ts";
import type { Called, Reply, Told } from "./messages.ts";
import { prepare } from "./query/prepared.ts";

/** The thread of an index: hears questions from `tree-index.ts` and puts them to the keeper. */

loaded();
const keeper = new Keeper(given() as KeeperOptions, { giveBack });
const started = keeper.start();
const begin = givingBackWhenQuiet();

parentPort?.on("message", ({ id, call }: Called) => {
  const end = begin();
  void answer(call)
    .then(
      (value) => reply(id, { value }),
      (cause: unknown) => reply(id, { fault: cause instanceof Error ? cause.message : String(cause) }),
    )
    .finally(end);
});

async function answer(call: Called["call"]): Promise<unknown> {
  switch (call.kind) {
    case "ask":
      return keeper.ask(call.ask, call.since);
    case "prepare":
      return prepare(call.pattern);
    case "list":
      return keeper.list(call.find, call.since);
    case "refresh":
      return keeper.refresh(call.moment);
    case "page":
      return keeper.page(call.cursor, call.count);
    case "drop":
      return keeper.drop(call.cursor);
    case "wrote":
      return keeper.wrote(call.keys);
    case "status":
      return keeper.status();
    case "left-out":
      return keeper.leftOut();
    case "started":
      return started;
    case "settled":
      return started.then(() => keeper.settled());
    case "close":
      return keeper.close().then(threadsEnded);
    default:
      return call satisfies never;
  }
}

function reply(id: number | null, told: Told): void {
  if (id !== null) parentPort?.postMessage({ id, ...told } satisfies Reply);
}
