import { pathMatcher } from "../../regex/glob.ts";
import { allowsAllBelow, type Terms } from "../../workspace/judge.ts";
import { pathBelow } from "../../workspace/real-path.ts";
import { createNameSieve } from "../../workspace/sieve.ts";
import { onDisk } from "../../workspace/targets.ts";
import { type PathKey, pathOfKey } from "../path-key.ts";

/**
 * What a session's policy says of the names of a tree. On none of its paths lies a link, so that names say all. Asked by
 * `scope-files.ts` and `withheld.ts`.
 */

type Kind = "file" | "folder";

export interface NamePolicy {
  readonly withholds: (key: PathKey, kind: Kind) => boolean;
  /** Of names in ASCII letters nothing more is withheld than ripgrep leaves out by the denied globs. */
  readonly isSaidByGlobs: boolean;
}

export function namePolicy(terms: Terms): NamePolicy {
  const sieve = createNameSieve(terms, pathMatcher);
  const withholds = (key: PathKey, kind: Kind): boolean => {
    const { path, pathBytes } = pathOfKey(key);
    return sieve(onDisk(terms.root, path, pathBytes), kind) !== "allowed";
  };
  return { withholds, isSaidByGlobs: globsSayAll(terms, () => withholds("", "folder")) };
}

function globsSayAll(terms: Terms, isRootWithheld: () => boolean): boolean {
  const { root, realRoot, deny, letters, anchors, realAnchors } = terms;
  if (letters !== "case counts" || !allowsAllBelow(terms)) return false;
  const named = new Set(anchors.map((anchor) => pathBelow(root, anchor)));
  const real = new Set(realAnchors.map((anchor) => pathBelow(realRoot, anchor)));
  if ([...real].some((anchor) => !named.has(anchor))) return false;
  // Of an anchor above the root a glob may say where below it something is.
  const isBelow = !named.has(null) && !real.has(null);
  return (isBelow || !deny.some((glob) => /\/./.test(glob))) && !isRootWithheld();
}
