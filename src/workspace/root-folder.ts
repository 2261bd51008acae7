/**
 * Several roots of one session as one folder of ours that has a link to each, so that a path of any tool begins with the
 * root's name and is resolved by the system itself. What may be touched is what the links lead to.
 */
import { mkdir, symlink } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { ToolError } from "../model/errors.ts";
import { resolveRoot } from "./targets.ts";

export interface NamedRoot {
  /** One segment of a path. */
  readonly name: string;
  readonly path: string;
}

export async function linkRoots(folder: string, roots: readonly NamedRoot[]): Promise<string> {
  await mkdir(folder, { mode: 0o700 });
  for (const { name, path } of roots) {
    if (name === "" || name === "." || name === ".." || /[\\/\0]/.test(name)) {
      throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} is no name for a root`, {
        hint: "Give it one without slashes",
      });
    }
    await symlink(await resolveRoot(path), join(folder, name), "dir").catch((cause: unknown) => {
      throw new ToolError("INVALID_INPUT", `Two roots are called ${JSON.stringify(name)}`, { cause });
    });
  }
  return folder;
}

/** A real path as it is called by its root; null: it lies in none of them. */
export function nameInRoots(roots: readonly NamedRoot[], realPath: string): string | null {
  for (const { name, path } of roots) {
    const rest = relative(resolve(path), realPath);
    if (rest === "") return name;
    if (rest !== ".." && !rest.startsWith(`..${sep}`)) return [name, ...rest.split(sep)].join("/");
  }
  return null;
}
