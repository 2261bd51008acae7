import { hasShape, type NameShape } from "../../regex/glob-shape.ts";
import { headOf, type NameText, tailOf } from "../name-list.ts";
import { addBit, type Bits } from "./bits.ts";

/**
 * The files or folders whose names are of a shape. What a name begins with or ends in is told by its first and last
 * letters, side by side for all of them; what it holds is looked for in the text of all names. Asked by `scope-files.ts`.
 */

/** From one place by path up to another. */
export type Range = readonly [from: number, to: number];

/** Marks those of the range whose names are of one of the shapes. */
export function markShaped(names: NameText, shapes: readonly NameShape[], range: Range, marked: Bits): void {
  const ended = shapes.filter(({ middle }) => middle === "");
  if (ended.length > 0) markByEnds(names, ended, range, marked);
  const holding = shapes.filter(({ middle }) => middle !== "");
  for (const middle of new Set(holding.map((shape) => shape.middle))) {
    const own = holding.filter((shape) => shape.middle === middle);
    markHolding(names, middle, own, range, marked);
  }
}

/** What the first and the last four letters of a name must be, those that `headMask` and `tailMask` leave. */
interface Ends {
  readonly shape: NameShape;
  readonly head: number;
  readonly headMask: number;
  readonly tail: number;
  readonly tailMask: number;
  /** They say all of the shape. */
  readonly enough: boolean;
}

const ALL_LETTERS = -1;

function endsOf(shape: NameShape): Ends {
  const { start, end, whole } = shape;
  if (whole) {
    const [head, tail] = [headOf(start), tailOf(start)];
    // A shorter name has a zero behind it, which no other has.
    return { shape, head, headMask: ALL_LETTERS, tail, tailMask: ALL_LETTERS, enough: start.length < 4 };
  }
  return {
    shape,
    head: headOf(start),
    headMask: lettersOf(start),
    tail: tailOf(end),
    tailMask: lettersOf(end),
    enough: (start === "" || end === "") && start.length <= 4 && end.length <= 4,
  };
}

/** As many as the text has. */
function lettersOf(text: string): number {
  return text.length >= 4 ? ALL_LETTERS : 2 ** (8 * text.length) - 1;
}

/** More shapes than these are told apart by the last letter of a name first. */
const FEW_SHAPES = 2;

function markByEnds(
  { text, starts, heads, tails }: NameText,
  shapes: readonly NameShape[],
  [from, to]: Range,
  marked: Bits,
): void {
  const all = shapes.map(endsOf);
  const byLast = all.length > FEW_SHAPES ? endingIn(all) : null;
  for (let at = from; at < to; at += 1) {
    const tail = tails[at] ?? 0;
    const own = byLast?.[tail & 0xff] ?? all;
    for (let one = 0; one < own.length; one += 1) {
      const ends = own[one] as Ends;
      if (((tail ^ ends.tail) & ends.tailMask) !== 0) continue;
      if ((((heads[at] ?? 0) ^ ends.head) & ends.headMask) !== 0) continue;
      if (!ends.enough && !hasShape(text, (starts[at] ?? 0) + 1, starts[at + 1] ?? 0, ends.shape)) continue;
      addBit(marked, at);
      break;
    }
  }
}

/** Of each letter, those that a name may be of which ends in it. */
function endingIn(all: readonly Ends[]): readonly (readonly Ends[])[] {
  return Array.from({ length: 256 }, (_, last) =>
    all.filter(({ tail, tailMask }) => ((tail ^ last) & tailMask & 0xff) === 0),
  );
}

function markHolding(
  { text, starts }: NameText,
  middle: string,
  shapes: readonly NameShape[],
  [from, to]: Range,
  marked: Bits,
): void {
  // Whoever holds the text is of the shape.
  const isAll = shapes.some(({ start, end }) => start === "" && end === "");
  const last = starts[to] ?? 0;
  let at = from;
  for (let found = text.indexOf(middle, starts[from]); found !== -1 && found < last; ) {
    while ((starts[at + 1] ?? last) <= found) at += 1;
    const [start, end] = [(starts[at] ?? 0) + 1, starts[at + 1] ?? last];
    if (isAll || shapes.some((shape) => hasShape(text, start, end, shape))) addBit(marked, at);
    found = text.indexOf(middle, end);
  }
}
