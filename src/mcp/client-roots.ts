/**
 * The roots of one client: asked for when they are not known, once for all calls that wait for them, and believed until
 * the client says that they changed or, where it cannot say so, for a while. Held by `client-ground.ts`.
 */
import { MCP_ROOTS_KEPT } from "../model/limits.ts";
import type { McpOptions } from "./options.ts";
import { type ClientRoot, permittedRoots, type RefusedRoot, type Root } from "./roots.ts";

export interface Asked {
  readonly roots: readonly ClientRoot[];
  /** Whether the client will tell when they change: if not, they are asked for again after a while. */
  readonly tellsChanges: boolean;
}

/** What a client says when it is asked; null: nothing; `ended`: the call that asked was ended before. */
export type Question = () => Promise<Asked | null | "ended">;

export interface RootsListener {
  /** There are others now. */
  readonly onChange: () => void;
  /** These are left out; said once as long as they are the same. `roots`: those that are used instead. */
  readonly onRefused: (refused: readonly RefusedRoot[], roots: readonly Root[]) => void;
  /** The client has roots and does not name them; said once until it does. */
  readonly onSilence: () => void;
}

/** How often one call asks a client whose roots change while it answers. */
const TIMES = 3;

export class ClientRoots {
  readonly #options: McpOptions;
  readonly #listener: RootsListener;
  #roots: readonly Root[] = [];
  /** They, as the client named them. */
  #named = "";
  #refused = "";
  /** Until when they are believed. */
  #until = 0;
  /** Counts what was heard of them: an answer that took longer than the next one came too late. */
  #heard = 0;
  #isSilent = false;
  #asking: Promise<void> | null = null;

  constructor(options: McpOptions, listener: RootsListener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** Those that may be used. */
  get current(): readonly Root[] {
    return this.#roots;
  }

  /** Whether the client must be asked for them before the next call. */
  get areMissing(): boolean {
    return performance.now() >= this.#until;
  }

  /** Asks for them where they are missing, or waits for the answer to whoever asked before. */
  async ask(question: Question): Promise<void> {
    for (let times = 0; this.areMissing && times < TIMES; ) {
      if (this.#asking === null) {
        times += 1;
        this.#asking = this.#put(question).finally(() => {
          this.#asking = null;
        });
      }
      await this.#asking;
    }
  }

  /** As the client names them; what is not permitted is left out. */
  async take(asked: Asked): Promise<void> {
    const before = JSON.stringify(this.#roots);
    await this.#permit(asked);
    if (before !== JSON.stringify(this.#roots)) this.#listener.onChange();
  }

  /**
   * Those that came with a call, which works in them whatever other calls bring meanwhile. Calls that bring none work
   * in those that came last.
   */
  bring(given: readonly ClientRoot[]): Promise<readonly Root[]> {
    return this.#permit({ roots: given, tellsChanges: false });
  }

  async #permit({ roots: given, tellsChanges }: Asked): Promise<readonly Root[]> {
    const named = JSON.stringify(given);
    // Some clients name them with every call.
    if (named === this.#named && !this.areMissing) return this.#roots;
    if (named !== this.#named) this.#heard += 1;
    const heard = this.#heard;
    const { roots, refused } = await permittedRoots(given, this.#options);
    this.#refuse(refused, roots);
    if (heard !== this.#heard) return roots;
    this.#until = tellsChanges ? Number.POSITIVE_INFINITY : performance.now() + MCP_ROOTS_KEPT;
    // Together with what they stand for: who names the same meanwhile must not get the ones before.
    [this.#named, this.#roots] = [named, roots];
    return roots;
  }

  /** They changed, and are asked for again. */
  forget(): void {
    this.#heard += 1;
    this.#named = "";
    this.#until = 0;
  }

  async #put(question: Question): Promise<void> {
    const heard = this.#heard;
    const asked = await question();
    // Where they changed meanwhile, nobody knows which ones came.
    if (asked === "ended" || heard !== this.#heard) return;
    if (asked !== null) {
      this.#isSilent = false;
      await this.take(asked);
      return;
    }
    this.#until = performance.now() + MCP_ROOTS_KEPT;
    if (!this.#isSilent) this.#listener.onSilence();
    this.#isSilent = true;
  }

  #refuse(refused: readonly RefusedRoot[], roots: readonly Root[]): void {
    const text = JSON.stringify(refused);
    if (text === this.#refused) return;
    this.#refused = text;
    if (refused.length > 0) this.#listener.onRefused(refused, roots);
  }
}
