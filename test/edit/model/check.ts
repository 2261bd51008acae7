/** Whether an answer is true: every row that it prints, every move, the diff, what blocks came to. */
import type { FileEdit } from "../../../src/quarry.ts";
import type { AnsweredFile } from "./answer.ts";
import type { Asked } from "./asked.ts";
import type { Version } from "./prediction.ts";
import { type Row, seen, type TextFile } from "./text-model.ts";

export interface Edited {
  readonly version: Version;
  readonly asked: readonly Asked[];
  /** As it was right before, and as it is now. */
  readonly before: TextFile;
  readonly after: TextFile;
  readonly merged: boolean;
}

/** What is wrong with an answer; nothing, if all goes well. */
export function faults(answered: AnsweredFile, details: FileEdit, edited: Edited): string[] {
  const { version, before, after, merged } = edited;
  return [
    ...(answered.merged === merged && details.merged === merged ? [] : ["merged or not is told wrong"]),
    ...(answered.tag === details.tag ? [] : ["two tags"]),
    ...rowFaults(answered, before, after),
    ...moveFaults(answered, version.file, after, merged),
    ...blockFaults(answered, edited),
    ...diffFaults(details.diff, textsOf(before), textsOf(after)),
  ];
}

const BREAK = /[\r\v\f\u0085\u2028\u2029]/;

/**
 * A printed row is its line, or as much of it as fits, or has a character that breaks lines spelled out: so is a return
 * that was written at the end of a row, and has become a part of the line's end.
 */
export function isTrue(printed: string, row: Row | undefined, { encoding }: TextFile): boolean {
  if (row === undefined) return false;
  const text = seen(row, encoding);
  if (printed === text || (row.end === "\r\n" && printed === `${text}\\r`)) return true;
  if (BREAK.test(text)) return printed.length > 0;
  return printed.endsWith("…") && printed.length > 500 && text.startsWith(printed.slice(0, -1));
}

function rowFaults({ rows }: AnsweredFile, before: TextFile, after: TextFile): string[] {
  return rows.flatMap(({ sign, line, text }) => {
    const file = sign === "-" ? before : after;
    return isTrue(text, file.rows[line - 1], file) ? [] : [`row ${sign}${line}:${text} is not true`];
  });
}

function moveFaults({ moves, cut }: AnsweredFile, old: TextFile, after: TextFile, merged: boolean): string[] {
  const now = new Map(after.rows.map(({ id }, at) => [id, at + 1]));
  return old.rows.flatMap(({ id }, at) => {
    const line = at + 1;
    const place = now.get(id);
    const move = moves.find(({ first, last }) => first <= line && line <= last);
    if (move !== undefined && place !== line + move.by) return [`line ${line} did not move by ${move.by}`];
    // Where others changed the file, a line may be in no move because its place is not certain.
    const silent = move === undefined && place !== undefined && place !== line;
    return silent && !merged && !cut ? [`line ${line} moved to ${place}, and nothing says so`] : [];
  });
}

function blockFaults({ blocks, merged }: AnsweredFile, { version, asked }: Edited): string[] {
  const { rows } = version.file;
  const wanted = asked.flatMap((one) => {
    if (!("line" in one) || !one.kind.endsWith("block")) return [];
    const last = version.blocks?.get(rows[one.line - 1]?.id ?? 0);
    const end = rows.findIndex(({ id }) => id === last) + 1;
    const lines = end - one.line + 1;
    return [
      `${one.kind} ${one.line} → resolved lines ${one.line}-${end}${merged ? ` of #${version.tag}` : ""} (${lines} ${lines === 1 ? "line" : "lines"})`,
    ];
  });
  return wanted.toSorted().join() === [...blocks].toSorted().join()
    ? []
    : [`blocks are told as ${blocks.join()}`];
}

function textsOf(file: TextFile): string[] {
  return file.rows.map((row) => seen(row, file.encoding));
}

/** A unified diff makes of the old lines the new ones. */
function diffFaults(diff: string, before: readonly string[], after: readonly string[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split("\n").slice(2, -1)) {
    const [, from, count] = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(line) ?? [];
    if (from !== undefined) {
      const start = Number(from) - (count === "0" ? 0 : 1);
      if (start < at) return [`the hunk ${line} begins before the last one ends`];
      result.push(...before.slice(at, start));
      at = start;
    } else if (line.startsWith("+")) result.push(line.slice(1));
    else if (line.slice(1) !== before[at]) return [`the diff has ${line} for line ${at + 1}`];
    else {
      if (line.startsWith(" ")) result.push(line.slice(1));
      at += 1;
    }
  }
  result.push(...before.slice(at));
  const plain = (texts: readonly string[]): string => texts.map((text) => text.replace(/\r$/, "")).join("\n");
  return plain(result) === plain(after) ? [] : ["the diff does not lead to the file"];
}
