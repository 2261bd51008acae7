/**
 * Makes text safe to show: what would move the cursor, reorder the line or break it in two becomes a visible
 * escape. Called for everything that reaches a terminal, and for names wherever they are printed.
 * A quoted name can be read back: `\xNN` is a byte, `\u{…}` a code point, and only a quoted name starts with `"`.
 */

/** Control characters, bidi controls, line separators, and marks that have no width at all. */
const UNSAFE = /[\p{Cc}\p{Bidi_C}\u2028\u2029\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What most code is made of, and needs no look at every character by all that is known of it. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** Text for a terminal: tabs stay, every other unsafe character is spelled out. */
export function escapeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(UNSAFE, (character) => (character === "\t" ? character : spell(character)));
}

/** What some readers break a line at. */
const BREAK = /[\r\v\f\u0085\u2028\u2029]/g;

/** A row for an agent: what could make it look like two is spelled out, all else stays. */
export function oneRow(text: string): string {
  return text.replace(BREAK, escapeText);
}

/** The same with every unsafe character one column wide, so that a caret below still points at its place. */
export function escapeKeepingColumns(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}

/** JSON for a terminal: the same value, every unsafe character as JSON escapes it. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A name on one line: as it is where that is safe, else in quotes. */
export function quoteName(name: string, bytes?: string): string {
  if (bytes !== undefined) return `"${spellBytes(Buffer.from(bytes, "base64"))}"`;
  const plain = name.search(UNSAFE) === -1 && !name.startsWith('"') && name.trim() === name;
  return plain ? name : `"${inQuotes(name)}"`;
}

/** Longer than any path of a file system, as only a member of an archive can be called. */
const LONGEST_NAME = 4_096;

/** A name that does not take the whole answer. */
export function bounded(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

/** A name on a line of its own: one that could be taken for a heading or a note is quoted too. */
export function quoteListed(name: string, bytes?: string): string {
  const quoted = quoteName(name, bytes);
  return quoted === name && /^(?:# |¶|\[.*\]$)/.test(name) ? `"${inQuotes(name)}"` : quoted;
}

/** A name where more stands on its line: one that could be taken for that is quoted too. */
export function quoteApart(name: string, bytes?: string): string {
  const quoted = quoteListed(name, bytes);
  return quoted === name && /  | -> |^[(…]/.test(name) ? `"${inQuotes(name)}"` : quoted;
}

function inQuotes(name: string): string {
  return name.replace(/["\\]/g, "\\$&").replace(UNSAFE, spell);
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x80) return `\\u{${code.toString(16)}}`;
  return SHORT[character] ?? spellByte(code);
}

function spellByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Bytes that are not all UTF-8: the parts that are stay readable, the others are spelled one by one. */
function spellBytes(bytes: Buffer): string {
  let spelled = "";
  let at = 0;
  while (at < bytes.length) {
    const character = characterAt(bytes, at);
    spelled += character === null ? spellByte(bytes[at] ?? 0) : inQuotes(character);
    at += character === null ? 1 : Buffer.byteLength(character);
  }
  return spelled;
}

function characterAt(bytes: Buffer, at: number): string | null {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      return STRICT.decode(bytes.subarray(at, at + length));
    } catch {
      // Not a whole character yet, or none at all: the next length tells.
    }
  }
  return null;
}
