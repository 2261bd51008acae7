import type { Applied } from "../edit/apply.ts";
import type { Run } from "../edit/line-map.ts";
import type { Planned } from "../edit/plan.ts";
import type { Splice } from "../edit/splice.ts";
import { viewNamed } from "../edit/views.ts";
import type { EditedFile, Hunk, NumberedLine } from "../model/edited.ts";
import { EDIT_CONTEXT } from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { versionOf } from "./view.ts";

/** A file that was edited, as it is told, and remembered: what was shown of the old version is known of the new one. */

export interface Done {
  readonly label: string;
  /** What its snapshots are kept under. */
  readonly key: string;
  /** The version that the edit was made for. */
  readonly before: Snapshot;
  readonly shown: TextLines;
  /** As it was right before it was written. */
  readonly current: TextLines;
  readonly planned: readonly Planned[];
  readonly applied: Applied;
  /** The file's new bytes. */
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
}

export function editedFile(session: Session, done: Done): EditedFile {
  const { before, applied, current } = done;
  const snapshot = session.snapshots.record(done.key, done.bytes, before.view);
  const text = textLines(viewNamed(before.view).show(done.bytes, done.label));
  snapshot.show(carried(before.shown, applied.moved));
  // Whoever wrote them knows them.
  snapshot.show(written(applied.splices));
  return {
    label: done.label,
    tag: snapshot.tag,
    hunks: hunks(applied.splices, current, text),
    moves: applied.moved.filter(({ first, by }) => by !== 0 && done.shown.span(first) !== null),
    merged: applied.merged,
    blocks: done.planned.flatMap(blockLine),
    warnings: done.warnings,
    show: versionOf(session.snapshots, snapshot).show,
  };
}

/** Where lines that were shown stand now. */
export function carried(shown: readonly LineSpan[], moved: readonly Run[]): LineSpan[] {
  return moved.flatMap((run) =>
    shown.flatMap(({ first, last }) => {
      const [from, to] = [Math.max(first, run.first), Math.min(last, run.last)];
      return from > to ? [] : [{ first: from + run.by, last: to + run.by }];
    }),
  );
}

/** The lines that were put in, as they are numbered now. */
export function written(splices: readonly Splice[]): LineSpan[] {
  let by = 0;
  return splices.flatMap(({ at, remove, body }) => {
    const first = at + by;
    by += body.length - remove;
    return body.length === 0 ? [] : [{ first, last: first + body.length - 1 }];
  });
}

function blockLine({ operation, block }: Planned): string[] {
  if (block === null || !("line" in operation)) return [];
  const lines = block.last - block.first + 1;
  return [
    `${operation.kind} ${operation.line} → resolved lines ${block.first}-${block.last} (${lines} ${lines === 1 ? "line" : "lines"})`,
  ];
}

function hunks(splices: readonly Splice[], before: TextLines, after: TextLines): Hunk[] {
  let by = 0;
  /** The last line that a hunk has shown, as numbered now: nothing is shown twice. */
  let printed = 0;
  return splices.map(({ at, remove, body }, index) => {
    const first = at + by;
    by += body.length - remove;
    const next = splices[index + 1];
    const end = first + body.length;
    const stop = next === undefined ? Number.POSITIVE_INFINITY : next.at + by;
    const above = linesOf(after, Math.max(printed + 1, first - EDIT_CONTEXT), first - 1);
    const below = linesOf(after, end, Math.min(end + EDIT_CONTEXT, stop) - 1);
    printed = Math.max(end - 1, below.at(-1)?.line ?? 0);
    return {
      above,
      removed: linesOf(before, at, at + remove - 1),
      added: body.map((text, row) => ({ line: first + row, text })),
      below,
    };
  });
}

function linesOf(text: TextLines, first: number, last: number): NumberedLine[] {
  const lines: NumberedLine[] = [];
  for (let line = Math.max(1, first); line <= last; line += 1) {
    const content = text.line(line);
    if (content === null) break;
    lines.push({ line, text: content });
  }
  return lines;
}
