import { describe, expect, it } from "vitest";
import { crc32ByTable } from "../../src/sources/crc32.ts";
import { allTexts, codeOf, withArchive, zip, type ZipEntry } from "./build.ts";

const texts = (entries: readonly ZipEntry[]): Promise<[string, string][]> =>
  withArchive(zip(entries), "zip", allTexts);

describe("a zip file", () => {
  it("lists its members in its own order, folders among them, with size and time", async () => {
    const bytes = zip([
      { name: "src/", store: true },
      { name: "src/b.ts", data: "export {};\n", date: 0x5821, time: 0x6000 },
      { name: "src/a.ts", data: "" },
    ]);
    const members = await withArchive(bytes, "zip", (archive) => archive.members);
    expect(members.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ["src", "folder", 0],
      ["src/b.ts", "file", 11],
      ["src/a.ts", "file", 0],
    ]);
    expect(members[1]?.mtimeMs).toBe(new Date(2024, 0, 1, 12, 0, 0).getTime());
  });

  it("gives stored, deflated and described members as they went in", async () => {
    const long = "line of text\n".repeat(100_000);
    expect(
      await texts([
        { name: "stored", data: "one\n", store: true },
        { name: "deflated", data: "two\n" },
        { name: "described", data: "three\n", descriptor: true },
        { name: "empty", data: "" },
        { name: "long", data: long },
      ]),
    ).toEqual([
      ["stored", "one\n"],
      ["deflated", "two\n"],
      ["described", "three\n"],
      ["empty", ""],
      ["long", long],
    ]);
  });

  it("may be a zip64", async () => {
    const bytes = zip([{ name: "a", data: "big\n", zip64: true }], { zip64: true });
    expect(await withArchive(bytes, "zip", allTexts)).toEqual([["a", "big\n"]]);
  });

  it("may be empty", async () => {
    expect(await withArchive(zip([]), "zip", (archive) => archive.members)).toEqual([]);
  });

  it("reads one member, however its path is written", async () => {
    const bytes = zip([
      { name: "./src//a.ts", data: "a" },
      { name: "src/b.ts", data: "b" },
    ]);
    await withArchive(bytes, "zip", async (archive) => {
      expect(String(await archive.read("src/a.ts"))).toBe("a");
      expect(String(await archive.read("./src/./b.ts"))).toBe("b");
    });
  });

  it("says which members of that name there are when one is not found", async () => {
    const bytes = zip([{ name: "lib/a.ts", data: "a" }]);
    await withArchive(bytes, "zip", async (archive) => {
      await expect(archive.read("src/a.ts")).rejects.toMatchObject({
        code: "MEMBER_NOT_FOUND",
        message: 'a.zip has no file "src/a.ts"',
        hint: "Of that name there is a.zip:lib/a.ts",
      });
      expect(await codeOf(archive.read("lib"))).toBe("MEMBER_NOT_FOUND");
      expect(await codeOf(archive.read("../lib/a.ts"))).toBe("MEMBER_NOT_FOUND");
    });
  });

  it("takes names as UTF-8 by flag, by extra field or from Unix, else as CP437", async () => {
    const cp437 = Buffer.from([0x81, 0x2e, 0x74]);
    const unicode = Buffer.from("päth");
    const extra = Buffer.alloc(9 + unicode.length);
    extra.writeUInt16LE(0x7075, 0);
    extra.writeUInt16LE(5 + unicode.length, 2);
    extra.writeUInt8(1, 4);
    extra.writeUInt32LE(crc32ByTable(Buffer.from("p")), 5);
    unicode.copy(extra, 9);
    const names = await texts([
      { name: "flägged" },
      { name: "unix-ü", flags: 0 },
      { name: cp437, flags: 0, madeBy: 20 },
      { name: Buffer.from("dos-ü"), flags: 0, madeBy: 20 },
      { name: cp437 },
      { name: "p", flags: 0, madeBy: 20, extra },
    ]);
    expect(names.map(([name]) => name)).toEqual(["flägged", "unix-ü", "ü.t", "dos-├╝", "ü.t", "päth"]);
  });

  it("gives the last of several members with one path, and marks the others", async () => {
    const entries: ZipEntry[] = [
      { name: "a", data: "old" },
      { name: "b", data: "b" },
      { name: "./a", data: "new" },
    ];
    expect(await texts(entries)).toEqual([
      ["a", "<replaced>"],
      ["b", "b"],
      ["a", "new"],
    ]);
    await withArchive(zip(entries), "zip", async (archive) =>
      expect(String(await archive.read("a"))).toBe("new"),
    );
  });

  it("lists and does not read links, devices, encrypted members and unknown compressions", async () => {
    const bytes = zip([
      { name: "link", data: "/etc/passwd", attributes: (0o120777 << 16) >>> 0 },
      { name: "device", attributes: (0o020666 << 16) >>> 0 },
      { name: "secret", data: "x", flags: 0x801 },
      { name: "bzip2", data: "x", method: 12 },
      { name: "good", data: "x", attributes: (0o100644 << 16) >>> 0 },
    ]);
    await withArchive(bytes, "zip", async (archive) => {
      expect(await allTexts(archive)).toEqual([
        ["link", "<link>"],
        ["device", "<unsupported>"],
        ["secret", "<encrypted>"],
        ["bzip2", "<unsupported>"],
        ["good", "x"],
      ]);
      expect(await codeOf(archive.read("link"))).toBe("MEMBER_UNREADABLE");
    });
  });

  it("never reads a member whose name leads out of it", async () => {
    const names = [
      "../x",
      "a/../../x",
      "/etc/passwd",
      "C:/x",
      "c:x",
      "a\\b",
      "..\\x",
      "a\0b",
      "",
      ".",
      "\\\\h\\s",
    ];
    const entries = names.map((name) => ({ name, data: "secret" }));
    expect(await texts(entries)).toEqual(names.map((name) => [name, "<unsafe-path>"]));
    await withArchive(zip(entries), "zip", async (archive) => {
      for (const name of names) expect(await codeOf(archive.read(name))).toBe("MEMBER_UNREADABLE");
    });
  });

  it("gives text only: no NUL, valid UTF-8, without its byte order mark", async () => {
    expect(
      await texts([
        { name: "bom", data: "\ufeffé\n" },
        { name: "binary", data: `${"text\n".repeat(5_000)}\0` },
        { name: "latin1", data: Buffer.from([0x63, 0xe9, 0x0a]) },
        { name: "utf16", data: Buffer.from("\ufeffhi", "utf16le") },
        { name: "inner.zip", data: zip([{ name: "a", data: "a" }]) },
      ]),
    ).toEqual([
      ["bom", "é\n"],
      ["binary", "<binary>"],
      ["latin1", "<not-utf8>"],
      ["utf16", "<not-utf8>"],
      ["inner.zip", "<binary>"],
    ]);
  });

  it("names a damaged member and goes on with the others", async () => {
    const bytes = zip([
      { name: "crc", data: "x", claimedCrc: 1 },
      { name: "short", data: "0123456789", claimedSize: 9 },
      { name: "long", data: "0123456789", claimedSize: 11 },
      { name: "noise", data: Buffer.from("not deflated"), store: true, method: 8 },
      { name: "good", data: "y" },
    ]);
    await withArchive(bytes, "zip", async (archive) => {
      expect(await allTexts(archive)).toEqual([
        ["crc", "<damaged>"],
        ["short", "<damaged>"],
        ["long", "<damaged>"],
        ["noise", "<damaged>"],
        ["good", "y"],
      ]);
      await expect(archive.read("crc")).rejects.toMatchObject({
        code: "MEMBER_UNREADABLE",
        message: "a.zip:crc cannot be read: its checksum is wrong",
      });
    });
  });

  it("inflates only what was asked for", async () => {
    const bytes = zip([
      { name: "a", data: "a", claimedCrc: 1 },
      { name: "b", data: "b" },
    ]);
    const found: string[] = [];
    await withArchive(bytes, "zip", async (archive) => {
      for await (const { member } of archive.texts((member) => member.path === "b")) found.push(member.path);
    });
    expect(found).toEqual(["b"]);
  });

  it("is read in its own order where its records lie in another", async () => {
    const entries = Array.from({ length: 50 }, (_, at) => ({
      name: `f${at}`,
      data: `text ${at}\n`.repeat(at),
    }));
    const straight = zip(entries);
    const starts: number[] = [];
    for (
      let at = straight.indexOf("PK\u0003\u0004");
      at !== -1;
      at = straight.indexOf("PK\u0003\u0004", at + 1)
    )
      starts.push(at);
    // The same records, the directory backwards.
    const directory = straight.indexOf("PK\u0001\u0002");
    const heads: Buffer[] = [];
    for (let at = directory; straight.readUInt32LE(at) === 0x02014b50; ) {
      const next = at + 46 + straight.readUInt16LE(at + 28);
      heads.push(straight.subarray(at, next));
      at = next;
    }
    const bytes = Buffer.concat([
      straight.subarray(0, directory),
      ...heads.reverse(),
      straight.subarray(-22),
    ]);
    expect(starts).toHaveLength(50);
    expect(await withArchive(bytes, "zip", allTexts)).toEqual(
      entries.map(({ name, data }) => [name, data]).reverse(),
    );
  });

  it("stops when the call is aborted", async () => {
    const bytes = zip([{ name: "a", data: "a" }]);
    const abort = AbortSignal.abort();
    expect(await codeOf(withArchive(bytes, "zip", allTexts, { signal: abort }))).toBe("ABORTED");
  });
});
