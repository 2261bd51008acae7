/**
 * `local://PATH`: the session's scratch folder, in the cache and shared with its children. Files that can be
 * read, searched, edited and written. The path never leaves the folder: not by `..`, not by a link.
 */
import { readdir } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { ToolError } from "../../model/errors.ts";
import type { Policy } from "../policy.ts";
import type { Protocol } from "../urls.ts";

/** `ground` gives the policy of the scratch folder, which is made when first asked. */
export function localProtocol(ground: () => Promise<Policy>): Protocol {
  const urlsBelow = async (folder: string): Promise<string[]> => {
    const { root } = await ground();
    const entries = await readdir(join(root, folder), { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map((file) => toUrl(root, join(file.parentPath, file.name))).sort();
  };
  return {
    scheme: "local",
    description: "scratch files of this session",
    list: () => urlsBelow(""),
    async resolve(path) {
      const policy = await ground();
      const name = inside(path);
      const place = await policy.check(name);
      const url = `local://${name === "." ? "" : name}`;
      if (place.kind === "folder") return { kind: "many", url, urls: await urlsBelow(name) };
      if (place.kind !== null) {
        return { kind: "file", url, path: place.path, immutable: false, policy };
      }
      throw new ToolError("PATH_NOT_FOUND", `Path not found: ${url}`, {
        hint: "local:// by itself stands for all there is",
      });
    },
    async locate(path) {
      const policy = await ground();
      const name = inside(path);
      if (name === "." || name.endsWith("/")) {
        throw new ToolError("NOT_A_FILE", `local://${path} is a folder`, { hint: "Name a file in it" });
      }
      return { url: `local://${name}`, path: (await policy.check(name)).path, policy };
    },
  };
}

/** The path below the folder, or an error: an absolute path or a `..` is no name here. */
function inside(path: string): string {
  const names = path.split(/[\\/]/);
  const escapes = path.startsWith("/") || path.startsWith("\\") || names.includes("..");
  // A thing has one name, however it was spelled.
  if (!escapes && !/^[a-z]:/i.test(path)) return path === "" ? "." : posix.normalize(path);
  throw new ToolError("PATH_OUTSIDE", `local://${path} leads out of the scratch folder`, {
    hint: "Name it by a relative path, such as local://notes.md",
  });
}

function toUrl(root: string, path: string): string {
  return `local://${path
    .slice(root.length + 1)
    .split(sep)
    .join("/")}`;
}
