/** Folder by folder, names by their bytes: `a/b` comes before `a.txt`, as in `rg --sort path`. */
export function comparePaths(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const a = one.charCodeAt(at);
    const b = other.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

const SLASH = 0x2f;

/** The slash before everything; surrogates after everything else, where UTF-8 has them. */
function rank(unit: number): number {
  if (unit === SLASH) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
