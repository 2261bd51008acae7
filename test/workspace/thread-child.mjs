// Starts threads of the built program and ends them, at every moment of their loading; what is open afterwards and was
// not before, as JSON. Started by `thread.test.ts`: what runs there opens files of its own.
import { appendFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openTreeIndex } from "../../dist/index/tree-index.js";
import { endThread, startThread } from "../../dist/workspace/thread.js";

const [what, root, folder, question] = process.argv.slice(2);
const beside = new URL("../../dist/index/builders.js", import.meta.url).href;

const WAYS = {
  /** One that builds. */
  builder: async (after) => {
    const thread = startThread(beside, "build-thread", {});
    await sleep(after);
    await endThread(thread);
    return thread.threadId === -1;
  },
  /** One whose module is not there. */
  nowhere: async () => {
    const thread = startThread(beside, "no-such-thread", {});
    let hasFailed = false;
    thread.once("error", () => {
      hasFailed = true;
    });
    await endThread(thread);
    return hasFailed;
  },
  /** The one of an index, while another that it has started to look at many files loads. */
  index: async (after) => {
    const index = openTreeIndex({ root, folder, env: process.env, maxFiles: 10_000 });
    await index.started();
    await index.settled();
    for (const name of readdirSync(root)) appendFileSync(join(root, name), "x\n");
    const { kind } = await index.ask(JSON.parse(question));
    await sleep(after);
    await index.close();
    return kind === "able";
  },
};

function open() {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [`${descriptor} ${readlinkSync(`/proc/self/fd/${descriptor}`)}`];
    } catch {
      return [];
    }
  });
}

const way = WAYS[what];
// What the process itself opens once is open now.
process.stdout.write("");
await way(100);
const before = new Set(open());
const held = [];
for (let at = 0; at < 30; at += 1) held.push(await way(at));
process.stdout.write(JSON.stringify({ left: open().filter((file) => !before.has(file)), held }));
