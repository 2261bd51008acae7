/**
 * Takes off the numbers that view prints before lines, where a model pasted them along. Only where every line has one
 * as view writes it, right-aligned before a tab, and they follow each other: a table may begin with numbers, too. Pure.
 */
const NUMBERED = /^( *)([1-9]\d*)\t/;
const COLUMNS = 6;

/** null where there are none, or where that is in doubt. */
export function withoutNumbers(text: string): string | null {
  const lines = text.split("\n");
  // A newline at the end begins no line.
  const rows = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  let next: number | null = null;
  const bare: string[] = [];
  for (const row of rows) {
    const [prefix, blanks = "", digits = ""] = NUMBERED.exec(row) ?? [];
    if (prefix === undefined || blanks.length + digits.length !== Math.max(COLUMNS, digits.length))
      return null;
    if (next !== null && Number(digits) !== next) return null;
    next = Number(digits) + 1;
    bare.push(row.slice(prefix.length));
  }
  return bare.length === 0 ? null : [...bare, ...lines.slice(rows.length)].join("\n");
}
