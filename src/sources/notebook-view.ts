/**
 * The text that a notebook is read and edited as. Called by `notebook.ts`. Pure, and lossless both ways:
 *
 * - A cell begins with its marker, `# %% [code] cell:3`: its kind, and the number by which it is known. Its source
 *   follows line by line. An empty source has no line; a source that ends with a newline has an empty line at its
 *   end, as "a\n" is more than "a". A carriage return stays at the end of its line.
 * - A line of a source that looks like a marker, `# %% [word]` with or without a number, is shown with a backslash
 *   before it, `\# %% [code] cell:3`, and one that already has backslashes there with one more. Reading takes one
 *   away. All other lines are shown as they are, `# %%` alone among them.
 * - Blanks behind a marker are tolerated, for an editor may have put a carriage return there.
 */
import { type Cell, type CellKind, invalidCells, isCellKind } from "./notebook-cells.ts";

const MARKER = /^# %% \[(\w+)\](?: cell:(\d+))?[ \t\r]*$/;
const LIKE_MARKER = /^\\*# %% \[\w+\](?: cell:\d+)?[ \t\r]*$/;

/** A cell as an edited view has it. */
export interface ViewCell {
  readonly kind: CellKind;
  /** Null for a new cell that was given none. */
  readonly number: number | null;
  readonly source: string;
  /** The marker with its line, as messages call it. */
  readonly marker: string;
}

export function viewOf(cells: readonly Cell[]): string {
  return cells
    .map(({ kind, text }, number) => {
      const lines = text === "" ? [] : text.split("\n").map(escapeLine);
      return [`# %% [${kind}] cell:${number}`, ...lines].map((line) => `${line}\n`).join("");
    })
    .join("");
}

export function parseView(view: string, name: string): ViewCell[] {
  const lines = view.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const cells: ViewCell[] = [];
  let source: string[] = [];
  let head: Omit<ViewCell, "source"> | null = null;
  for (const [at, line] of lines.entries()) {
    const next = readMarker(line, at + 1, name);
    if (next === null && head === null)
      throw invalidCells(name, `line ${at + 1} stands before the first marker`, NEW_CELL);
    if (next === null) source.push(LIKE_MARKER.test(line) ? line.slice(1) : line);
    else {
      if (head !== null) cells.push({ ...head, source: source.join("\n") });
      head = next;
      source = [];
    }
  }
  if (head !== null) cells.push({ ...head, source: source.join("\n") });
  return cells;
}

export const NEW_CELL = "A new cell begins with # %% [code], # %% [markdown] or # %% [raw], without a number";

function readMarker(line: string, at: number, name: string): Omit<ViewCell, "source"> | null {
  const found = MARKER.exec(line);
  if (found === null) return null;
  const [, kind, number] = found;
  const marker = `${line.trimEnd()} (line ${at})`;
  if (!isCellKind(kind))
    throw invalidCells(
      name,
      `${marker} is of no kind that there is`,
      "Kinds are code, markdown and raw; a line of text that looks like a marker begins with a backslash",
    );
  return { kind, number: number === undefined ? null : Number(number), marker };
}

function escapeLine(line: string): string {
  return LIKE_MARKER.test(line) ? `\\${line}` : line;
}
