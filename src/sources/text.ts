/**
 * Is it text? Strict UTF-8 without NUL. Asked by `archive.ts` of every member that is to be searched; what is no text
 * is named, never repaired. Nothing is decoded: most members are looked at once, as bytes, and dropped.
 */
import { isUtf8 } from "node:buffer";

export type NoText = "binary" | "not-utf8";

export function textOf(bytes: Buffer): { readonly bytes: Buffer } | { readonly skipped: NoText } {
  // UTF-16 is text to a person, and full of NULs: the mark tells it from a binary file.
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (mark === 0xfeff || mark === 0xfffe) return { skipped: "not-utf8" };
  if (bytes.includes(0)) return { skipped: "binary" };
  return isUtf8(bytes) ? { bytes } : { skipped: "not-utf8" };
}
