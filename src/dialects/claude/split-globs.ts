/**
 * The `glob` of Claude Code's Grep: several in one text, apart by blanks, and by commas outside braces. One that
 * begins with `!` leaves out what it names.
 */

export interface SplitGlobs {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export function splitGlobs(text: string): SplitGlobs {
  const globs = text
    .split(/\s+/)
    .flatMap(atCommas)
    .filter((glob) => glob !== "" && glob !== "!");
  return {
    include: globs.filter((glob) => !glob.startsWith("!")),
    exclude: globs.flatMap((glob) => (glob.startsWith("!") ? [glob.slice(1)] : [])),
  };
}

function atCommas(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth = Math.max(0, depth - 1);
    if (character === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}
