import { randomBytes } from "node:crypto";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ArchiveFormat } from "../../src/sources/format.ts";
import { entryName, rewriteArchive } from "../../src/sources/rewrite-archive.ts";
import { allTexts, codeOf, gzip, pax, tar, type TarEntry, withArchive, zip, type ZipEntry } from "./build.ts";
import { zipRecords } from "./zip-records.ts";

const MiB = 1024 * 1024;

const write = (
  bytes: Buffer | null,
  format: ArchiveFormat,
  entry: string,
  content: string | Buffer,
): Promise<Buffer> =>
  rewriteArchive(
    bytes,
    format,
    entry,
    typeof content === "string" ? Buffer.from(content) : content,
    `a.${format}`,
  );

const texts = (bytes: Buffer, format: ArchiveFormat): Promise<[string, string][]> =>
  withArchive(bytes, format, allTexts);

describe("the name of an entry", () => {
  it.each([
    ["a.txt", "a.txt"],
    ["./src//a.ts", "src/a.ts"],
    ["src\\b\\.\\c.ts", "src/b/c.ts"],
    ["ab:c", "ab:c"],
    ["..a/b..", "..a/b.."],
  ])("%s is %s", (entry, path) => {
    expect(entryName(entry)).toBe(path);
  });

  it.each([
    ["", "a file inside the archive"],
    [".", "a file inside the archive"],
    ["src/", "this is a folder"],
    ["src\\", "this is a folder"],
    ["src/.", "this is a folder"],
    ["../a", "`..`"],
    ["a/../b", "`..`"],
    ["a\\..\\b", "`..`"],
    ["/a", "relative to the archive"],
    ["\\\\server\\a", "relative to the archive"],
    ["C:\\a", "relative to the archive"],
    ["c:a", "relative to the archive"],
    ["a\0b", "relative to the archive"],
    ["\ud800", "half a character"],
    ["a/".repeat(3_000) + "b", "longer than 4096"],
  ])("cannot be %j", async (entry, why) => {
    expect(() => entryName(entry)).toThrow(why);
    expect(await codeOf(write(null, "zip", entry, "x"))).toBe("INVALID_INPUT");
  });
});

const FORMATS = ["zip", "tar", "tar.gz"] as const;
const FILES = [
  { name: "src/", type: "5", store: true },
  { name: "./src/a.ts", data: "a\n" },
  { name: "src/b.ts", data: "b\n" },
  { name: "c.bin", data: randomBytes(1_000) },
];
const build = (format: ArchiveFormat, files: readonly (ZipEntry & TarEntry)[] = FILES): Buffer =>
  format === "zip" ? zip(files) : format === "tar" ? tar(files) : gzip(tar(files));

describe.each(FORMATS)("an entry of a %s", (format) => {
  it("is written into a new archive", async () => {
    for (const [path, content] of [
      ["a/b.txt", "hello\n"],
      ["\u00fc/".repeat(80) + "long.txt", "x".repeat(10_000)],
      ["empty", ""],
    ] as const)
      expect(await texts(await write(null, format, path, content), format)).toEqual([[path, content]]);
  });

  it("is replaced where it stands, under the name it has", async () => {
    const bytes = await write(build(format), format, "src/a.ts", "changed\n".repeat(300));
    expect(await texts(bytes, format)).toEqual([
      ["src/a.ts", "changed\n".repeat(300)],
      ["src/b.ts", "b\n"],
      ["c.bin", "<binary>"],
    ]);
    const tarBytes = format === "tar.gz" ? zlib.gunzipSync(bytes) : bytes;
    expect(tarBytes.includes("./src/a.ts")).toBe(true);
  });

  it("is added behind the others", async () => {
    const bytes = await write(build(format), format, "src/\u00fc.ts", "new\n");
    expect((await texts(bytes, format)).map(([path]) => path)).toEqual([
      "src/a.ts",
      "src/b.ts",
      "c.bin",
      "src/\u00fc.ts",
    ]);
  });

  it("takes the place of all that have its name", async () => {
    const twice = [...FILES, { name: "src/a.ts", data: "second" }, { name: "d", data: "d" }];
    const bytes = await write(build(format, twice), format, "src/a.ts", "third");
    expect((await texts(bytes, format)).filter(([path]) => path !== "c.bin")).toEqual([
      ["src/b.ts", "b\n"],
      ["src/a.ts", "third"],
      ["d", "d"],
    ]);
  });

  it("is not written where a folder stands, or below a file", async () => {
    expect(await codeOf(write(build(format), format, "src", "x"))).toBe("NOT_A_FILE");
    expect(await codeOf(write(build(format, FILES.slice(1)), format, "src", "x"))).toBe("NOT_A_FILE");
    expect(await codeOf(write(build(format), format, "src/a.ts/x", "x"))).toBe("INVALID_INPUT");
  });

  it("leaves members alone that lead out of the archive", async () => {
    const hostile = [{ name: "../up", data: "up" }, { name: "/abs", data: "abs" }, ...FILES];
    const bytes = await write(build(format, hostile), format, "up", "mine");
    const members = await withArchive(bytes, format, (archive) => archive.members);
    expect(members.map(({ path, skipped }) => [path, skipped])).toEqual([
      ["../up", "unsafe-path"],
      ["/abs", "unsafe-path"],
      ["src", undefined],
      ["src/a.ts", undefined],
      ["src/b.ts", undefined],
      ["c.bin", undefined],
      ["up", undefined],
    ]);
  });

  it("is not written into what is damaged, cut off or empty", async () => {
    const whole = build(format);
    const damaged: Buffer[] = [
      Buffer.alloc(0),
      Buffer.from("no archive"),
      whole.subarray(0, whole.length - 1_300),
    ];
    for (const bytes of damaged) expect(await codeOf(write(bytes, format, "x", "x"))).toBe("ARCHIVE_INVALID");
  });

  it("is not written into what would be too large", async () => {
    const content = Buffer.alloc(256 * MiB);
    expect(await codeOf(write(build(format), format, "x", content))).toBe("ARCHIVE_TOO_LARGE");
  });

  it("is not written once the caller gave up", async () => {
    const call = rewriteArchive(build(format), format, "x", Buffer.from("x"), "a", AbortSignal.abort());
    expect(await codeOf(call)).toBe("ABORTED");
  });
});

