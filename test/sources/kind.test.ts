import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { assert, constantFrom, property, string, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileKind, ForeignKind } from "../../src/model/file-kind.ts";
import { kindOf, unsupported } from "../../src/sources/kind.ts";
import { tree } from "../support/tree.ts";

function kind(bytes: string, path: string): FileKind {
  return kindOf(Buffer.from(bytes, "latin1"), path);
}

function foreign(kind: ForeignKind["kind"], name: string): ForeignKind {
  return { kind, name };
}

const ZIP = "PK\x03\x04\x14\0\0\0";
const OLE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0";

describe("Text", () => {
  it.each([
    ["nothing", "", "a.png"],
    ["plain", "hello\n", "a.txt"],
    ["UTF-8 with a mark", "\xef\xbb\xbfhello", "a.txt"],
    ["UTF-16, little end first", "\xff\xfeh\0i\0", "a.txt"],
    ["UTF-16, big end first", "\xfe\xff\0h\0i", "a.doc"],
    ["UTF-16 of one mark", "\xff\xfe", "a.txt"],
    ["Latin-1", "caf\xe9\n", "a.txt"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "a.svg"],
    ["TypeScript", "GET", "a.ts"],
    ["what begins as an image does", "GIF89a is a format", "a.md"],
    ["what begins as a bitmap does", "BMW and others", "a.txt"],
    ["what begins as a program does", "MZ is a mark", "a.txt"],
    ["what begins as audio does", "ID3 tags", "a.mp3.md"],
    ["PostScript", "%!PS-Adobe-3.0\n", "a.ps"],
    ["a document by name only", "plain", "a.docx"],
    ["rich text by name only", "plain", "a.rtf"],
    ["a picture by name only", "plain", "a.png"],
    ["half a mark", "\x89PN", "a.png"],
    ["words about SQLite", "SQLite format 3 is", "a.db"],
  ])("is %s", (_what, bytes, path) => {
    expect(kind(bytes, path)).toEqual({ kind: "text" });
  });

  it("is a notebook by its name", () => {
    expect(kind('{"cells": []}', "dir.d/A.IPYNB")).toEqual({ kind: "notebook" });
    expect(kind("{\0", "a.ipynb")).toEqual(foreign("binary", "a binary file"));
  });

  it("is told from the first 4 KiB alone", () => {
    expect(kindOf(Buffer.concat([Buffer.alloc(4096, "a"), Buffer.from([0])]), "a")).toEqual({ kind: "text" });
    expect(kindOf(Buffer.concat([Buffer.alloc(4095, "a"), Buffer.from([0])]), "a")).toMatchObject({
      kind: "binary",
    });
    expect(kindOf(Buffer.alloc(10_000_000, "a"), "a")).toEqual({ kind: "text" });
  });
});

