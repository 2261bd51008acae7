import { basename, dirname } from "node:path";
import { KEPT_AWAY } from "../model/limits.ts";
import type { Scope } from "../model/query.ts";
import { escapeGlob } from "../regex/glob.ts";
import { leftOut } from "./exclusions.ts";
import { listFolder } from "./folder-memory.ts";
import type { Ground } from "./ground.ts";
import type { Walked } from "./left-out.ts";

/**
 * Whether a rule for folders alone hides a link that leads to one: `node_modules/` means the link of that name too, as
 * it does for `rg --follow`, and a walk that follows no links cannot say so. ripgrep lists the folder that the link
 * lies in, and nothing below: the other links there may lead anywhere, and are excluded by name, so that it looks at
 * what they are and does not read it.
 * Called by `links.ts`, for links that would be followed.
 */
export async function hidesFolder(
  scope: Scope,
  link: Walked,
  ground: Ground,
  timeMs: number,
): Promise<boolean> {
  const others = listFolder(dirname(link.real)).links.filter((other) => other !== link.real);
  if (others.length > KEPT_AWAY) return false;
  const alone: Scope = {
    ...scope,
    links: "follow",
    exclude: [...scope.exclude, ...others.map((other) => escapeGlob(basename(other)))],
  };
  const folder = { path: dirname(link.path), kind: "folder", glob: null } as const;
  const ignored = await leftOut(alone, [folder], ground, timeMs, 1);
  return ignored.some(({ path }) => path === link.path);
}
