/** The words for yes and no that are understood, from a model or in the environment. */

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["on", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["off", false],
  ["0", false],
]);

/** undefined: it is neither. */
export function truthOf(word: string): boolean | undefined {
  return WORDS.get(word.trim().toLowerCase());
}
