/** What an agent reads of a text that it replaced: the lines as they are now, with some around them, numbered. Pure. */
import type { EditedFile, NumberedLine } from "../model/edited.ts";
import { LINE_CHARACTERS } from "../model/limits.ts";
import { shortened } from "./edit-text.ts";
import { bounded, escapeText, quoteName } from "./escape.ts";
import { viewRow } from "./view-text.ts";

export interface ReplaceText {
  readonly text: string;
  /** Lines printed in full. */
  readonly shown: readonly number[];
}

export function replaceText({ label, hunks, warnings }: EditedFile): ReplaceText {
  const shown: number[] = [];
  const print = (_: string, lines: readonly NumberedLine[]): string[] =>
    lines.map(({ line, text }) => {
      const row = viewRow(line, text, LINE_CHARACTERS);
      if (row.whole) shown.push(line);
      return row.text;
    });
  const rows = hunks.flatMap(({ above, added, below }) => [
    ...print("", above),
    ...shortened("", added, print),
    ...print("", below),
  ]);
  const name = bounded(quoteName(label));
  const head =
    rows.length === 0 ? `Edited ${name}, which is empty now` : `Edited ${name}. Its lines there now:`;
  const notes = warnings.map((warning) => `[${escapeText(warning)}]`);
  return { text: [head, ...rows, ...notes].join("\n"), shown };
}
