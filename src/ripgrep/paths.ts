import { isUtf8 } from "node:buffer";
import { sep } from "node:path";
import type { FilePath } from "../model/match.ts";

/** Paths as ripgrep prints them, made ours: `/` between folders, no `./`, bytes kept where they are not UTF-8. */

export type RawPath = { readonly text: string } | { readonly bytes: string };

export function readPath(raw: RawPath): FilePath {
  if ("text" in raw) return { path: ours(raw.text) };
  return pathFromBytes(Buffer.from(raw.bytes, "base64"));
}

export function pathFromBytes(bytes: Buffer): FilePath {
  const path = ours(bytes.toString("utf8"));
  if (isUtf8(bytes)) return { path };
  const start = bytes[0] === 0x2e && bytes[1] === 0x2f ? 2 : 0;
  return { path, pathBytes: bytes.subarray(start).toString("base64") };
}

function ours(path: string): string {
  return withoutDot(sep === "\\" ? path.replaceAll("\\", "/") : path);
}

/** ripgrep puts `./` before what it finds in the root, and calls the root itself that. */
export function withoutDot(path: string): string {
  return path.startsWith("./") ? path.slice(2) || "." : path;
}
