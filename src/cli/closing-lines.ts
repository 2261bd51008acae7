/**
 * Prints what an answer says of itself at its end. Called by the commands after the last result.
 *
 * Where it goes: to stdout after a blank line when a terminal shows it; else to stderr. Who writes
 * `quarry search x | wc -l` or `> list.txt` means the results, as with ripgrep, and gets nothing else there;
 * but that a page held something back, or that a file was skipped, is still said where a person sees it.
 */
import { noticeLines } from "../format/notice-text.ts";
import { paint } from "../format/style.ts";
import type { Notice } from "../model/notice.ts";
import type { ChoiceOf } from "./flags.ts";
import { type Io, say, stderrStyle, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";

export interface Closing {
  readonly notices: readonly Notice[];
  readonly stats: readonly string[];
  /** The last line. */
  readonly last: string;
  /** Results were printed above. */
  readonly afterResults: boolean;
  /** `--all`: every notice, however many. */
  readonly all: boolean;
  readonly color: ChoiceOf<"color"> | undefined;
}

export async function printClosing(io: Io, out: Output, closing: Closing): Promise<void> {
  const style = io.stdoutIsTerminal ? stdoutStyle(io, closing.color) : stderrStyle(io, closing.color);
  const lines = [
    ...noticeLines(style, closing.notices, closing.all),
    ...closing.stats,
    paint(style, "quiet", closing.last),
  ];
  const text = `${lines.join("\n")}\n`;
  if (io.stdoutIsTerminal) return out.write(closing.afterResults ? `\n${text}` : text);
  await out.flush();
  await say(io, text);
}
