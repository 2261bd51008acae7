/** Random choices that a seed brings back: a case of the law is its number. */
export class Dice {
  #state: number;
  #fresh = 0;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** From 0 up to, and not, `below`. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** A number that has not been given yet. */
  fresh(): number {
    return ++this.#fresh;
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error("Nothing to pick from");
    return choices[this.below(choices.length)] as T;
  }
}
