import { TOLD_HITS, TOLD_QUESTIONS } from "../../model/limits.ts";
import { remember } from "../../regex/recent.ts";
import type { AskedFind } from "../ask.ts";
import { namesIn, type PackedList } from "../packed-list.ts";

/**
 * The last answers to questions for names, as long as nothing in the tree changes and nothing is told of it: the times
 * of folders are in them, which nobody else keeps. Kept by `keeper.ts`.
 */
export class ListedBefore {
  #moment: string | null = null;
  #known = new Map<string, PackedList>();

  /** `moment`: another one whenever anything may be otherwise than before; null: nobody knows. */
  of(ask: AskedFind, moment: string | null, make: () => PackedList): PackedList {
    if (moment !== this.#moment) this.#known = new Map();
    this.#moment = moment;
    if (moment === null) return make();
    const key = JSON.stringify(ask);
    const answer = this.#known.get(key) ?? make();
    if (namesIn(answer) <= TOLD_HITS) remember(this.#known, key, answer, TOLD_QUESTIONS);
    return answer;
  }
}
