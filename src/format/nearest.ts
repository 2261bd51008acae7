/**
 * How near a mistyped name is to others, for error messages. Called for commands, flags and choices, and by read for
 * paths that are not there. Names that are nothing alike get no suggestion: a wrong one is worse than none.
 */

export function nearest(typed: string, names: readonly string[]): string | null {
  // Of `-A`, `-B` and `-C`, all one letter away, `-c` means the last.
  const same = names.find((name) => name.toLowerCase() === typed.toLowerCase());
  if (same !== undefined) return same;
  let best: string | null = null;
  let bestDistance = farthest(typed) + 1;
  for (const name of names) {
    const distance = nameDistance(typed, name, bestDistance - 1);
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** The distance up to which a name is like the typed one. */
export function farthest(typed: string): number {
  return Math.max(1, Math.floor(typed.length / 3));
}

/** Edits, and one for a name that goes on where the typed one ends; more than `most` for any that are more. */
export function nameDistance(typed: string, name: string, most: number): number {
  return name !== typed && name.startsWith(typed) && typed.length > 1 ? 1 : edits(typed, name, most);
}

/**
 * Letters to insert, drop, replace or swap with their neighbour to make one word of the other; more than `most` as
 * soon as it is known to be more.
 */
export function edits(a: string, b: string, most: number = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [beforeLast, last, row] = [
    [] as number[],
    Array.from({ length: b.length + 1 }, (_, j) => j),
    [] as number[],
  ];
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let [left, least] = [i, i];
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1);
      let cost = Math.min(at(last, j) + 1, left + 1, at(last, j - 1) + (letter === other ? 0 : 1));
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row[j] = left = cost;
      if (cost < least) least = cost;
    }
    // A swap reaches over one row, for one more.
    if (least > most + 1) return most + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
