/**
 * A plan carried out on the file as it is now. If that is the version the plan was made for, its lines are where they
 * were; if not, every line that the plan names must be found again for certain. Says how lines moved, so that what was
 * shown of the old version is known of the new one. Called by `edit`.
 */
import type { TextLines } from "../workspace/text-lines.ts";
import { type LineMap, mapLines, type Run } from "./line-map.ts";
import type { Planned } from "./plan.ts";
import { applySplices, type Splice } from "./splice.ts";

export interface Applied {
  readonly kind: "applied";
  /** The new text. */
  readonly bytes: Buffer;
  /** What was done, in the lines of the file as it was right before. */
  readonly splices: readonly Splice[];
  /** From the lines of the version that was shown to those of the new one. */
  readonly moved: readonly Run[];
  /** The file was another than the one shown. */
  readonly merged: boolean;
}

/** Lines that the plan names and that are not there any more, or not for certain. */
export interface Lost {
  readonly kind: "lost";
  readonly planned: readonly Planned[];
  readonly map: LineMap;
}

export async function applyPlan(
  planned: readonly Planned[],
  shown: TextLines,
  current: TextLines,
  name: string,
): Promise<Applied | Lost> {
  const merged = shown !== current && !shown.bytes.equals(current.bytes);
  const map = merged ? mapLines(shown, current) : UNCHANGED;
  const placed = planned.map((one) => place(one, map, current));
  const lost = planned.filter((_, at) => placed[at] === null);
  if (lost.length > 0) return { kind: "lost", planned: lost, map };
  const splices = placed.filter((splice) => splice !== null);
  const bytes = applySplices(current, splices, name);
  return { kind: "applied", bytes, splices, moved: through(map.runs, splices), merged };
}

const UNCHANGED: LineMap = {
  runs: [{ first: 1, last: Number.POSITIVE_INFINITY, by: 0 }],
  find: (first) => first,
};

function place(planned: Planned, map: LineMap, current: TextLines): Splice | null {
  const { names, remove, body, operation } = planned;
  if (names === null) return { at: operation.kind === "insert tail" ? current.count() + 1 : 1, remove, body };
  const first = map.find(names.first, names.last);
  return first === null ? null : { at: first + planned.at - names.first, remove, body };
}

/** Where runs of lines come to stand when splices are made; lines that are taken out are in none. */
function through(runs: readonly Run[], splices: readonly Splice[]): Run[] {
  const pieces = linesThrough(splices);
  return runs.flatMap((run) =>
    pieces.flatMap((piece) => {
      const first = Math.max(run.first + run.by, piece.first);
      const last = Math.min(run.last + run.by, piece.last);
      return first > last ? [] : [{ first: first - run.by, last: last - run.by, by: run.by + piece.by }];
    }),
  );
}

/** The lines that splices leave, and how far each moves. */
export function linesThrough(splices: readonly Splice[]): Run[] {
  const kept: Run[] = [];
  let [from, by] = [1, 0];
  for (const { at, remove, body } of splices) {
    if (at > from) kept.push({ first: from, last: at - 1, by });
    from = Math.max(from, at + remove);
    by += body.length - remove;
  }
  kept.push({ first: from, last: Number.POSITIVE_INFINITY, by });
  return kept;
}
