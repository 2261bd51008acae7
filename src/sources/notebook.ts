/**
 * Jupyter notebooks through their cells: read as text, and changed by a changed text. Called by the tools that read
 * and edit. What the text does not change stays as it is, byte for byte: other cells, outputs, metadata, the way the
 * JSON is written. How a text stands for cells is told in `notebook-view.ts`.
 *
 * A cell is known by the number in its marker, wherever the marker stands: moved with its marker, a cell takes its
 * outputs along. A number that there is not, or none, is a new cell. Refused is what could mean two things: a number
 * twice, and numbers counted anew, which would put one cell's outputs under another cell's text.
 */
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { changedCell, newCell } from "./cell-text.ts";
import { indentAt, type Layout, layoutAt, layoutOf, styleOf } from "./json-style.ts";
import { type Cell, invalidCells, lastOf, type Notebook, parseNotebook, scalar } from "./notebook-cells.ts";
import { NEW_CELL, parseView, type ViewCell, viewOf } from "./notebook-view.ts";

/**
 * The cells as text: each begins with a marker line `# %% [code] cell:0` (code, markdown or raw, counted from 0),
 * its source follows. UTF-8, every line ended by a newline.
 * @throws NOTEBOOK_INVALID, FILE_TOO_LARGE
 */
export function notebookText(bytes: Buffer, name: string): Buffer {
  return Buffer.from(viewOf(parseNotebook(bytes, name).cells), "utf8");
}

/**
 * The notebook's bytes with its cells as an edited view says: only what differs is touched.
 * @throws NOTEBOOK_INVALID, FILE_TOO_LARGE
 */
export function rewriteNotebook(bytes: Buffer, text: Buffer, name: string): Buffer {
  const notebook = parseNotebook(bytes, name);
  if (!isUtf8(text)) throw invalidCells(name, "the text of its cells is not UTF-8");
  const wanted = parseView(text.toString("utf8"), name);
  checkNumbers(wanted, name);
  checkNotRenumbered(notebook.cells, wanted, name);
  const { cellsMember } = notebook;
  const before = notebook.text.slice(0, cellsMember.start);
  const after = notebook.text.slice(cellsMember.end);
  return Buffer.from(before + cellList(notebook, wanted, name) + after, "utf8");
}

function checkNumbers(wanted: readonly ViewCell[], name: string): void {
  const seen = new Set<number>();
  for (const { number, marker } of wanted) {
    if (number !== null && seen.has(number))
      throw invalidCells(name, `${marker} repeats a number that another cell has`, NEW_CELL);
    if (number !== null) seen.add(number);
  }
}

/**
 * A cell that has become, to the letter, what another one was, while that other one has not stayed so: the markers
 * were counted anew, or texts changed places without their markers.
 */
function checkNotRenumbered(cells: readonly Cell[], wanted: readonly ViewCell[], name: string): void {
  const now = new Map(wanted.map(({ number, source }) => [number, source]));
  const former = new Map<string, number>();
  for (const [number, cell] of cells.entries()) {
    const text = shown(cell.text);
    if (now.get(number) !== text && text.trim() !== "") former.set(text, number);
  }
  for (const { number, source, marker } of wanted) {
    const other = former.get(source);
    const own = number === null ? undefined : cells[number];
    if (number === null || other === undefined || (own !== undefined && shown(own.text) === source)) continue;
    throw invalidCells(
      name,
      `${marker} stands before the text of cell:${other}`,
      `A cell keeps its number: move its marker with its text. ${NEW_CELL}`,
    );
  }
}

/** The list of cells as it is to be written. */
function cellList(notebook: Notebook, wanted: readonly ViewCell[], name: string): string {
  const { text, cells, cellsMember } = notebook;
  if (wanted.length === 0) return cells.length === 0 ? text.slice(cellsMember.start, cellsMember.end) : "[]";
  const style = styleOf(text, notebook.members);
  const layout =
    cells.length === 0
      ? layoutAt(style, indentAt(text, cellsMember.keyStart))
      : layoutOf(text, cellsMember, cells, style.comma);
  const ids = new Set(cells.map(({ members }) => scalar(text, lastOf(members, "id"))));
  const form = cells[0] !== undefined && text[cells[0].source.start] === '"' ? "string" : "lines";
  const parts = wanted.map((cell, at) => {
    const own = cell.number === null ? undefined : cells[cell.number];
    const gap = at === 0 ? layout.open : gapBetween(notebook, wanted[at - 1], cell, layout);
    if (own !== undefined) {
      const source = editedSource(own, cell, name);
      return gap + changedCell(text, own, cell.kind, source, style);
    }
    const id = notebook.hasIds ? freshId(cell, at, ids) : null;
    return gap + newCell({ kind: cell.kind, source: cell.source, id, form }, layout, style);
  });
  return `[${parts.join("")}${layout.close}]`;
}

/** Two cells that stood one behind the other keep what was between them. */
function gapBetween(
  { text, cells }: Notebook,
  last: ViewCell | undefined,
  next: ViewCell,
  layout: Layout,
): string {
  const before = cells[last?.number ?? -1];
  const behind = cells[next.number ?? -1];
  if (before === undefined || behind === undefined || last?.number !== (next.number ?? 0) - 1)
    return layout.separator;
  return text.slice(before.end, behind.start);
}

/** The new source of a cell; null when it stays. */
function editedSource(own: Cell, { source, marker }: ViewCell, name: string): string | null {
  const text = shown(own.text);
  if (text === source) return null;
  if (text !== own.text)
    throw invalidCells(
      name,
      `${marker} holds half a character (a lone surrogate), which a text cannot carry`,
    );
  return source;
}

/** A source as UTF-8 can show it: half a surrogate pair becomes U+FFFD. */
function shown(source: string): string {
  return /\p{Surrogate}/u.test(source) ? Buffer.from(source, "utf8").toString("utf8") : source;
}

/** By content and place, so that the same edit gives the same bytes; as long as Jupyter's own. */
function freshId(cell: ViewCell, at: number, taken: Set<unknown>): string {
  for (let salt = 0; ; salt++) {
    const hash = createHash("sha256").update(JSON.stringify([cell.kind, cell.source, at, salt]));
    const id = hash.digest("hex").slice(0, 8);
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}
