/** Gathers what a parse tolerated: each kind is said once, with the rows where it was met. */
import { PATCH_ROWS_NAMED } from "../../model/limits.ts";

export interface Warnings {
  /** The sentence of a kind's first row stands for all of them. */
  readonly add: (kind: string, row: number, sentence: () => string) => void;
  readonly list: () => string[];
}

export function createWarnings(): Warnings {
  const kinds = new Map<string, { readonly sentence: string; readonly rows: number[] }>();
  return {
    add: (kind, row, sentence) => {
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { sentence: sentence(), rows: [row] });
      else known.rows.push(row);
    },
    list: () => [...kinds.values()].map(({ sentence, rows }) => `${sentence} (${patchLines(rows)})`),
  };
}

/** `patch line 3`, `patch lines 3, 7, 9 and 12 more`. */
function patchLines(rows: readonly number[]): string {
  const named = rows.slice(0, PATCH_ROWS_NAMED).join(", ");
  const more = rows.length > PATCH_ROWS_NAMED ? ` and ${rows.length - PATCH_ROWS_NAMED} more` : "";
  return `patch line${rows.length === 1 ? "" : "s"} ${named}${more}`;
}
