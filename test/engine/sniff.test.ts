import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lookAtBeginning, looksBinary } from "../../src/engine/sniff.ts";
import { tree } from "../support/tree.ts";

describe("the first bytes of a file", () => {
  it("tell text, with every control character that text has", () => {
    for (const text of ["", "plain", "\t\n\f\r\u001b[0m", "é日😀", "%PDF", "\u007f"]) {
      expect([text, looksBinary(Buffer.from(text))]).toEqual([text, false]);
    }
  });

  it("tell binary by any other control byte", () => {
    const text = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
    const binary = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) =>
      looksBinary(Buffer.from([0x61, byte])),
    );
    expect(binary).toEqual(Array.from({ length: 0x20 }, (_, byte) => byte).filter((byte) => !text.has(byte)));
  });

  it("tell by signatures and by byte order marks", () => {
    for (const text of ["%PDF-1.7\n", "%!PS-Adobe-3.0\n"]) expect(looksBinary(Buffer.from(text))).toBe(true);
    for (const mark of [
      [0xef, 0xbb, 0xbf],
      [0xfe, 0xff],
      [0xff, 0xfe],
    ]) {
      expect(looksBinary(Buffer.from([...mark, 0, 1]))).toBe(false);
    }
  });

  it("are 512, and no more is looked at", () => {
    const root = tree({
      early: Buffer.concat([Buffer.alloc(511, "x"), Buffer.from([0])]),
      late: Buffer.concat([Buffer.alloc(512, "x"), Buffer.from([0])]),
    });
    expect([lookAtBeginning(join(root, "early")).binary, lookAtBeginning(join(root, "late")).binary]).toEqual(
      [true, false],
    );
  });

  it("of what cannot be read tell nothing, and are not waited for", () => {
    const root = tree();
    expect(spawnSync("mkfifo", [join(root, "pipe")]).status).toBe(0);
    expect([
      lookAtBeginning(join(root, "missing")).binary,
      lookAtBeginning(root).binary,
      lookAtBeginning(join(root, "pipe")).binary,
    ]).toEqual([false, false, false]);
  });
});
