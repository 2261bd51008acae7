/** The tree of the differential tests, with more links to folders and a file that is too large for Boris. */
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NAMES, plant, type Tree } from "../differential/tree.ts";

/** To what is ignored under its own name, to another link, to what is walked, and out of the root. */
export const MORE_LINKS: readonly (readonly [path: string, target: string])[] = [
  ["a-first", "partly/lost"],
  ["src/again", "../to-build"],
  ["vendor/deep", "../src/lib/deep"],
  ["zz-far", "src/lib/deep/deeper"],
  ["docs/zz-farther", "../src/lib/deep/deeper/deepest"],
  ["out", "../home"],
];

const LARGE = "src/too-large.ts";
const LARGEST = 10 * 1024 * 1024;
const LINE = "export const large = return the import;\n";

export function plantForGrep({ large }: { readonly large: boolean }): Tree {
  const tree = plant();
  const { root, bare, probed } = tree;
  // Each that is followed costs a walk of its own, so that only one of the trees has them.
  for (const base of [bare, probed.bare]) {
    for (const [path, target] of MORE_LINKS) symlinkSync(target, join(base, path));
  }
  writeFileSync(join(root, "..", NAMES, "too-large.ts"), "");
  for (const base of large ? [root, bare] : []) {
    writeFileSync(join(base, LARGE), LINE.repeat(LARGEST / LINE.length + 1));
    utimesSync(join(base, LARGE), 1, 1);
  }
  return tree;
}
