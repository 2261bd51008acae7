// The part of the bench that finds files by glob, beside `rg --files -g GLOB`.
import { findDifference } from "./compare.mjs";
import { measure } from "./measure.mjs";
import { NOWHERE } from "./questions.mjs";

export async function benchFind(engines, globs, { rounds, milliseconds }) {
  const finders = engines.filter(({ find }) => find !== undefined);
  const questions = globs.map(({ glob, why }) => ({ name: glob, glob, why }));
  const warm = { glob: `*${NOWHERE.pattern}*` };
  const put = (engine, { glob }) => engine.find(glob);
  const measured = await measure(finders, questions, { rounds, milliseconds, put, name: "find", warm });
  const ripgrep = finders.find(({ name }) => name === "ripgrep");
  for (const result of measured.results) {
    const oracle = await ripgrep.wholeFind(result.question.glob);
    result.files = oracle.size;
    result.agreement = {};
    for (const engine of finders) {
      const entry = result.times[engine.name];
      if (engine !== ripgrep)
        result.agreement[engine.name] = await agreement(engine, result.question, entry, oracle);
      delete entry.files;
    }
  }
  return measured;
}

async function agreement(engine, { glob }, entry, oracle) {
  if (entry.error !== undefined) return { agrees: null, why: entry.error };
  // Newest first: which files a page has depends on their times.
  const page = new Set(entry.files.filter((path) => !path.endsWith("/")));
  if (engine.wholeFind === undefined) return findDifference(oracle, { files: page, all: false });
  return findDifference(oracle, await engine.wholeFind(glob));
}
