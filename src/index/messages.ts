import type { Pattern } from "../model/query.ts";
import type { Ask, AskedFind } from "./ask.ts";
import type { PathKey } from "./path-key.ts";

/** When a call began, by a number of its own. */
export type Moment = number;

/** What passes between an index's thread and its owner. */

export interface Called {
  /** null: nobody waits for an answer. */
  readonly id: number | null;
  readonly call: /** `since`: what had changed by this moment is known of. */
    | { readonly kind: "ask"; readonly ask: Ask; readonly since: Moment | null }
    | { readonly kind: "list"; readonly find: AskedFind; readonly since: Moment | null }
    | { readonly kind: "refresh"; readonly moment: Moment }
    | { readonly kind: "prepare"; readonly pattern: Pattern }
    | { readonly kind: "page"; readonly cursor: number; readonly count: number }
    | { readonly kind: "drop"; readonly cursor: number }
    | { readonly kind: "wrote"; readonly keys: readonly PathKey[] }
    | { readonly kind: "status" | "started" | "settled" | "left-out" | "close" };
}

export type Told = { readonly value: unknown } | { readonly fault: string };
export type Reply = { readonly id: number } & Told;
