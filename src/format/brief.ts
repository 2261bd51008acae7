/** Sizes and ages in a few characters, for columns that a model pays for on every line. Pure. */

const SIZES = ["B", "K", "M", "G", "T", "P"] as const;

/** `812B`, `6.7K`, `52M`: thousands, as `size` counts them. */
export function briefSize(bytes: number): string {
  let [value, at] = [bytes, 0];
  // What would round to a thousand is one of the next.
  while (value >= (at === 0 ? 1000 : 999.5) && at < SIZES.length - 1) [value, at] = [value / 1000, at + 1];
  const digits = at > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)}${SIZES[at]}`;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTH = 30.44 * DAY;
const YEAR = 365.25 * DAY;
/** Each up to where the next one tells enough. */
const AGES = [
  ["s", SECOND, MINUTE],
  ["m", MINUTE, HOUR],
  ["h", HOUR, 2 * DAY],
  ["d", DAY, 2 * MONTH],
  ["mo", MONTH, 2 * YEAR],
  ["y", YEAR, Number.POSITIVE_INFINITY],
] as const;

/** `40s`, `3m`, `2h`, `5d`, `7mo`, `2y`; what lies ahead of the clock is `0s`. */
export function briefAge(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  const [name, unit] = AGES.find(([, , below]) => age < below) ?? AGES[5];
  return `${Math.floor(age / unit)}${name}`;
}
