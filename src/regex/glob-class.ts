/**
 * The character class of a glob: `[a-z]`, `[!a]`, `[^a]`. `glob-regex.ts` translates it, `glob-name.ts` asks whether
 * it may match a slash: unlike `?` and `*`, it may.
 */

export interface CharClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
  /** A range whose end comes before its start, which makes the glob invalid. */
  readonly backward: string | null;
  /** The index of its `]`. */
  readonly end: number;
}

/** The class that opens at `start`, or null when nothing closes it. A `]` that comes first is part of it. */
export function classAt(chars: readonly string[], start: number): CharClass | null {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  const end = chars.indexOf("]", first + 1);
  if (end === -1) return null;
  const ranges: [from: string, to: string][] = [];
  let open = false;
  let backward: string | null = null;
  for (const char of chars.slice(first, end)) {
    const last = ranges.at(-1);
    if (last === undefined || (!open && char !== "-")) {
      ranges.push([char, char]);
    } else if (open) {
      // `a-c-e` is `a-e`, as in globset.
      last[1] = char;
      if (order(char) < order(last[0])) backward ??= last.join("-");
      open = false;
    } else {
      open = true;
    }
  }
  if (open) ranges.push(["-", "-"]);
  return { negated, ranges, backward, end };
}

export function mayMatchSlash({ negated, ranges }: CharClass): boolean {
  return negated || ranges.some(([from, to]) => order(from) <= order("/") && order("/") <= order(to));
}

function order(char: string): number {
  return char.codePointAt(0) ?? 0;
}
