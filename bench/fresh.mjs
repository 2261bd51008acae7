// The part of the bench that changes files: what a change adds to the next search, through the library. Every change is
// looked for afterwards: a quick answer without it would be worth nothing.
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { NOWHERE } from "./questions.mjs";
import { median } from "./record.mjs";

const ROUNDS = 21;
const MANY_ROUNDS = 3;
const MANY = 10_000;
/** Between two changes; an agent does not write faster. */
const PAUSE = 100;

export async function benchFresh(corpus, engine) {
  const files = textFiles(corpus.root);
  const [victim] = files;
  const old = readFileSync(victim);
  await engine.search(NOWHERE);
  const overwritten = await rounds(engine, ROUNDS, (word) =>
    writeFileSync(victim, Buffer.concat([old, line(word)])),
  );
  writeFileSync(victim, old);
  const made = [];
  const created = await rounds(engine, ROUNDS, (word) => {
    made.push(join(corpus.root, `${word}.txt`));
    writeFileSync(made.at(-1), line(word));
  });
  for (const path of made) rmSync(path);
  const many = files.slice(0, Math.min(MANY, files.length));
  const append = (word) => {
    for (const path of many) appendFileSync(path, line(word));
  };
  const changed = await rounds(engine, MANY_ROUNDS, append, () => engine.settle());
  return { overwritten, created, changed: { ...changed, files: many.length, readTwiceMs: readTwice(many) } };
}

/** The same search before and after a change. */
async function rounds(engine, count, change, settle = () => sleep(PAUSE)) {
  const [before, after, missed, by] = [[], [], [], new Set()];
  for (let round = 0; round < count; round++) {
    await settle();
    // The search before that one has taken in whatever was still under way.
    await engine.search(NOWHERE);
    before.push((await engine.search(NOWHERE)).ms);
    const word = `quarry_bench_change_${process.hrtime.bigint()}`;
    change(word);
    const next = await engine.search(NOWHERE);
    after.push(next.ms);
    by.add(next.engine);
    const { files } = await engine.search({ pattern: word });
    if (files.length === 0) missed.push(word);
  }
  const [beforeMs, afterMs] = [median(before), median(after)];
  return {
    beforeMs,
    afterMs,
    addedMs: afterMs - beforeMs,
    missed: missed.length,
    by: [...by],
    before,
    after,
  };
}

const line = (word) => Buffer.from(`\n/* ${word} */\n`);

/** What reading them twice costs. */
function readTwice(files) {
  const times = [];
  for (let round = 0; round < MANY_ROUNDS; round++) {
    const started = performance.now();
    for (let time = 0; time < 2; time++) for (const path of files) readFileSync(path);
    times.push(performance.now() - started);
  }
  return median(times);
}

function textFiles(root) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(?:[chS]|cc|cpp|go|java|js|md|mjs|py|rs|ts|txt)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
}
