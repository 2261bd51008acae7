/**
 * The tree of the differential tests, with what grep has rules of its own for: lines about as long as may be shown, more
 * links to folders, and a file that is too large for Boris.
 */
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { NAMES, plant, type PlantedFile, type Tree } from "../differential/tree.ts";

/** To what is ignored under its own name, to another link, to what is walked, and out of the root. */
export const MORE_LINKS: readonly (readonly [path: string, target: string])[] = [
  ["a-first", "partly/lost"],
  ["src/again", "../to-build"],
  ["vendor/deep", "../src/lib/deep"],
  ["zz-far", "src/lib/deep/deeper"],
  ["docs/zz-farther", "../src/lib/deep/deeper/deepest"],
  ["out", "../home"],
];

/** Characters of a line with its end, around Claude's 500 bytes and Boris's 2,000 characters. */
const WIDTHS = [498, 499, 500, 501, 502, 503, 2_000, 2_001, 2_002];
const WORDS = "export const return import string the ";

const LARGE = "src/too-large.ts";
const LARGEST = 10 * 1024 * 1024;

export function plantForGrep({ large }: { readonly large: boolean }): Tree {
  const tree = plant();
  const { root, bare, probed } = tree;
  // Each that is followed costs a walk of its own, so that only one of the trees has them.
  for (const base of [bare, probed.bare]) {
    for (const [path, target] of MORE_LINKS) symlinkSync(target, join(base, path));
  }
  const lines = WORDS.repeat(LARGEST / WORDS.length + 1).replaceAll("the ", "the\n");
  const added = [...wide(), ...(large ? [{ path: LARGE, content: Buffer.from(lines), text: null }] : [])];
  for (const [at, { path, content }] of added.entries()) {
    writeFileSync(join(root, "..", NAMES, basename(path)), "");
    for (const base of [root, bare]) {
      writeFileSync(join(base, path), content);
      utimesSync(join(base, path), at + 1, at + 1);
    }
  }
  return { ...tree, files: [...tree.files, ...added.map(({ path, text }) => ({ path, text }))] };
}

function wide(): readonly (PlantedFile & { readonly content: Buffer })[] {
  const lines = (end: string, letter: string): string =>
    WIDTHS.map((width, at) => {
      const words = WORDS.slice((at * 7) % 30);
      return `${letter.repeat(width - words.length - end.length)}${words}${end}${at % 3 === 0 ? end : ""}`;
    }).join("");
  // Long enough to be drawn from often.
  const unix = lines("\n", "x").repeat(5);
  const windows = lines("\r\n", "y");
  const letters = lines("\n", "é");
  return [
    { path: "enc/wide.ts", text: unix, content: Buffer.from(`${unix}${unix.slice(0, 500)}`) },
    { path: "enc/wide-crlf.ts", text: windows, content: Buffer.from(windows) },
    { path: "enc/wide.md", text: letters, content: Buffer.from(letters) },
    { path: "enc/wide-utf16.txt", text: unix, content: Buffer.from(`\ufeff${unix}`, "utf16le") },
  ];
}
