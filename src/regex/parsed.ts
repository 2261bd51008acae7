/**
 * A pattern as Rust's parser reads it. The last one is kept: an index asks for its grams and its needles, one after the
 * other, and every compilation costs memory that does not come back. Called by `grams.ts` and `needles.ts`.
 */
import type { Hir } from "rregex";
import { build } from "./instance.ts";

let last: { readonly pattern: string; readonly hir: Hir } | null = null;

/** Throws what rregex throws. */
export function parsed(pattern: string): Hir {
  if (last?.pattern === pattern) return last.hir;
  const regex = build(pattern);
  const hir = regex.syntax();
  regex.free();
  last = { pattern, hir };
  return hir;
}
