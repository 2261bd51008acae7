/** The smallest of many numbers, without keeping the others. Used by `listed.ts`. */
export interface Smallest {
  readonly add: (value: number) => void;
  readonly sorted: () => readonly number[];
}

export function smallest(count: number): Smallest {
  let kept: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  const sorted = (): number[] => kept.sort((one, other) => one - other).slice(0, count);
  return {
    add: (value) => {
      if (value >= limit) return;
      kept.push(value);
      if (kept.length < 2 * count + 64) return;
      kept = sorted();
      limit = kept.at(-1) ?? limit;
    },
    sorted,
  };
}
