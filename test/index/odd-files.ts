/** More files for the law of the index: bytes that blocks, binary files and encodings may be wrong about. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { INDEX_BLOCK } from "../../src/model/limits.ts";
import { material } from "../differential/material.ts";
import type { PlantedFile, Tree } from "../differential/tree.ts";

/** Where blocks and ripgrep's first look end, and beside it. */
const NUL_AT = [0, 1, 100, INDEX_BLOCK - 1, INDEX_BLOCK, INDEX_BLOCK + 1, 20_000, 65_535, 65_536, 65_537];

/** The tree with them. */
export function withOddFiles(tree: Tree): Tree {
  const odd = oddFiles();
  for (const root of [tree.root, tree.bare]) {
    mkdirSync(join(root, "odd"));
    for (const [at, { path, bytes }] of odd.entries()) {
      writeFileSync(join(root, path), bytes);
      utimesSync(join(root, path), 1_700_000_000 + (at % 5), 1_700_000_000 + (at % 5));
    }
  }
  const files: readonly PlantedFile[] = odd.map(({ path, text }) => ({ path, text }));
  return { ...tree, files: [...tree.files, ...files], folders: [...tree.folders, "odd"] };
}

interface OddFile extends PlantedFile {
  readonly bytes: Buffer;
}

function oddFiles(): OddFile[] {
  const { code, messages, declarations } = material();
  const long = code(5_000, 70_000);
  const wide = messages(8_000, 3_000);
  const lines = declarations(0, 40_000).split("\n");
  return [
    ...NUL_AT.map((at) => odd(`nul-at-${at}.txt`, withByte(Buffer.from(long), at, 0), long)),
    odd("nul-last.txt", Buffer.from(`${code(9_000, 9_000)}\0`), code(9_000, 9_000)),
    odd("utf16-odd.txt", Buffer.concat([Buffer.from(`\ufeff${wide}`, "utf16le"), Buffer.from("x")]), wide),
    odd("utf16-surrogate.txt", Buffer.from(`\ufeff${wide}\ud800 alone\n${wide}`, "utf16le"), wide),
    odd("utf16-crlf.txt", Buffer.from(`\ufeff${wide.replaceAll("\n", "\r\n")}`, "utf16le"), wide),
    odd("cut-letter.txt", Buffer.from(wide).subarray(0, -2), wide),
    odd("invalid-at-block.txt", withByte(Buffer.from(long), INDEX_BLOCK, 0xff), long),
    odd(
      "overlong.txt",
      Buffer.concat([Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]), Buffer.from(wide)]),
      wide,
    ),
    odd("bytes-between.txt", withBytesBetween(wide), wide),
    odd("scripts.txt", Buffer.from(SCRIPTS), SCRIPTS),
    odd("two-marks.txt", Buffer.from(`\ufeff\ufeff${wide}`), wide),
    odd("one-line.txt", Buffer.from(long.replaceAll("\n", " ").repeat(4)), long.replaceAll("\n", " ")),
    odd("long-crlf.txt", Buffer.from(lines.join(" ").replaceAll(". ", ".\r\n")), lines.join(" ")),
    odd("returns.txt", Buffer.from(`${lines.join("\r")}\n`), lines.join("\n")),
  ];
}

function odd(name: string, bytes: Buffer, text: string): OddFile {
  return { path: `odd/${name}`, bytes, text };
}

/** Letters of scripts that stand alone on their lines, at the ends of lines and beside ASCII. */
const SCRIPTS = "α\nxβ\nγx\n  ж \nЖЖ\n日\nx日x\nか\n\u{10140}\n\u{1f600}\nµ\nſk\n\u212a s\nİ\n";

/** First bytes of letters and bytes behind one, which are no text, before every word. */
function withBytesBetween(text: string): Buffer {
  const between = [0xc3, 0xe9, 0xa9, 0xf4, 0x80, 0xff, 0xce, 0xe2];
  const words = text.split(" ").map((word) => Buffer.from(word));
  return Buffer.concat(
    words.flatMap((word, at) => [word, Buffer.from([between[at % between.length] ?? 0xff])]),
  );
}

function withByte(bytes: Buffer, at: number, byte: number): Buffer {
  bytes[at] = byte;
  return bytes;
}
