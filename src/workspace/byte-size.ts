/** A size as people write it, on the command line and in the environment: 500, 64K, 10M, 1G. */

const UNITS: Readonly<Record<string, number>> = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** null: it is none. */
export function bytesOf(text: string): number | null {
  const [, digits = "", unit = ""] = /^(\d+)([KMG]?)$/i.exec(text) ?? [];
  const bytes = digits === "" ? Number.NaN : Number(digits) * (UNITS[unit.toUpperCase()] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : null;
}
