/** What is in a folder, by names with one character for each byte. Called by `folders.ts`. */
import { type Dirent, lstatSync, readdirSync } from "node:fs";

/** A link to a folder is none. */
export type FolderEntry = Pick<Dirent, "name" | "isDirectory">;

/** Throws what the system answers. */
export function readFolder(path: string | Buffer): FolderEntry[] {
  const bytes = Buffer.from(path);
  try {
    return readdirSync(bytes, { withFileTypes: true, encoding: "latin1" });
  } catch (error) {
    // A file system that does not say what an entry is: Node then looks itself, and cannot with these names.
    if ((error as NodeJS.ErrnoException).code !== "ERR_INVALID_ARG_TYPE") throw error;
    return lookAtEach(bytes);
  }
}

/** The same by one look at each name. */
export function lookAtEach(folder: Buffer): FolderEntry[] {
  return readdirSync(folder, "latin1").map((name) => {
    const path = Buffer.concat([folder, Buffer.from("/"), Buffer.from(name, "latin1")]);
    const isFolder = kindAt(path) === "folder";
    return { name, isDirectory: () => isFolder };
  });
}

/** `closed`: a folder on the way may not be entered, so nobody knows. */
export function kindAt(path: string | Buffer): "folder" | "other" | "closed" {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? "folder" : "other";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "closed" : "other";
  }
}
