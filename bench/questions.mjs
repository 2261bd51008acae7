// The patterns and globs that are asked, from bench/patterns and bench/globs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** ripgrep's own for the Linux sources, and what an agent sends. */
export const QUESTIONS = [
  ...read("patterns/ripgrep.json").map((question) => ({ ...question, from: "ripgrep" })),
  ...read("patterns/agent.json").map((question) => ({ ...question, from: "agent" })),
];

/** In none of the trees: to see how long everything takes, or who answers. */
export const NOWHERE = { pattern: "quarry_bench_word_that_is_nowhere" };

export const GLOBS = read("globs/globs.json");

/** In a part of the tree the folder of a question may be missing. */
export function askable(questions, root) {
  return questions.filter(({ path }) => path === undefined || existsSync(join(root, path)));
}

/** One of every class: enough to see how cost grows. */
export function oneOfEach(questions) {
  return [
    ...new Map(questions.toReversed().map((question) => [question.class, question])).values(),
  ].toReversed();
}
