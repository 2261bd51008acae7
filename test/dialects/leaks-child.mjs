// Many calls of read, edit and write by the built library, aborted ones and errors among them, then each kind of call by
// itself; what is open, running and left after them, as JSON. From the build, because from sources tsx starts a
// process of its own in every worker. Started by `leaks-files.test.ts`, which planted the tree.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createWorkspace } from "../../dist/quarry.js";

const [root, ending, turns] = process.argv.slice(2);

const descriptors = () => readdirSync("/proc/self/fd").length;
const threads = () => readdirSync("/proc/self/task").length;
function children() {
  return readdirSync("/proc").filter((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.pid;
    } catch {
      return false;
    }
  }).length;
}

/** The least that a number comes down to within some seconds. */
async function settled(number, wanted) {
  for (let left = 250; left > 0 && number() > wanted; left -= 1) await sleep(20);
  return number();
}

const workspace = await createWorkspace({ root });
const { read, edit, write } = workspace.tools;
const headers = [];
for (let at = 0; at < 10; at += 1) {
  const { details } = await read({ path: `d/f${at}.txt` });
  headers.push(`¶d/f${at}.txt#${details.tag}`);
}

const KINDS = [
  (at, signal) => read({ path: `d/f${at % 9}.txt` }, { signal }),
  (at, signal) => edit({ input: `${headers[at % 9]}\ninsert tail:\n+turn ${at}` }, { signal }),
  (at, signal) => write({ path: "d/f9.txt", content: `turn ${at}\n` }, { signal }),
  (_, signal) => read({ path: "a.db:t" }, { signal }),
  (at, signal) => edit({ input: `${headers[at % 9]}\ndelete 99..99` }, { signal }),
  (at, signal) => write({ path: "a.zip:m", content: `turn ${at}\n` }, { signal }),
  (_, signal) => read({ path: "large:-5" }, { signal }),
  (_, signal) => read({ path: "large:5-9" }, { signal }),
  (_, signal) => write({ path: "d/f9.txt/below", content: "x" }, { signal }),
  (_, signal) => read({ path: "bad.zip:x" }, { signal }),
  (_, signal) => write({ path: "bad.zip:x", content: "x" }, { signal }),
  (_, signal) => read({ path: "bad.db" }, { signal }),
  (at, signal) => write({ path: "l.txt", content: `turn ${at}\n` }, { signal }),
  (_, signal) => read({ path: "c.txt:conflicts" }, { signal }),
  (_, signal) => read({ path: "nowhere.txt" }, { signal }),
  (at, signal) => write({ path: "a.db:t:1", content: `{a:${at}}` }, { signal }),
  (_, signal) => write({ path: "a.db:none", content: "{a:1}" }, { signal }),
  (_, signal) => read({ path: "a.ts" }, { signal }),
  (_, signal) => read({ path: "a.ipynb" }, { signal }),
  (_, signal) => read({ path: "." }, { signal }),
  (_, signal) => read({ path: "a.db?q=SELECT nowhere" }, { signal }),
  (at, signal) =>
    edit({ input: `${headers[1]}\ninsert head:\n+a ${at}\n${headers[2]}\ninsert head:\n+b` }, { signal }),
  (_, signal) => write({ path: "d", content: "x" }, { signal }),
];
// What is loaded once is loaded now.
for (const kind of KINDS) await kind(1, undefined);

const before = { descriptors: descriptors(), threads: threads() };
const outcomes = { answers: 0, errors: 0, aborted: 0 };
async function once(at) {
  const abort = new AbortController();
  const call = KINDS[at % KINDS.length](at, abort.signal);
  if (at % 6 === 1) abort.abort();
  if (at % 6 === 2) setTimeout(() => abort.abort(), at % 23);
  try {
    const result = await call;
    outcomes[result.isError === true ? "errors" : "answers"] += 1;
  } catch (cause) {
    if (cause.code !== "ABORTED") throw cause;
    outcomes.aborted += 1;
  }
}
for (let at = 0; at < Number(turns); at += 6) {
  await Promise.all(Array.from({ length: 6 }, (_, more) => once(at + more)));
}
// While SQLite's thread loads, at every moment of it.
for (let at = 0; at < 40; at += 1) {
  const signal = AbortSignal.timeout(2 * at);
  await read({ path: "a.db:t" }, { signal }).catch((cause) => {
    if (cause.code !== "ABORTED") throw cause;
  });
}
const after = {
  children: await settled(children, 0),
  descriptors: await settled(descriptors, before.descriptors),
  threads: await settled(threads, before.threads),
};
// One by one: nothing may be left to the garbage collector.
const open = [];
for (const [at, kind] of KINDS.entries()) {
  await kind(at + 1000, undefined);
  if ((await settled(descriptors, before.descriptors)) > before.descriptors || children() > 0) open.push(at);
}
if (ending === "close") await workspace.close();
process.stdout.write(JSON.stringify({ before, after, outcomes, open }));
