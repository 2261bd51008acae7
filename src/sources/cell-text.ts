/**
 * One cell's JSON, changed or new, in the style of its notebook. Called by `notebook.ts`. Of a changed cell only the
 * value of `source` is written anew; of lines that stay, even the way they are escaped. A change of kind writes
 * `cell_type`, and takes away or adds what the format forbids or demands of the new kind.
 */
import { elementsOf, type MemberSpan } from "./json-spans.ts";
import {
  indentAt,
  type JsonStyle,
  type Layout,
  lastLine,
  layoutAt,
  layoutOf,
  writeList,
  writeObject,
  writeString,
} from "./json-style.ts";
import type { Cell, CellKind } from "./notebook-cells.ts";

interface Patch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Fields that only some kinds have; a validator refuses them elsewhere. */
const FOREIGN: Readonly<Record<CellKind, readonly string[]>> = {
  code: ["attachments"],
  markdown: ["execution_count", "outputs"],
  raw: ["execution_count", "outputs"],
};
const OF_CODE = [
  ["execution_count", "null"],
  ["outputs", "[]"],
] as const;

/** The cell with another source (null: its own) and of this kind. */
export function changedCell(
  text: string,
  cell: Cell,
  kind: CellKind,
  source: string | null,
  style: JsonStyle,
): string {
  const patches: Patch[] = [];
  if (source !== null)
    patches.push({ ...spanOf(cell.source), text: changedSource(text, cell, source, style) });
  if (kind !== cell.kind) patches.push(...kindPatches(text, cell, kind));
  let written = "";
  let at = cell.start;
  for (const patch of patches.sort((a, b) => a.start - b.start)) {
    written += text.slice(at, patch.start) + patch.text;
    at = patch.end;
  }
  return written + text.slice(at, cell.end);
}

function spanOf({ start, end }: MemberSpan): { start: number; end: number } {
  return { start, end };
}

/** A source stays a list of lines or one string, whichever it was. */
function changedSource(text: string, { source }: Cell, wanted: string, style: JsonStyle): string {
  if (text[source.start] !== "[") return writeString(wanted, style);
  const items = elementsOf(text, source.start);
  const written = new Map(
    items.map(({ start, end }) => {
      const raw = text.slice(start, end);
      return [JSON.parse(raw) as string, raw];
    }),
  );
  const layout =
    items.length === 0
      ? layoutAt(style, indentAt(text, source.keyStart))
      : layoutOf(text, source, items, style.comma);
  return writeList(
    linesOf(wanted).map((line) => written.get(line) ?? writeString(line, style)),
    layout,
  );
}

/** With their newlines, as notebooks write them. */
function linesOf(source: string): string[] {
  return source.split(/(?<=\n)/).filter((line) => line !== "");
}

function kindPatches(text: string, { members, type }: Cell, kind: CellKind): Patch[] {
  const [first, second] = members;
  const separator = text.slice(first?.end, second?.keyStart);
  const colon = text.slice(type.keyEnd, type.start);
  const missing = OF_CODE.filter(([key]) => kind === "code" && !members.some((member) => member.key === key));
  const added = missing.map(([key, value]) => `${separator}${JSON.stringify(key)}${colon}${value}`);
  const patches: Patch[] = [{ ...spanOf(type), text: `${JSON.stringify(kind)}${added.join("")}` }];
  // A member goes with the comma before it, or behind it as long as none before it stays.
  let stays = false;
  for (const [at, member] of members.entries()) {
    if (!FOREIGN[kind].includes(member.key)) stays = true;
    else if (stays) patches.push({ start: members[at - 1]?.end ?? 0, end: member.end, text: "" });
    else patches.push({ start: member.keyStart, end: members[at + 1]?.keyStart ?? member.end, text: "" });
  }
  return patches;
}

/** How new cells are written: where, in which form, with which id. */
export interface NewCell {
  readonly kind: CellKind;
  readonly source: string;
  readonly id: string | null;
  readonly form: "lines" | "string";
}

/** A cell that was never run; its keys in the order in which Jupyter sorts them. */
export function newCell(cell: NewCell, list: Layout, style: JsonStyle): string {
  const indent = /[\r\n]/.test(list.open) ? lastLine(list.open) : null;
  const inner = indent === null ? null : indent + style.unit;
  const lines = linesOf(cell.source).map((line) => writeString(line, style));
  const items: [string, string][] = [["cell_type", JSON.stringify(cell.kind)]];
  if (cell.kind === "code") items.push(["execution_count", "null"]);
  if (cell.id !== null) items.push(["id", JSON.stringify(cell.id)]);
  items.push(["metadata", "{}"]);
  if (cell.kind === "code") items.push(["outputs", "[]"]);
  items.push([
    "source",
    cell.form === "lines" ? writeList(lines, layoutAt(style, inner)) : writeString(cell.source, style),
  ]);
  return writeObject(items, layoutAt(style, indent), style);
}
