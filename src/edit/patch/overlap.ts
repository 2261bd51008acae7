/**
 * No two operations of a file may touch the same line. `parse.ts` checks what the patch itself says; the applier
 * checks again when it knows where blocks end, with `touchedBy` of the plain operations that they have become.
 */
import type { Operation } from "../../model/patch.ts";
import { refuse } from "./refuse.ts";

/** Lines of the file that an operation changes (`range`), or the one it puts lines beside (`anchor`). */
export interface Touched {
  readonly first: number;
  readonly last: number;
  /** Of the operation, in the patch. */
  readonly row: number;
  readonly as: "range" | "anchor";
}

export interface Overlap {
  /** Of the file, the first one that both touch. */
  readonly line: number;
  /** In the order of the patch. */
  readonly earlier: Touched;
  readonly later: Touched;
}

/**
 * null: nothing that can be checked. Of a block that is to be replaced or deleted only the first line is known, and
 * of one to insert after not even the line that matters, its last.
 */
export function touchedBy(operation: Operation): Touched | null {
  const { kind, row } = operation;
  switch (kind) {
    case "replace":
    case "delete":
      return { first: operation.first, last: operation.last, row, as: "range" };
    case "replace block":
    case "delete block":
      return { first: operation.line, last: operation.line, row, as: "range" };
    case "insert before":
    case "insert after":
      return { first: operation.line, last: operation.line, row, as: "anchor" };
    default:
      return null;
  }
}

/**
 * Two ranges that share a line, or a range and an anchor within it, be it on its first or last line: what shall stand
 * there belongs into the range's body. Any number of operations may insert at the same anchor, in the order of the
 * patch. Takes the order of a sort, not of the square.
 */
export function overlapOf(touched: readonly Touched[]): Overlap | null {
  const sorted = touched.toSorted((a, b) => a.first - b.first);
  let range: Touched | null = null;
  let anchor: Touched | null = null;
  for (const next of sorted) {
    // The ranges so far do not overlap, so the one that began last also reaches furthest.
    if (range !== null && next.first <= range.last) return overlap(range, next);
    // An anchor begins no later than a range on its line, and only on that line do they meet.
    if (next.as === "range" && anchor !== null && anchor.first === next.first) return overlap(anchor, next);
    if (next.as === "range") range = next;
    else anchor = next;
  }
  return null;
}

function overlap(a: Touched, b: Touched): Overlap {
  const [earlier, later] = a.row <= b.row ? [a, b] : [b, a];
  return { line: Math.max(a.first, b.first), earlier, later };
}

/** Throws PATCH_INVALID for the first overlap. */
export function refuseOverlaps(touched: readonly Touched[]): void {
  const found = overlapOf(touched);
  if (found === null) return;
  const { line, earlier, later } = found;
  refuse(
    later.row,
    `line ${line} of the file is already named by the operation on patch line ${earlier.row}`,
    "Use one operation for each range, and give it only what shall stand there in the end, what you insert beside it included",
  );
}
