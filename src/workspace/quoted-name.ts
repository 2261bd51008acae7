/**
 * Reads back a name that an answer printed in quotes because it holds a newline, a control character, a quote or a
 * blank at its end. What follows the closing quote, a selector, stays as it is. `format/escape.ts` writes such names.
 */

const QUOTED = /^"((?:[^"\\]|\\.)+)"(:[^"]*)?$/s;
const ESCAPE = /\\(?:x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|(.))/gis;
const SHORT: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

/** null: no such name, or one whose bytes are not UTF-8, which no text can say. */
export function readQuotedName(text: string): string | null {
  const [, inner, selector = ""] = QUOTED.exec(text.trim()) ?? [];
  if (inner === undefined) return null;
  let sayable = true;
  const name = inner.replace(ESCAPE, (whole, byte?: string, point?: string, letter?: string) => {
    const code = Number.parseInt(byte ?? point ?? "", 16);
    const known = letter === undefined ? undefined : SHORT[letter];
    if (known !== undefined) return known;
    if (letter === undefined && code <= (byte === undefined ? 0x10ffff : 0x7f))
      return String.fromCodePoint(code);
    sayable = false;
    return whole;
  });
  return sayable ? name + selector : null;
}
