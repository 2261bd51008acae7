/**
 * The parameters behind a table: `limit=5&where=name='a&b'`. Called by the path's parser.
 * Models write values as they are and percent-encoded, often both ways in one sitting:
 * - `&` parts parameters, except inside quotes.
 * - A value without blanks is decoded: `%XX` where the bytes are UTF-8. A plus sign stays a plus sign.
 * - A value with blanks was not encoded by anybody, so `LIKE '%2024%'` stays; only `%26` outside quotes is `&`.
 */

export interface Parameter {
  readonly name: string;
  readonly value: string;
}

export function parameters(text: string): Parameter[] {
  return outsideQuotes(text, "&")
    .filter((piece) => piece !== "")
    .map((piece) => {
      const equals = piece.indexOf("=");
      return equals === -1
        ? { name: piece.trim(), value: "" }
        : { name: piece.slice(0, equals).trim(), value: decoded(piece.slice(equals + 1)) };
    });
}

export function decoded(value: string): string {
  if (/\s/.test(value.trim())) return outsideQuotes(value, "%26").join("&");
  return value.replace(/(?:%[0-9a-f]{2})+/gi, (run) => utf8(run));
}

/** A run of escapes as text; as it is where its bytes are none. */
function utf8(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** The pieces between separators that stand in no SQL quotes. */
function outsideQuotes(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let quote = "";
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (text.startsWith(separator, at)) {
      pieces.push(text.slice(start, at));
      start = at + separator.length;
    }
  }
  return [...pieces, text.slice(start)];
}
