import type { Pattern } from "../model/query.ts";
import type { Ask, AskedFind } from "./ask.ts";
import type { PathKey } from "./path-key.ts";

/** What passes between an index's thread and its owner. */

export interface Called {
  readonly id: number;
  readonly call:
    | { readonly kind: "ask"; readonly ask: Ask }
    | { readonly kind: "prepare"; readonly pattern: Pattern }
    | { readonly kind: "list"; readonly find: AskedFind }
    | { readonly kind: "page"; readonly cursor: number; readonly count: number }
    | { readonly kind: "drop"; readonly cursor: number }
    | { readonly kind: "wrote"; readonly keys: readonly PathKey[] }
    | { readonly kind: "status" | "started" | "settled" | "left-out" | "close" };
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string };