describe("a rewritten zip", () => {
  const kept = [
    { name: "described", data: "d".repeat(100), descriptor: true },
    { name: "extra", data: "e", extra: Buffer.from("\x55\x54\x05\x00\x01abcd", "latin1") },
    { name: "big", data: "z", zip64: true },
    { name: "secret", data: "s", flags: 0x801 },
    { name: "odd", data: "o", method: 93 },
    { name: "link", data: "target", attributes: 0o120777 * 0x10000 },
    { name: Buffer.from([0x81, 0x2e]), data: "cp437", flags: 0, madeBy: 20 },
  ] satisfies ZipEntry[];

  it("has the other records as they were, those among them that are not understood", async () => {
    for (const [at, path] of [...kept.keys()].map((at) => [at, `new${at}`] as const)) {
      const entries: ZipEntry[] = kept.map((entry) => entry);
      entries.splice(at, 0, { name: path, data: "old", descriptor: at % 2 === 0 });
      const before = zip(entries, { zip64: at % 2 === 1 });
      const after = await write(before, "zip", path, "new content ".repeat(50));
      const others = (bytes: Buffer): unknown => zipRecords(bytes).filter(({ name }) => name !== path);
      expect(zipRecords(after).map(({ name }) => name)).toEqual(zipRecords(before).map(({ name }) => name));
      expect(others(after)).toEqual(others(before));
      expect(after.includes("old")).toBe(false);
    }
  });

  it("has what stood before its members and behind its directory", async () => {
    const stub = Buffer.from("#!/bin/sh\nexec unzip $0\n");
    const entries = kept.map((entry) => ({ ...entry }));
    const plain = zip(entries);
    const end = plain.length - 22;
    const directory = plain.readUInt32LE(end + 16);
    // As `zip -A` leaves a self-extracting archive: all offsets count from the beginning of the file.
    let at = directory;
    for (const { listed } of zipRecords(plain)) {
      const field =
        plain.readUInt32LE(at + 42) === 0xffffffff ? at + 46 + plain.readUInt16LE(at + 28) + 20 : at + 42;
      plain.writeUInt32LE(plain.readUInt32LE(field) + stub.length, field);
      at += listed.length;
    }
    plain.writeUInt32LE(directory + stub.length, end + 16);
    plain.writeUInt16LE(7, end + 20);
    const before = Buffer.concat([stub, plain, Buffer.from("comment")]);
    const after = await write(before, "zip", "x", "x");
    expect(after.subarray(0, stub.length)).toEqual(stub);
    expect(String(after.subarray(-7))).toBe("comment");
    expect(after.subarray(0, directory + stub.length)).toEqual(before.subarray(0, directory + stub.length));
    expect(zipRecords(after).slice(0, -1)).toEqual(zipRecords(before));
  });

  it("keeps mode and comment of what it replaces, and deflates only what gets smaller", async () => {
    const attributes = 0o100755 * 0x10000;
    const before = zip([{ name: "run.sh", data: "#!/bin/sh\n", attributes }]);
    const random = randomBytes(500);
    const stored = await write(before, "zip", "run.sh", random);
    expect(stored.includes(random)).toBe(true);
    const deflated = await write(before, "zip", "run.sh", "x".repeat(1_000));
    expect(deflated.length).toBeLessThan(200);
    for (const bytes of [stored, deflated]) {
      const at = bytes.indexOf("PK\x01\x02");
      expect(bytes.readUInt32LE(at + 38)).toBe(attributes);
    }
    const fresh = await write(null, "zip", "a", "");
    expect(fresh.readUInt32LE(fresh.indexOf("PK\x01\x02") + 38)).toBe(0o100644 * 0x10000);
  });

  it("leaves nothing of the sizes that followed the old data, however they were written", async () => {
    const plain = zip([{ name: "a", data: "old", store: true, descriptor: true }]);
    const directory = plain.readUInt32LE(plain.length - 6);
    const [crc, size] = [
      plain.subarray(directory - 12, directory - 8),
      plain.subarray(directory - 4, directory),
    ];
    const [signature, high] = [Buffer.from("PK\x07\x08", "latin1"), Buffer.alloc(4)];
    const clean = await write(zip([{ name: "a", data: "old", store: true }]), "zip", "a", "new");
    for (const shape of [
      [signature, crc, size, size],
      [crc, size, size],
      [signature, crc, size, high, size, high],
      [crc, size, high, size, high],
    ]) {
      const tail = Buffer.from(plain.subarray(directory));
      const locals = Buffer.concat([plain.subarray(0, directory - 16), ...shape]);
      tail.writeUInt32LE(locals.length, tail.length - 6);
      expect((await write(Buffer.concat([locals, tail]), "zip", "a", "new")).length).toBe(clean.length);
    }
  });

  it("becomes a zip64 when it gets one member too many for a plain one", async () => {
    const entries = Array.from({ length: 65_534 }, (_, at) => ({ name: `f${at}`, store: true }));
    const after = await write(zip(entries), "zip", "last", "last");
    expect(after.includes("PK\x06\x06")).toBe(true);
    expect(await withArchive(after, "zip", (archive) => archive.members.length)).toBe(65_535);
    expect(zipRecords(after)).toHaveLength(65_535);
  });

  it("does not replace a link, a device or an encrypted member", async () => {
    expect(await codeOf(write(zip(kept), "zip", "link", "x"))).toBe("NOT_A_FILE");
    expect(await codeOf(write(zip(kept), "zip", "link/x", "x"))).toBe("INVALID_INPUT");
    expect(await codeOf(write(zip(kept), "zip", "secret", "x"))).toBe("MEMBER_UNREADABLE");
    const device = zip([{ name: "tty", attributes: 0o020666 * 0x10000 }]);
    expect(await codeOf(write(device, "zip", "tty", "x"))).toBe("NOT_A_FILE");
  });

  it("does not come of members that overlap, or of a bomb", async () => {
    const overlapping = zip([
      { name: "a", data: randomBytes(1_000), store: true },
      { name: "b", data: "b", store: true, claimedStart: 20, claimedSize: 500, claimedPackedSize: 500 },
    ]);
    expect(await codeOf(write(overlapping, "zip", "x", "x"))).toBe("ARCHIVE_INVALID");
    const bomb = zip([{ name: "a", data: Buffer.alloc(64 * MiB) }]);
    expect(await codeOf(write(bomb, "zip", "x", "x"))).toBe("ARCHIVE_TOO_LARGE");
    const reaching = zip([{ name: "a", data: "a", store: true, claimedPackedSize: 20, claimedSize: 20 }]);
    expect(await codeOf(write(reaching, "zip", "x", "x"))).toBe("ARCHIVE_INVALID");
  });
});

