/** The text of an answer of edit, taken apart again. What does not fit its layout is an error. */

export interface AnsweredRow {
  /** `-`: as it was right before; ` ` and `+`: as it is now; `*` marks a line in a refusal. */
  readonly sign: " " | "+" | "-" | "*";
  readonly line: number;
  readonly text: string;
}

export interface AnsweredFile {
  readonly name: string;
  readonly tag: string;
  readonly blocks: readonly string[];
  readonly rows: readonly AnsweredRow[];
  readonly merged: boolean;
  readonly moves: readonly { readonly first: number; readonly last: number; readonly by: number }[];
  /** The list of moves was cut. */
  readonly cut: boolean;
}

export interface Answered {
  readonly files: readonly AnsweredFile[];
  readonly warnings: readonly string[];
}

export function readAnswer(text: string): Answered {
  const parts = text.split("\n\n");
  const warnings = parts.at(-1)?.startsWith("Warnings:\n") === true ? (parts.pop() ?? "").split("\n") : [];
  return { files: parts.map(readFile), warnings: warnings.slice(1) };
}

/** The rows below a refusal, if it has any. */
export function readRefusal(text: string): AnsweredFile | null {
  const at = text.indexOf("\n\n¶");
  return at === -1 ? null : readFile(text.slice(at + 2));
}

const HEADING = /^¶(.*)#([0-9A-F]{4})$/s;
const ROW = /^([ +*-])(\d+):(.*)$/s;
const GAP = /^…$|^[+-]… \d+ more lines?$/;
const BLOCK = /^(?:replace|delete|insert after) block \d+ → /;
const MERGED = "[The file had changed since it was shown; what was changed since was kept]";
const MOVES = /^\[Lines moved: (.*?)(, and \d+ more: read it again)?\]$/;

function readFile(part: string): AnsweredFile {
  const [heading = "", ...lines] = part.split("\n");
  const [, name, tag] = HEADING.exec(heading) ?? [];
  if (name === undefined || tag === undefined) throw new Error(`No heading: ${JSON.stringify(heading)}`);
  const file = { name, tag, blocks: [] as string[], rows: [] as AnsweredRow[], merged: false, cut: false };
  let moves: AnsweredFile["moves"] = [];
  for (const line of lines) {
    const [, sign, number, text = ""] = ROW.exec(line) ?? [];
    const [, list, more] = MOVES.exec(line) ?? [];
    if (number !== undefined) {
      file.rows.push({ sign: sign as AnsweredRow["sign"], line: Number(number), text });
    } else if (BLOCK.test(line)) file.blocks.push(line);
    else if (line === MERGED) file.merged = true;
    else if (list !== undefined) {
      moves = list.split(", ").map(readMove);
      file.cut = more !== undefined;
    } else if (!GAP.test(line)) throw new Error(`No row of an answer: ${JSON.stringify(line)}`);
  }
  return { ...file, moves };
}

function readMove(text: string): AnsweredFile["moves"][number] {
  const [, first, last = first, by] = /^(\d+)(?:-(\d*))? ([+-]\d+)$/.exec(text) ?? [];
  if (by === undefined) throw new Error(`No move: ${JSON.stringify(text)}`);
  return {
    first: Number(first),
    last: last === "" ? Number.POSITIVE_INFINITY : Number(last),
    by: Number(by),
  };
}
