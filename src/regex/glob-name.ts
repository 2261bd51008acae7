/**
 * Globs and names, as text. `engine/` and `tools/` write a name as a glob, and take from a glob what it says of the
 * base name alone, to ask less of the disk. What they get means the same to `compileGlobs` and after ripgrep's `-g`,
 * where a leading `!` or `#` is syntax and blanks at the end are cut off.
 */
import { classAt, mayMatchSlash } from "./glob-class.ts";

const BLANK_AT_END = /[\s\u0085]$/;

/** A glob that matches this name, or path, and nothing else. */
export function escapeGlob(text: string): string {
  const escaped = text.replace(/[\\*?[\]{},]|^[!#]/g, "\\$&");
  return escaped.replace(BLANK_AT_END, "{$&}");
}

/**
 * The last segment of a glob: every path the glob matches has a base name that this matches. Null when it says
 * nothing of the name, when braces or a class reach over a slash, and for folders alone.
 */
export function nameGlob(glob: string): string | null {
  const chars = Array.from(glob);
  let start = 0;
  let depth = 0;
  let unclear = false;
  for (let at = 0; at < chars.length; at += 1) {
    const escaped = chars[at] === "\\";
    if (escaped) at += 1;
    const char = chars[at];
    if (char === "/" && depth === 0) {
      start = at + 1;
      unclear = false;
    } else if (char === "/") {
      unclear = true;
    } else if (escaped) {
      continue;
    } else if (char === "[") {
      const found = classAt(chars, at);
      if (found === null) return null;
      unclear ||= mayMatchSlash(found);
      at = found.end;
    } else if (char === "{") {
      depth += 1;
    } else if (char === "}") {
      depth -= 1;
    } else if (char === "*" && depth > 0) {
      // `{a\,**}` reaches over slashes in ripgrep.
      unclear ||= chars[at + 1] === "*";
    }
  }
  const name = chars.slice(start).join("");
  if (unclear || depth !== 0 || /^\**$/.test(name) || BLANK_AT_END.test(name)) return null;
  return name.replace(/^[!#]/, "\\$&");
}
