// The part of the bench that searches: times of the first page, and whether the answers agree.
import { difference, pageDifference } from "./compare.mjs";
import { measure } from "./measure.mjs";
import { NOWHERE } from "./questions.mjs";

/** fff hands out every line as an object: an answer of millions would end its process. */
const MOST_LINES = 500_000;

export async function benchSearch(engines, questions, { rounds, milliseconds }) {
  const put = (engine, question) => engine.search(question);
  const measured = await measure(engines, questions, {
    rounds,
    milliseconds,
    put,
    name: "search",
    warm: NOWHERE,
  });
  const ripgrep = engines.find(({ name }) => name === "ripgrep");
  for (const result of measured.results) {
    const oracle = (await ripgrep.whole(result.question)).counts;
    result.files = oracle.size;
    result.lines = [...oracle.values()].reduce((sum, count) => sum + count, 0);
    result.agreement = {};
    for (const engine of engines) {
      if (engine === ripgrep) continue;
      result.agreement[engine.name] = await agreement(engine, result, oracle);
    }
  }
  for (const { times } of measured.results) for (const entry of Object.values(times)) delete entry.files;
  return measured;
}

async function agreement(engine, { question, times, lines }, oracle) {
  const { files: page, error } = times[engine.name];
  if (error !== undefined) return { agrees: null, why: error };
  const misplaced = page === undefined ? null : pageDifference(oracle, page);
  if (misplaced !== null) return { agrees: false, page: true, example: misplaced };
  // Through MCP only pages are asked for.
  if (engine.whole === undefined) return { agrees: true, page: true };
  if (engine.name === "fff" && lines > MOST_LINES)
    return { agrees: null, why: `${lines} lines are too many for it` };
  try {
    const whole = await engine.whole(question);
    return { ...difference(oracle, whole), ...(whole.engine === undefined ? {} : { by: whole.engine }) };
  } catch (cause) {
    return { agrees: null, why: cause.message };
  }
}
