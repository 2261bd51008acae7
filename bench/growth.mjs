// How cost grows with the tree: one question of every class at each scale, ours beside the scans, and what the index
// costs to build and to save.
import { join } from "node:path";
import { benchBuild, scanTime } from "./build.mjs";
import { openGitGrep } from "./engines/git-grep.mjs";
import { openQuarry } from "./engines/quarry.mjs";
import { openRipgrep } from "./engines/ripgrep.mjs";
import { measure } from "./measure.mjs";
import { askable, NOWHERE, oneOfEach, QUESTIONS } from "./questions.mjs";
import { median } from "./record.mjs";

const ROUNDS = 3;

/** Of a scale that has no tables of its own. */
export async function benchScale(corpus, place, { peers, milliseconds }) {
  const cache = join(place, "cache");
  const ripgrep = openRipgrep(corpus.root);
  const scan = await scanTime(ripgrep);
  const build = await benchBuild(corpus, cache, 1);
  const quarry = await openQuarry(corpus.root, cache);
  const engines = [ripgrep, quarry, ...(peers.has("git grep") ? [openGitGrep(corpus.root)] : [])];
  try {
    const questions = oneOfEach(askable(QUESTIONS, corpus.root));
    const put = (engine, question) => engine.search(question);
    const name = `${corpus.percent} %`;
    const { results } = await measure(engines, questions, {
      rounds: ROUNDS,
      milliseconds,
      put,
      name,
      warm: NOWHERE,
    });
    return scaleRow(corpus, results, { scan, build });
  } finally {
    for (const engine of engines) await engine.close();
  }
}

/** Also of the scale with the tables, from its results. */
export function scaleRow({ percent, files, bytes }, results, { scan, build }) {
  const classes = new Set(oneOfEach(results.map(({ question }) => question)).map(({ name }) => name));
  const rows = results.filter(({ question }) => classes.has(question.name));
  const names = Object.keys(rows[0]?.times ?? {});
  const medians = names.map((name) => {
    const times = rows.flatMap(({ times }) => times[name].ms ?? []);
    return [name, times.length === 0 ? null : median(times)];
  });
  return {
    percent,
    files,
    bytes,
    scanMs: scan,
    buildMs: build?.ms ?? null,
    saved: build?.saved ?? null,
    questions: rows.length,
    medians: Object.fromEntries(medians),
  };
}
