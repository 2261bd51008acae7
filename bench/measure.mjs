// Rounds over all questions and engines: a round puts every question to every engine, one after the other, so that
// what else the machine does falls on all of them alike. Where an answer comes quickly, it is asked for a few times.
import { median } from "./record.mjs";

const LEAST_ROUNDS = 3;
const CALLS = 3;
/** What takes longer, in milliseconds, is called once a round. */
const QUICK = 50;

/**
 * Times by question and engine. `first` is an engine's first answer to the question; `anew` are its first answers in
 * each round, when it has been asked all the others since: the later ones find what it has just told. `put` is the call
 * of an engine; `warm` a question that loads what it needs.
 */
export async function measure(engines, questions, { rounds, milliseconds, put, name, warm }) {
  const started = performance.now();
  const results = questions.map((question) => ({
    question,
    times: Object.fromEntries(engines.map((engine) => [engine.name, { samples: [], anew: [], first: null }])),
  }));
  for (const engine of engines) await put(engine, warm).catch(() => {});
  let done = 0;
  while (done < rounds && (done < LEAST_ROUNDS || performance.now() - started < milliseconds)) {
    for (const [at, { question, times }] of results.entries()) {
      progress(`${name}: round ${done + 1} of ${rounds}, ${at + 1} of ${questions.length}`);
      for (const engine of engines) await visit(engine, question, times[engine.name], put);
    }
    done += 1;
  }
  progress("");
  for (const { times } of results) for (const entry of Object.values(times)) summarise(entry);
  return { results, rounds: done, seconds: (performance.now() - started) / 1000 };
}

async function visit(engine, question, entry, put) {
  if (engine.asks?.(question) === false) {
    entry.error ??= "not asked: it has no such option";
    return;
  }
  for (let call = 0; call < CALLS; call++) {
    // An engine that fails once fails in every round: no need to wait for each.
    if (entry.error !== undefined) return;
    try {
      const { ms, engine: by, engineWhy, files } = await put(engine, question);
      entry.samples.push(Number(ms.toFixed(3)));
      entry.first ??= entry.samples[0];
      if (call === 0) entry.anew.push(entry.samples.at(-1));
      Object.assign(entry, { by, why: engineWhy, files });
      if (ms > QUICK) return;
    } catch (cause) {
      entry.error = cause.message;
    }
  }
}

function summarise(entry) {
  if (entry.samples.length === 0) return;
  entry.ms = median(entry.samples);
  entry.anewMs = median(entry.anew);
}

/** On one line of a terminal; nothing elsewhere. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}
