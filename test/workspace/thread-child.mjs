// Starts a thread of the built index and ends it, at every moment of its loading; what is open afterwards and was not
// before, as JSON. Started by `thread.test.ts`: what runs there opens files of its own.
import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { endThread, startThread } from "../../dist/workspace/thread.js";

const beside = new URL("../../dist/index/builders.js", import.meta.url).href;

function open() {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      return [`${descriptor} ${readlinkSync(`/proc/self/fd/${descriptor}`)}`];
    } catch {
      return [];
    }
  });
}

async function startedAndEnded(after) {
  const thread = startThread(beside, "build-thread", {});
  await sleep(after);
  await endThread(thread);
  return thread.threadId;
}

// What the process itself opens once is open now.
process.stdout.write("");
await startedAndEnded(100);
const before = new Set(open());
const ids = [];
for (let at = 0; at < 60; at += 1) ids.push(await startedAndEnded(at));
process.stdout.write(JSON.stringify({ left: open().filter((file) => !before.has(file)), ids }));
