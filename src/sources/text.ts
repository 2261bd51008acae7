/**
 * Is it text? Strict UTF-8 without NUL, a byte order mark left off. Asked by `archive.ts` of every member that
 * is to be searched; what is no text is named, never repaired.
 */

export type NoText = "binary" | "not-utf8";

const strict = new TextDecoder("utf-8", { fatal: true });

export function textOf(
  bytes: Buffer,
): { readonly text: string; readonly bytes: Buffer } | { readonly skipped: NoText } {
  // UTF-16 is text to a person, and full of NULs: the mark tells it from a binary file.
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfeff || mark === 0xfffe) return { skipped: "not-utf8" };
  if (bytes.includes(0)) return { skipped: "binary" };
  try {
    return { text: strict.decode(bytes), bytes };
  } catch {
    return { skipped: "not-utf8" };
  }
}
