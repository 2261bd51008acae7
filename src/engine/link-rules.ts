import { basename, dirname } from "node:path";
import { KEPT_AWAY } from "../model/limits.ts";
import type { Scope } from "../model/query.ts";
import { escapeGlob } from "../regex/glob.ts";
import { leftOut } from "./exclusions.ts";
import { listFolder } from "./folder-memory.ts";
import type { Ground } from "./ground.ts";
import type { Walked } from "./left-out.ts";

/**
 * Which links that lead to folders a rule for folders alone hides: `node_modules/` means the link of that name too, as
 * it does for `rg --follow`, and a walk that follows no links cannot say so. ripgrep lists the folder that the links
 * lie in, and nothing below: the other links there may lead anywhere, and are excluded by name, so that it looks at
 * what they are and does not read it.
 * Called by `links.ts`, once for all links of a folder that would be followed. null: there are too many others.
 */
export async function hiddenFolders(
  scope: Scope,
  links: readonly [Walked, ...Walked[]],
  ground: Ground,
  timeMs: number,
): Promise<ReadonlySet<string> | null> {
  const [{ path, real }] = links;
  const asked = new Set(links.map((link) => link.real));
  const others = listFolder(dirname(real)).links.filter((other) => !asked.has(other));
  if (others.length > KEPT_AWAY) return null;
  const alone: Scope = {
    ...scope,
    links: "follow",
    exclude: [...scope.exclude, ...others.map((other) => escapeGlob(basename(other)))],
  };
  const folder = { path: dirname(path), kind: "folder", glob: null } as const;
  const ignored = await leftOut(alone, [folder], ground, timeMs, 1);
  return new Set(ignored.map((left) => left.path));
}
