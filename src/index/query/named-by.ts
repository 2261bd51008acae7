import { compileGlobs } from "../../regex/glob.ts";
import { saysNothing, shapesOfAny } from "../../regex/glob-shape.ts";
import type { Named } from "../name-list.ts";
import { addBits, type Bits, emptyBits, nextBit, removeBit } from "./bits.ts";
import { markShaped, type Range } from "./shaped.ts";

/**
 * The files or folders of a range that a glob names, as ripgrep's `-g` does, whatever it says of the folders above them.
 * Most names need not be put to the globs. Asked by `scope-files.ts` and `withheld.ts`.
 */
export function namedBy(globs: readonly string[], named: Named, kind: "file" | "folder", range: Range): Bits {
  const entries = named.byPath();
  const marked = emptyBits(entries.length);
  // A slash at the end asks for a folder, and says nothing of the name.
  const shapes = shapesOfAny(globs.map((glob) => glob.replace(/(?<=[^/\\])\/$/, "")));
  if (shapes === null || saysNothing(shapes)) addBits(marked, ...range);
  else markShaped(named.names(), shapes.any, range, marked);
  const set = compileGlobs(globs, "path");
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    if (!set.matchesBytes(entries[at]?.key ?? "", kind)) removeBit(marked, at);
  }
  return marked;
}
