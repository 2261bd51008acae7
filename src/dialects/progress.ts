/** The ground of a call that tells whoever waits how far it is. */
import { begun, type Ground } from "../engine/ground.ts";
import { count, grouped } from "../format/count.ts";
import { quoteName } from "../format/escape.ts";
import { PAGE_PATHS } from "../model/limits.ts";
import type { CallOptions } from "./result.ts";
import { updates } from "./updates.ts";

/** What every call of a workspace stands on. */
export type House = Pick<Ground, "env" | "index">;

/** Of a search: how many files match so far, or how many of those that were named it has looked at. */
export function searchGround({ env, index }: House, { signal, onUpdate }: CallOptions = {}): Ground {
  const update = updates(onUpdate);
  let files = 0;
  return {
    env,
    index: begun(index),
    signal,
    onFound: () => {
      files += 1;
      update({ done: files }, () => `${count(files, "file")} with matches so far`);
    },
    onLooked: (done, total) =>
      update({ done, total }, () => `${grouped(done)} of ${count(total, "text")} searched`),
  };
}

/** Of a find: the paths that were found so far. */
export function findGround({ env, index }: House, { signal, onUpdate }: CallOptions = {}): Ground {
  const update = updates(onUpdate);
  const paths: string[] = [];
  let found = 0;
  return {
    env,
    index: begun(index),
    signal,
    onFound: ({ path, pathBytes }, kind) => {
      found += 1;
      if (paths.length < PAGE_PATHS)
        paths.push(`${quoteName(path, pathBytes)}${kind === "folder" ? "/" : ""}`);
      update({ done: found }, () =>
        [...paths, ...(found > paths.length ? [`[${count(found, "path")} so far]`] : [])].join("\n"),
      );
    },
  };
}
