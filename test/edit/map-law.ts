/**
 * The law of merging: a line that is found again in a file which somebody else changed is that very line, however many
 * others are equal to it. In memory, so that it can be held against many more cases than whole edits.
 */
import { mapLines } from "../../src/edit/line-map.ts";
import { textLines } from "../../src/workspace/text-lines.ts";
import { Dice } from "./model/dice.ts";
import { meddled } from "./model/files.ts";
import { isCertain, tellable } from "./model/prediction.ts";
import { bytesOf, row, type TextFile } from "./model/text-model.ts";

export interface MapTally {
  /** Spans of lines that are still there as they were. */
  there: number;
  /** Of these, those that were found. */
  found: number;
  wrong: readonly string[];
}

export function mapsHold(cases: number, firstCase = 1): MapTally {
  const tally = { there: 0, found: 0, wrong: [] as string[] };
  for (let number = firstCase; number < firstCase + cases; number += 1) hold(number, tally);
  return tally;
}

function hold(number: number, tally: { there: number; found: number; wrong: string[] }): void {
  const dice = new Dice(number);
  const before = repetitive(dice);
  const after = meddled(dice, before, dice.pick(["fresh", "repeated", "repeated", "moved"]));
  if (!tellable(before, after)) return;
  const map = mapLines(textLines(bytesOf(before)), textLines(bytesOf(after)));
  const must = isCertain(before, after);
  const count = before.rows.length;
  for (let first = 1; first <= count; first += 1) {
    for (let last = first; last <= Math.min(count, first + 3); last += 1) {
      const truth = placeOf(before, after, first, last);
      const found = map.find(first, last);
      tally.there += Number(truth !== null);
      tally.found += Number(found !== null);
      if (found === truth || (found === null && !must)) continue;
      tally.wrong.push(
        `${number}: ${texts(before)} → ${texts(after)}: ${first}-${last} at ${found}, not ${truth}`,
      );
    }
  }
  for (const run of map.runs) {
    for (let line = run.first; line <= Math.min(run.last, count); line += 1) {
      if (placeOf(before, after, line, line) === line + run.by) continue;
      tally.wrong.push(`${number}: ${texts(before)} → ${texts(after)}: ${line} moved by ${run.by}`);
    }
  }
}

/** Few different lines, as brackets and blank lines are in code, or blocks that come again. */
function repetitive(dice: Dice): TextFile {
  const letters = ["a", "b", "c", "d", "}", ""].slice(0, dice.between(1, 6));
  const size = dice.between(1, 12);
  const block = Array.from({ length: dice.between(2, 4) }, () => dice.pick(letters));
  const kinds = {
    few: () => dice.pick(letters),
    block: (at: number) =>
      dice.once(4) ? dice.pick([...letters, `line ${-at}`]) : (block[at % block.length] as string),
    distinct: (at: number) => `line ${-at}`,
  };
  const text = kinds[dice.pick(["few", "few", "block", "block", "distinct"] as const)];
  return { rows: Array.from({ length: size }, (_, at) => row(text(at), "\n")), encoding: "utf-8" };
}

/** Where these lines stand now, if they are all there and nothing came between. */
function placeOf(before: TextFile, after: TextFile, first: number, last: number): number | null {
  const ids = before.rows.slice(first - 1, last).map(({ id }) => id);
  const at = after.rows.findIndex(({ id }) => id === ids[0]);
  return at !== -1 && ids.every((id, index) => after.rows[at + index]?.id === id) ? at + 1 : null;
}

function texts({ rows }: TextFile): string {
  return JSON.stringify(rows.map(({ text }) => text));
}
