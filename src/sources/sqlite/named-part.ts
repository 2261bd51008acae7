/**
 * A table's name or a row's key at the beginning of a text: bare up to a delimiter, or in double quotes with each
 * quote inside doubled. Called by the parsers of what follows a database's path.
 */

export interface NamedPart {
  readonly name: string;
  readonly rest: string;
}

/** Null when the text begins with a quote that does not end a name before a delimiter or the end. */
export function namedPart(text: string, delimiters: string): NamedPart | null {
  if (text.startsWith('"')) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(text);
    const rest = text.slice(quoted?.[0].length);
    if (quoted === null || (rest !== "" && !delimiters.includes(rest.charAt(0)))) return null;
    return { name: (quoted[1] ?? "").replaceAll('""', '"'), rest };
  }
  let end = 0;
  while (end < text.length && !delimiters.includes(text.charAt(end))) end++;
  return { name: text.slice(0, end), rest: text.slice(end) };
}

/** A name as it is written in such a path. */
export function namedText(name: string): string {
  return name === "" || /[:?"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}
