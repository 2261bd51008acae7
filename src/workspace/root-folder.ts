/**
 * Several roots of one session as one folder of ours that has a link to each, so that a path of any tool begins with the
 * root's name and is resolved by the system itself. What may be touched is what the links lead to.
 */
import { mkdir, realpath, rm, symlink } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ToolError } from "../model/errors.ts";
import { resolveRoot } from "./targets.ts";

export interface NamedRoot {
  /** One segment of a path. */
  readonly name: string;
  readonly path: string;
}

/** The roots as they really are. */
export function realRoots(roots: readonly NamedRoot[]): Promise<NamedRoot[]> {
  return Promise.all(
    roots.map(async ({ name, path }) => ({ name, path: await realpath(await resolveRoot(path)) })),
  );
}

/** Those that lie in no other one: each file is looked at once. */
export function outermost(roots: readonly NamedRoot[]): readonly NamedRoot[] {
  return roots.filter(
    (root, at) =>
      !roots.some((other, place) => {
        const rest = relative(other.path, root.path);
        if (rest === "") return place < at;
        return rest !== ".." && !rest.startsWith(`..${sep}`);
      }),
  );
}

export async function linkRoots(folder: string, roots: readonly NamedRoot[]): Promise<string> {
  // What a named session left there; its lock is ours.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const names = new Set<string>();
  for (const { name, path } of roots) {
    if (names.has(name)) {
      throw new ToolError("INVALID_INPUT", `Two roots are called ${JSON.stringify(name)}`);
    }
    names.add(name);
    if (name === "" || name === "." || name === ".." || /[\\/\0]/.test(name)) {
      throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} is no name for a root`, {
        hint: "Give it one without slashes",
      });
    }
    await symlink(path, join(folder, name), "junction");
  }
  return folder;
}

/** A real path as it is called by its root; null: it lies in none of them. */
export function nameInRoots(roots: readonly NamedRoot[], realPath: string): string | null {
  for (const { name, path } of roots) {
    const rest = relative(path, realPath);
    if (rest === "") return name;
    if (rest !== ".." && !rest.startsWith(`..${sep}`)) return [name, ...rest.split(sep)].join("/");
  }
  return null;
}
