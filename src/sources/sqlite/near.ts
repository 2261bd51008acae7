/** Names that are like a mistyped one, for the hint of an error. In the worker. */
import { NEAR_NAMES } from "../../model/limits.ts";

/** The nearest first; none that is nothing alike. */
export function nearNames(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase().slice(0, LONGEST);
  return names
    .map((name) => ({ name, distance: distance(wanted, name.toLowerCase().slice(0, LONGEST)) }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 2))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_NAMES)
    .map(({ name }) => name);
}

/** Names are compared by their beginnings: the work grows with the square of it. */
const LONGEST = 64;

/** Letters to insert, drop or replace to make one word of the other; one inside the other is near. */
function distance(a: string, b: string): number {
  if (Math.min(a.length, b.length) > 2 && (b.includes(a) || a.includes(b))) return 1;
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    last = row;
  }
  return last[b.length] ?? 0;
}
