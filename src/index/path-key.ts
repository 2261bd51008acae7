/**
 * A path below the root as one string with one character for each byte of it (latin1), `/` between names and "" for the
 * root itself. It says every name, equal keys are equal paths, and for ASCII it is the path: 80,000 of them cost no
 * more than their bytes, and most need no conversion. The feed tells of paths by it; `index/` keeps them by it.
 */
import { isUtf8 } from "node:buffer";
import type { FilePath } from "../model/match.ts";

export type PathKey = string;

const ASCII = /^[\0-\x7f]*$/;

/** A name in a folder. */
export function keyBelow(folder: PathKey, name: string): PathKey {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folder that a path lies in, and its name there. */
export function splitKey(key: PathKey): { readonly folder: PathKey; readonly name: string } {
  const slash = key.lastIndexOf("/");
  return { folder: slash === -1 ? "" : key.slice(0, slash), name: key.slice(slash + 1) };
}

/** What a call to the file system takes. */
export function keyOnDisk(root: string, key: PathKey): string | Buffer {
  if (key === "") return root;
  if (ASCII.test(key)) return `${root}/${key}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(key, "latin1")]);
}

/** As paths are shown everywhere else. */
export function pathOfKey(key: PathKey): FilePath {
  if (key === "") return { path: "." };
  if (ASCII.test(key)) return { path: key };
  const bytes = Buffer.from(key, "latin1");
  const path = bytes.toString("utf8");
  return isUtf8(bytes) ? { path } : { path, pathBytes: bytes.toString("base64") };
}

/** Of a path relative to the root. */
export function keyOfPath({ path, pathBytes }: FilePath): PathKey {
  if (pathBytes !== undefined) return Buffer.from(pathBytes, "base64").toString("latin1");
  if (path === ".") return "";
  return ASCII.test(path) ? path : Buffer.from(path, "utf8").toString("latin1");
}
