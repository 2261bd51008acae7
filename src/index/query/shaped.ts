import { hasShape, type NameShape } from "../../regex/glob-shape.ts";
import type { NameText } from "../name-list.ts";
import { addBit, type Bits } from "./bits.ts";

/** The files whose names are of a shape, from the text of all names. Asked by `scope-files.ts`. */

/** From one place by path up to another. */
export type Range = readonly [from: number, to: number];

/** More texts than these are not looked for one after the other where the last letter of a name tells them apart. */
const FEW_NEEDLES = 2;

/** Marks those of the range whose names are of one of the shapes. */
export function markShaped(names: NameText, shapes: readonly NameShape[], range: Range, marked: Bits): void {
  const needles = new Set(shapes.map(needleOf));
  if (needles.size > FEW_NEEDLES && shapes.every((shape) => lastOf(shape) !== "")) {
    markByLast(names, shapes, range, marked);
    return;
  }
  for (const needle of needles) {
    const own = shapes.filter((shape) => needleOf(shape) === needle);
    const isAll = own.some((shape) => saysNoMore(shape, needle));
    eachHolding(names, needle, range, (at, start, end) => {
      if (isAll || own.some((shape) => hasShape(names.text, start, end, shape))) addBit(marked, at);
    });
  }
}

/** The last letter of every name of the shape; "" where it may be any. */
function lastOf({ start, end, whole }: NameShape): string {
  return (whole ? start : end).slice(-1);
}

function markByLast(
  { text, starts }: NameText,
  shapes: readonly NameShape[],
  [from, to]: Range,
  marked: Bits,
): void {
  const byLast = new Map<number, NameShape[]>();
  for (const shape of shapes) {
    const last = lastOf(shape).charCodeAt(0);
    byLast.set(last, [...(byLast.get(last) ?? []), shape]);
  }
  for (let at = from; at < to; at += 1) {
    const end = starts[at + 1] ?? 0;
    const own = byLast.get(text.charCodeAt(end - 1));
    if (own === undefined) continue;
    const start = (starts[at] ?? 0) + 1;
    if (own.some((shape) => hasShape(text, start, end, shape))) addBit(marked, at);
  }
}

/** Whoever holds the needle is of the shape. */
function saysNoMore({ start, middle, end }: NameShape, needle: string): boolean {
  return start.length + middle.length + end.length === needle.replaceAll("/", "").length;
}

/** The longest text that a name of the shape holds, with the slashes around it. */
function needleOf({ start, middle, end, whole }: NameShape): string {
  if (whole) return `/${start}/`;
  if (middle.length >= Math.max(start.length, end.length)) return middle;
  return end.length >= start.length ? `${end}/` : `/${start}`;
}

function eachHolding(
  { text, starts }: NameText,
  needle: string,
  [from, to]: Range,
  tell: (at: number, start: number, end: number) => void,
): void {
  const last = starts[to] ?? 0;
  let at = from;
  let found = text.indexOf(needle, starts[from]);
  while (found !== -1 && found < last) {
    while ((starts[at + 1] ?? last) <= found) at += 1;
    const end = starts[at + 1] ?? last;
    tell(at, (starts[at] ?? 0) + 1, end);
    found = text.indexOf(needle, end);
  }
}
