/**
 * What kind of file it is, told by its first bytes, and by its name where bytes alone do not say: office documents
 * are zips or OLE files. Asked by read, edit and write before they take a file for text. Kinds that are not read here
 * are named, so that the caller knows what to open them with. The marks themselves are in `magic.ts`. Pure.
 */
import { basename, extname } from "node:path";
import { ToolError } from "../model/errors.ts";
import type { FileKind, ForeignKind } from "../model/file-kind.ts";
import { KIND_BYTES } from "../model/limits.ts";
import { archiveFormat } from "./format.ts";
import { magicOf, UTF_32 } from "./magic.ts";

/** `bytes`: the first 4 KiB of the file, or all it has. More is not looked at. */
export function kindOf(bytes: Buffer, path: string): FileKind {
  const head = bytes.subarray(0, KIND_BYTES);
  const ending = extname(basename(path)).toLowerCase();
  if (head.length === 0) return { kind: "text" };
  if (head.toString("latin1", 0, 16) === "SQLite format 3\0") return { kind: "sqlite" };
  if (isUtf16(head)) return { kind: "text" };
  const known = magicOf(head, ending);
  if (known !== null) return known;
  if (head.includes(0)) return { kind: "binary", name: "a binary file" };
  return { kind: ending === ".ipynb" ? "notebook" : "text" };
}

/** By its mark; the one of UTF-32 goes on with two NULs. */
function isUtf16(head: Buffer): boolean {
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0;
  const wide = head[2] === 0 && head[3] === 0;
  return mark === 0xfeff || (mark === 0xfffe && !wide);
}

/** Why such a file is not read. KIND_UNSUPPORTED, or BINARY_FILE where it is not known what it is. */
export function unsupported(kind: ForeignKind, path: string): ToolError {
  const code = kind.kind === "binary" ? "BINARY_FILE" : "KIND_UNSUPPORTED";
  return new ToolError(code, `${path} is ${kind.name}, which is not read here`, {
    hint: wayOut(kind, path),
  });
}

function wayOut({ kind, name }: ForeignKind, path: string): string {
  if (kind === "archive") return archiveWayOut(name, path);
  if (kind === "document") return "Quarry reads text; convert it to text with another tool, and read that";
  if (name === UTF_32) return "Convert it to UTF-8, and read that";
  return "Quarry reads text; open it with another tool";
}

const READ = ".zip, .jar, .whl, .tar, .tar.gz and .tgz";

function archiveWayOut(name: string, path: string): string {
  if (archiveFormat(path) !== null)
    return `Its content is not what its name says; archives are read as ${READ}`;
  if (name === "a zip archive")
    return "Archives are told by their names: copy it to a name that ends in .zip";
  if (name === "a tar archive")
    return "Archives are told by their names: copy it to a name that ends in .tar";
  return `Archives are read as ${READ}; unpack others with another tool`;
}
