import type { AskedScope } from "../ask.ts";
import type { Entry, FileTable } from "../file-table.ts";
import { startOf } from "./scope-filter.ts";

/**
 * The files among which those of a scope are, where that is known without looking at all of them: below a folder they
 * stand together, and those with an ending are known. `scope-filter.ts` has the last word. Asked by the cursors.
 */
export interface Sought {
  readonly entries: Iterable<Entry>;
  readonly count: number;
}

/** null: any file. */
export function sought(scope: AskedScope, table: FileTable): Sought | null {
  const [only, ...others] = scope.targets;
  if (only === undefined || others.length > 0) return null;
  const ended = withEndings(scope, only.glob, table);
  const start = startOf(only);
  const count = start === "" ? table.size : table.below(start.slice(0, -1));
  if (ended !== null && ended.count <= count) return ended;
  return start === "" ? null : { entries: table.startingWith(start), count };
}

function withEndings({ include, names }: AskedScope, glob: string | null, table: FileTable): Sought | null {
  const lists = [include, names, glob === null ? [] : [glob]].filter((globs) => globs.length > 0);
  const known = lists.map(endingsOf).filter((endings) => endings !== null);
  const soughts = known.map((endings): Sought => {
    const sets = [...new Set(endings)].map((ending) => table.endingIn(ending));
    return { entries: sets.flatMap((set) => [...set]), count: sets.reduce((sum, set) => sum + set.size, 0) };
  });
  return soughts.reduce<Sought | null>(
    (least, one) => (least === null || one.count < least.count ? one : least),
    null,
  );
}

/** What names must end in, behind a dot, for one of the globs to match; null where one says nothing of it. */
function endingsOf(globs: readonly string[]): readonly string[] | null {
  const endings: string[] = [];
  for (const glob of globs) {
    const [, one, several] = ENDING.exec(glob) ?? [];
    if (one === undefined && several === undefined) return null;
    endings.push(...(one === undefined ? (several ?? "").split(",") : [one]));
  }
  return endings;
}

/** No braces but the last, no class, nothing escaped. */
const ENDING = /^[^{}[\]\\]*\.(?:(\w+)|\{(\w+(?:,\w+)*)\})$/;
