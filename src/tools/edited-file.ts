import { type Applied, linesThrough } from "../edit/apply.ts";
import type { Run } from "../edit/line-map.ts";
import type { Planned } from "../edit/plan.ts";
import type { Splice } from "../edit/splice.ts";
import type { EditedFile, Hunk, NumberedLine } from "../model/edited.ts";
import { EDIT_CONTEXT } from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import type { TextLines } from "../workspace/text-lines.ts";
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
  readonly currentHash: string;
  readonly planned: readonly Planned[];
  readonly applied: Applied;
  /** The file's new bytes. */
  readonly bytes: Buffer;
  /** For a view that is made anew from these. */
  readonly after: ViewAfter | null;
  readonly warnings: readonly string[];
}

/** The text as the edit made it, and as it is shown of the new file: as many lines, of which some say it otherwise. */
export interface ViewAfter {
  readonly spliced: TextLines;
  readonly shown: TextLines;
}

export function editedFile(session: Session, done: Done): EditedFile {
  const { before, applied, current, after } = done;
  const snapshot = session.snapshots.record(done.key, done.bytes, before.view);
  // Whoever wrote them knows them.
  const known = [...carried(before.shown, applied.moved), ...written(applied.splices)];
  snapshot.show(after === null ? known : linesSame(known, after));
  const kept = linesThrough(applied.splices);
  session.conflicts.moved(done.key, done.currentHash, snapshot.hash, (line) => lineAfter(kept, line));
  return {
    label: done.label,
    tag: snapshot.tag,
    hunks: hunks(applied.splices, current).map((hunk) =>
      after === null ? hunk : restated(hunk, after.shown),
    ),
    moves: applied.moved.filter(({ first, by }) => by !== 0 && done.shown.span(first) !== null),
    merged: applied.merged,
    blocks: done.planned.flatMap((one) => blockLine(one, applied.merged, before.tag)),
    warnings: done.warnings,
    show: versionOf(session.snapshots, snapshot).show,
  };
}

/** Without those that are shown otherwise than whoever knows them would think. */
function* linesSame(spans: readonly LineSpan[], { spliced, shown }: ViewAfter): Generator<number> {
  for (const { first, last } of spans) {
    for (let line = first; line <= last; line += 1) {
      const text = shown.line(line);
      if (text === null) break;
      if (text === spliced.line(line)) yield line;
    }
  }
}

/** The lines that are there now, as they are shown of the new file. */
function restated(hunk: Hunk, shown: TextLines): Hunk {
  const anew = (lines: readonly NumberedLine[]): NumberedLine[] =>
    lines.map(({ line, text }) => ({ line, text: shown.line(line) ?? text }));
  return { ...hunk, above: anew(hunk.above), added: anew(hunk.added), below: anew(hunk.below) };
}

/** Where a line stands after runs of lines moved; null for one that is gone. */
export function lineAfter(runs: readonly Run[], line: number): number | null {
  const run = runs.find(({ first, last }) => first <= line && line <= last);
  return run === undefined ? null : line + run.by;
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

/** In the numbers of the version that the patch named, which are not those of the rows below if others changed it. */
function blockLine({ operation, block }: Planned, merged: boolean, tag: string): string[] {
  if (block === null || !("line" in operation)) return [];
  const lines = block.last - block.first + 1;
  const version = merged ? ` of #${tag}` : "";
  return [
    `${operation.kind} ${operation.line} → resolved lines ${block.first}-${block.last}${version} (${lines} ${lines === 1 ? "line" : "lines"})`,
  ];
}

function hunks(splices: readonly Splice[], before: TextLines): Hunk[] {
  let by = 0;
  /** The last line that a hunk has shown, as it was numbered before: nothing is shown twice. */
  let printed = 0;
  return splices.map(({ at, remove, body }, index) => {
    const from = Math.max(printed + 1, at - EDIT_CONTEXT);
    const gap = index > 0 && from > printed + 1;
    const above = numbered(linesOf(before, from, at - 1), by);
    const added = body.map((text, row) => ({ line: at + by + row, text }));
    const end = at + remove;
    by += body.length - remove;
    const stop = splices[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const below = linesOf(before, end, Math.min(end + EDIT_CONTEXT, stop) - 1);
    printed = below.at(-1)?.line ?? end - 1;
    return { gap, above, removed: linesOf(before, at, end - 1), added, below: numbered(below, by) };
  });
}

/** Lines that stay, as they are numbered when others before them have gone or come. */
function numbered(lines: readonly NumberedLine[], by: number): NumberedLine[] {
  return lines.map(({ line, text }) => ({ line: line + by, text }));
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
