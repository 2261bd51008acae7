/**
 * A client's roots as folders of ours: file URLs that are there and lie inside what the server may touch. Each gets a
 * name, which stands before its paths where there are several. Called by `client-ground.ts`.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MCP_ROOTS } from "../model/limits.ts";
import type { McpOptions } from "./options.ts";

/** As it comes over the wire. */
export interface ClientRoot {
  readonly uri: string;
  readonly name?: string | undefined;
}

/** What a client answers when it is asked for them; null: that was no answer. */
export function namedRoots(answer: unknown): readonly ClientRoot[] | null {
  const { roots } = (answer ?? {}) as { readonly roots?: unknown };
  if (!Array.isArray(roots)) return null;
  return (roots as unknown[]).flatMap((root) => {
    const { uri, name } = (root ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof uri !== "string") return [];
    return [{ uri, ...(typeof name === "string" ? { name } : {}) }];
  });
}

export interface Root {
  readonly name: string;
  readonly path: string;
}

export interface RefusedRoot {
  readonly uri: string;
  readonly why: string;
}

export interface PermittedRoots {
  readonly roots: readonly Root[];
  readonly refused: readonly RefusedRoot[];
}

export async function permittedRoots(
  given: readonly ClientRoot[],
  { root, allow, within }: McpOptions,
): Promise<PermittedRoots> {
  const folders =
    within ?? (await Promise.all((allow ?? [root]).map((folder) => realOf(resolve(root, folder)))));
  const permitted = folders.filter((folder) => folder !== null);
  const workdir = await realOf(root);
  const roots: Root[] = [];
  const refused: RefusedRoot[] = [];
  for (const { uri, name } of given.slice(0, MCP_ROOTS)) {
    const found = await folderOf(uri);
    if ("why" in found) {
      refused.push({ uri, why: found.why });
      continue;
    }
    const { path } = found;
    if (!permitted.some((folder) => isInside(folder, path))) {
      // Alone it is what a client without roots works in, as far as it is allowed.
      if (given.length > 1 || path !== workdir)
        refused.push({ uri, why: "it lies outside what --allow-dir permits" });
    } else if (!roots.some((one) => one.path === path))
      roots.push({ name: unused(name ?? basename(path), roots), path });
  }
  if (given.length > MCP_ROOTS) refused.push({ uri: "…", why: `there are more than ${MCP_ROOTS}` });
  return { roots, refused };
}

async function folderOf(uri: string): Promise<{ readonly path: string } | { readonly why: string }> {
  let path: string;
  try {
    path = fileURLToPath(uri);
  } catch {
    return { why: "it is no file URL of this machine" };
  }
  const real = await realOf(path);
  const info = real === null ? null : await stat(real).catch(() => null);
  if (real === null || info === null) return { why: "it is not there" };
  return info.isDirectory() ? { path: real } : { why: "it is no folder" };
}

function realOf(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** Both links resolved. */
export function isInside(folder: string, path: string): boolean {
  const rest = relative(folder, path);
  return rest === "" || (rest !== ".." && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** A name that is one segment of a path, and no other root's. */
function unused(wanted: string, roots: readonly Root[]): string {
  const plain = wanted.replaceAll(/[\\/:*?"<>|#¶[\]{},\p{Cc}]/gu, "-").trim();
  const name = plain === "" || plain === "." || plain === ".." ? "root" : plain;
  const taken = new Set(roots.map((root) => root.name));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