describe("What is not text", () => {
  it("is a database by its header, whatever it is called", () => {
    expect(kind("SQLite format 3\0\x10\0", "a.bin")).toEqual({ kind: "sqlite" });
  });

  it.each([
    ["a PNG image", "image", "\x89PNG\r\n\x1a\n\0\0", "a"],
    ["a JPEG image", "image", "\xff\xd8\xff\xe0\0\x10JFIF", "a.txt"],
    ["a GIF image", "image", "GIF89a\x01\0\x01\0", "a.gif"],
    ["a WebP image", "image", "RIFF\x24\0\0\0WEBPVP8 ", "a"],
    ["a BMP image", "image", "BM\x36\0\0\0\0\0\0\0\x36", "a.bmp"],
    ["an AVIF image", "image", "\0\0\0\x20ftypavif", "a"],
    ["a HEIF image", "image", "\0\0\0\x18ftypheic", "a"],
    ["a PDF document", "document", "%PDF-1.7\n", "a.txt"],
    ["an RTF document", "document", "{\\rtf1\\ansi", "a.doc"],
    ["a Word document (.docx)", "document", ZIP, "A.DOCX"],
    ["an Excel workbook (.xlsx)", "document", ZIP, "a.xlsx"],
    ["a PowerPoint presentation (.pptx)", "document", ZIP, "a.pptx"],
    ["an OpenDocument text (.odt)", "document", ZIP, "a.odt"],
    ["an EPUB book (.epub)", "document", ZIP, "a.epub"],
    ["a Word document (.doc)", "document", OLE, "a.doc"],
    ["an Excel workbook (.xls)", "document", OLE, "a.xls"],
    ["a PowerPoint presentation (.ppt)", "document", OLE, "a.ppt"],
    ["an OLE compound document", "document", OLE, "a"],
    ["a Word document (.doc)", "document", "\x31\xbe\0\0", "old.doc"],
    ["a zip archive", "archive", ZIP, "a.apk"],
    ["a zip archive", "archive", "PK\x05\x06\0\0", "empty"],
    ["a gzip archive", "archive", "\x1f\x8b\x08", "a"],
    ["a bzip2 archive", "archive", "BZh91AY&SY", "a"],
    ["an xz archive", "archive", "\xfd7zXZ\0", "a"],
    ["a Zstandard archive", "archive", "\x28\xb5\x2f\xfd", "a"],
    ["a 7z archive", "archive", "7z\xbc\xaf\x27\x1c", "a"],
    ["a RAR archive", "archive", "Rar!\x1a\x07\0", "a"],
    ["an ar archive", "archive", "!<arch>\ndebian-binary", "a.deb"],
    ["an MP3 audio file", "audio", "ID3\x04\0\0", "a"],
    ["an MP3 audio file", "audio", "\xff\xfb\x90\x64\x01", "a.mp3"],
    ["a FLAC audio file", "audio", "fLaC\0\0\0\x22", "a"],
    ["a WAV audio file", "audio", "RIFF\x24\0\0\0WAVE", "a"],
    ["an MPEG-4 video", "video", "\0\0\0\x20ftypisom", "a"],
    ["a QuickTime video", "video", "\0\0\0\x14ftypqt  ", "a"],
    ["a Matroska or WebM video", "video", "\x1aE\xdf\xa3", "a"],
    ["a WOFF2 font", "font", "wOF2\0\x01\0\0", "a"],
    ["a TrueType font", "font", "\0\x01\0\0\0\x0c", "a"],
    ["an ELF object file", "executable", "\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0", "a.o"],
    ["an ELF executable", "executable", "\x7fELF\x02\x02\x01\0\0\0\0\0\0\0\0\0\0\x02", "a"],
    ["a Windows executable", "executable", "MZ\x90\0\x03", "a.exe"],
    ["a Mach-O executable", "executable", "\xcf\xfa\xed\xfe\x07", "a"],
    ["a Mach-O executable", "executable", "\xca\xfe\xba\xbe\0\0\0\x02", "a"],
    ["a Java class", "executable", "\xca\xfe\xba\xbe\0\0\0\x3d", "a"],
    ["a WebAssembly module", "executable", "\0asm\x01\0", "a"],
    ["Python bytecode", "executable", "\xcb\x0d\x0d\x0a\0\0", "a.cpython-312.pyc"],
    ["UTF-32 text", "binary", "\xff\xfe\0\0h\0\0\0", "a.txt"],
    ["UTF-32 text", "binary", "\0\0\xfe\xff\0\0\0h", "a.txt"],
    ["a binary file", "binary", "a\0b", "a.txt"],
    ["a binary file", "binary", "h\0i\0", "utf16-without-a-mark.txt"],
  ] as const)("is %s", (name, kinds, bytes, path) => {
    expect(kind(bytes, path)).toEqual(foreign(kinds, name));
  });

  it("is told of what real programs write", () => {
    const root = tree({ "a.txt": "text\n" });
    execFileSync("tar", ["-cf", "a.tar", "a.txt"], { cwd: root });
    expect(kindOf(readFileSync(join(root, "a.tar")), "a")).toEqual(foreign("archive", "a tar archive"));
    expect(kindOf(gzipSync("text"), "a")).toEqual(foreign("archive", "a gzip archive"));
    const head = Buffer.alloc(4096);
    const node = openSync(process.execPath, "r");
    readSync(node, head);
    closeSync(node);
    expect(kindOf(head, process.execPath)).toEqual(foreign("executable", "an ELF executable"));
  });
});

describe("Any bytes", () => {
  it("are of some kind, and without NUL and marks they are text", () => {
    const path = constantFrom(
      "a",
      "a.ts",
      "a.doc",
      "a.docx",
      "a.mp3",
      "a.ipynb",
      "a.constructor",
      "a.__proto__",
    );
    assert(
      property(uint8Array({ maxLength: 400 }), path, (bytes, path) => {
        expect(kindOf(Buffer.from(bytes), path).kind).toMatch(/^\w+$/);
      }),
      { numRuns: 1_000 },
    );
    assert(
      property(string({ unit: "grapheme" }), (text) => {
        expect(kindOf(Buffer.from(`x${text}`), "a.ts")).toEqual({ kind: "text" });
      }),
    );
  });
});

describe("The way out", () => {
  it.each([
    [
      foreign("image", "a PNG image"),
      "a.png",
      "KIND_UNSUPPORTED",
      "a.png is a PNG image, which is not read here",
      /open it with another tool/,
    ],
    [
      foreign("document", "a PDF document"),
      "a.pdf",
      "KIND_UNSUPPORTED",
      "a.pdf is a PDF document, which is not read here",
      /convert it to text/,
    ],
    [
      foreign("archive", "an xz archive"),
      "a.tar.xz",
      "KIND_UNSUPPORTED",
      "a.tar.xz is an xz archive, which is not read here",
      /read as \.zip.*; unpack others/,
    ],
    [
      foreign("archive", "a zip archive"),
      "a.apk",
      "KIND_UNSUPPORTED",
      "a.apk is a zip archive, which is not read here",
      /a name that ends in \.zip/,
    ],
    [
      foreign("archive", "a RAR archive"),
      "a.zip",
      "KIND_UNSUPPORTED",
      "a.zip is a RAR archive, which is not read here",
      /not what its name says/,
    ],
    [
      foreign("binary", "a binary file"),
      "a",
      "BINARY_FILE",
      "a is a binary file, which is not read here",
      /another tool/,
    ],
    [
      foreign("binary", "UTF-32 text"),
      "a",
      "BINARY_FILE",
      "a is UTF-32 text, which is not read here",
      /Convert it to UTF-8/,
    ],
  ])("is named for $name", (kind, path, code, message, hint) => {
    const error = unsupported(kind, path);
    expect(error).toMatchObject({ code, message });
    expect(error.hint).toMatch(hint);
  });
});