describe("a rewritten tar", () => {
  const blocks = (...entries: TarEntry[]): Buffer => tar(entries, { mark: false });

  it("has the other records as they were, in their order, and its end", async () => {
    const before = blocks(
      pax({ comment: "all" }, "g"),
      { name: "././@LongLink", type: "L", data: `${"l/".repeat(80)}x\0` },
      { name: "l", data: "long" },
    );
    const old = blocks({ name: "a", data: "old" });
    const after = blocks(
      pax({ path: "p", "SCHILY.xattr.user.x": Buffer.from([0, 255, 10]) }),
      { name: "other", data: "pax" },
      { name: "s", type: "2" },
      { name: "v", type: "V" },
    );
    const end = Buffer.concat([Buffer.alloc(1_024), Buffer.from("behind the end")]);
    const result = await write(Buffer.concat([before, old, after, end]), "tar", "a", "x".repeat(600));
    expect(result.subarray(0, before.length)).toEqual(before);
    expect(result.subarray(before.length + 512 + 1_024)).toEqual(Buffer.concat([after, end]));
  });

  it("keeps of a replaced member what still holds", async () => {
    const patch = [...Buffer.from("0000755\0")].map((byte, at) => [100 + at, byte] as const);
    const owner = [...Buffer.from("somebody")].map((byte, at) => [265 + at, byte] as const);
    const xattr = Buffer.from([0, 1, 255, 10]);
    const path = `${"p/".repeat(90)}\u00fc`;
    const before = tar([
      pax({ path, size: "3", mtime: "1.5", "SCHILY.xattr.user.x": xattr }),
      { name: "p", data: "old", claimedSize: "00000000000\0", patch: [...patch, ...owner] },
      { name: "b", data: "b" },
    ]);
    const after = await write(before, "tar", path, "new content");
    expect(await texts(after, "tar")).toEqual([
      [path, "new content"],
      ["b", "b"],
    ]);
    expect(after.includes(Buffer.concat([Buffer.from("SCHILY.xattr.user.x="), xattr]))).toBe(true);
    expect(after.includes("mtime=1.5")).toBe(false);
    const header = after.subarray(1_024, 1_536);
    expect(header.toString("latin1", 100, 107)).toBe("0000755");
    expect(header.toString("latin1", 265, 273)).toBe("somebody");
  });

  it("replaces a member with a long name of GNU's, and sparse ones of either kind", async () => {
    const long = `${"l/".repeat(80)}x`;
    const gnu = tar([
      { name: "././@LongLink", type: "L", data: `${long}\0` },
      { name: "l", data: "old" },
    ]);
    expect(await texts(await write(gnu, "tar", long, "new"), "tar")).toEqual([[long, "new"]]);
    const holes = pax({ "GNU.sparse.major": "1", "GNU.sparse.name": "s", path: "GNUSparseFile.0/s" });
    const sparse = tar([holes, { name: "GNUSparseFile.0/s", data: "0\n" }, { name: "b", data: "b" }]);
    expect(await texts(await write(sparse, "tar", "s", "new"), "tar")).toEqual([
      ["s", "new"],
      ["b", "b"],
    ]);
    const old = tar([
      {
        name: "s",
        type: "S",
        magic: "ustar  ",
        data: "x",
        patch: [
          [386, 0x30],
          [483, 0x31],
        ],
      },
    ]);
    expect(await texts(await write(old, "tar", "s", "new"), "tar")).toEqual([["s", "new"]]);
  });

  it("is not misled by what is said of all members, or of one that never comes", async () => {
    const global = tar([pax({ mtime: "5", size: "1" }, "g"), { name: "a", data: "a" }]);
    expect(await texts(await write(global, "tar", "b", "new"), "tar")).toEqual([
      ["a", "a"],
      ["b", "new"],
    ]);
    expect(await texts(await write(global, "tar", "a", "new"), "tar")).toEqual([["a", "new"]]);
    const dangling = tar([{ name: "a", data: "a" }, pax({ path: "other" })]);
    expect(await texts(await write(dangling, "tar", "b", "new"), "tar")).toEqual([
      ["a", "a"],
      ["b", "new"],
    ]);
  });

  it("gets an end when it has none, and fills a tape record when it did", async () => {
    const open = tar([{ name: "a", data: "a" }], { mark: false });
    const closed = await write(open, "tar", "b", "b");
    expect(await withArchive(closed, "tar", (archive) => archive.complete)).toBe(true);
    expect((await write(null, "tar", "b", "b")).length).toBe(10_240);
    const full = await write(null, "tar", "a", "a");
    expect((await write(full, "tar", "b", "b".repeat(10_000))).length).toBe(20_480);
  });

  it("does not replace a link or a device", async () => {
    for (const type of ["1", "2", "3", "4", "6"])
      expect(await codeOf(write(tar([{ name: "a", type }]), "tar", "a", "x"))).toBe("NOT_A_FILE");
  });

  it("keeps gzip's name and time, and drops headers that are more than that", async () => {
    const packed = gzip(tar(FILES));
    const name = Buffer.from("a.tar\0");
    packed[3] = 8;
    packed.writeUInt32LE(1_234_567, 4);
    const named = Buffer.concat([packed.subarray(0, 10), name, packed.subarray(10)]);
    const after = await write(named, "tar.gz", "x", "x");
    expect(after.subarray(0, 16)).toEqual(named.subarray(0, 16));
    packed[3] = 16;
    const commented = Buffer.concat([packed.subarray(0, 10), name, packed.subarray(10)]);
    expect((await write(commented, "tar.gz", "x", "x")).subarray(0, 10)).toEqual(
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]),
    );
  });

  it("does not come of a bomb", async () => {
    const part = zlib.gzipSync(Buffer.alloc(16 * MiB), { level: 9 });
    const head = zlib.gzipSync(tar([{ name: "a", data: "a" }]));
    const bomb = Buffer.concat([head, ...Array.from({ length: 256 }, () => part)]);
    expect(await codeOf(write(bomb, "tar.gz", "x", "x"))).toBe("ARCHIVE_TOO_LARGE");
  });
});
