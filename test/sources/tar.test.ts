import { describe, expect, it } from "vitest";
import { allTexts, codeOf, gzip, pax, tar, type TarEntry, withArchive } from "./build.ts";

const texts = (entries: readonly TarEntry[]): Promise<[string, string][]> =>
  withArchive(tar(entries), "tar", allTexts);

const LONG = `${"deep/".repeat(40)}name.ts`;

describe.each(["tar", "tar.gz"] as const)("a %s", (format) => {
  const pack = (bytes: Buffer): Buffer => (format === "tar" ? bytes : gzip(bytes));
  const members: TarEntry[] = [
    { name: "./", type: "5" },
    { name: "./src/", type: "5" },
    { name: "./src/a.ts", data: "a\n".repeat(1_000), mtime: 1_600_000_000 },
    { name: "b.ts", prefix: "src/deeper", data: "b\n" },
    { name: "empty", data: "" },
    { name: "old", type: "\0", magic: "\0\0\0\0\0\0\0\0", data: "old\n" },
    { name: "oldfolder/", type: "\0" },
  ];

  it("lists its members and gives their texts", async () => {
    await withArchive(pack(tar(members)), format, async (archive) => {
      expect(archive.complete).toBe(true);
      expect(archive.members.map(({ path, kind, size }) => [path, kind, size])).toEqual([
        ["src", "folder", 0],
        ["src/a.ts", "file", 2_000],
        ["src/deeper/b.ts", "file", 2],
        ["empty", "file", 0],
        ["old", "file", 4],
        ["oldfolder", "folder", 0],
      ]);
      expect(archive.members[1]?.mtimeMs).toBe(1_600_000_000_000);
      expect(await allTexts(archive)).toEqual([
        ["src/a.ts", "a\n".repeat(1_000)],
        ["src/deeper/b.ts", "b\n"],
        ["empty", ""],
        ["old", "old\n"],
      ]);
      expect(String(await archive.read("src/deeper/b.ts"))).toBe("b\n");
      expect(await codeOf(archive.read("src"))).toBe("MEMBER_NOT_FOUND");
    });
  });

  it("gives the same when it is too large to hold", async () => {
    const read = (held: number): Promise<[string, string][]> =>
      withArchive(pack(tar(members)), format, allTexts, { limits: { held } });
    expect(await read(100)).toEqual(await read(1_000_000));
  });

  it("says so when its end mark is missing, for it may have been cut off", async () => {
    const bytes = tar(members, { mark: false });
    expect(await withArchive(pack(bytes), format, ({ complete }) => complete)).toBe(false);
  });

  it("is no archive when it is cut off inside a member", async () => {
    expect(await codeOf(withArchive(pack(tar(members).subarray(0, 2_000)), format, allTexts))).toBe(
      "ARCHIVE_INVALID",
    );
  });

  it("stops when the call is aborted", async () => {
    const signal = AbortSignal.abort();
    expect(await codeOf(withArchive(pack(tar(members)), format, allTexts, { signal }))).toBe("ABORTED");
  });
});

describe("a tar", () => {
  it("may have long names, as GNU and as pax write them", async () => {
    expect(
      await texts([
        { name: "././@LongLink", type: "L", data: `${LONG}\0`, magic: "ustar  \0" },
        { name: LONG.slice(0, 100), data: "gnu" },
        pax({ path: `${LONG}x` }),
        { name: LONG.slice(0, 100), data: "pax" },
        { name: "short", data: "short" },
      ]),
    ).toEqual([
      [LONG, "gnu"],
      [`${LONG}x`, "pax"],
      ["short", "short"],
    ]);
  });

  it("has pax values count over the header: path, size and time, with newlines in them too", async () => {
    const bytes = tar([
      pax({ comment: "everywhere", mtime: "1.5" }, "g"),
      pax({ path: "new\nline=x ü", size: "3", mtime: "1600000000.25" }),
      { name: "n", data: "abc", claimedSize: "00000000000\0" },
      { name: "after", data: "after" },
    ]);
    await withArchive(bytes, "tar", async (archive) => {
      expect(await allTexts(archive)).toEqual([
        ["new\nline=x ü", "abc"],
        ["after", "after"],
      ]);
      expect(archive.members.map(({ mtimeMs }) => mtimeMs)).toEqual([1_600_000_000_250, 1_500]);
    });
  });

  it("may write sizes in base 256", async () => {
    const size = Buffer.alloc(12);
    size[0] = 0x80;
    size[11] = 3;
    expect(await texts([{ name: "a", data: "abc", claimedSize: size }])).toEqual([["a", "abc"]]);
  });

  it("takes names that are no UTF-8 as Latin-1, and keeps them apart", async () => {
    const names = await texts([
      { name: Buffer.from([0x63, 0xe9]), data: "1" },
      { name: Buffer.from([0x63, 0xe8]), data: "2" },
    ]);
    expect(names).toEqual([
      ["cé", "1"],
      ["cè", "2"],
    ]);
  });

  it("names links, devices and sparse files, and reads none of them", async () => {
    const map = Buffer.alloc(512);
    expect(
      await texts([
        { name: "hard", type: "1", claimedSize: "00000001000\0" },
        { name: "soft", type: "2" },
        { name: "fifo", type: "6" },
        { name: "sparse", type: "S", data: map, claimedSize: "00000000000\0", patch: [[482, 1]] },
        pax({ "GNU.sparse.major": "1", "GNU.sparse.name": "sparse2" }),
        { name: "GNUSparseFile.0/sparse2", data: "x" },
        { name: "unknown", type: "Q", data: "data" },
        { name: "good", data: "good" },
      ]),
    ).toEqual([
      ["hard", "<link>"],
      ["soft", "<link>"],
      ["fifo", "<unsupported>"],
      ["sparse", "<unsupported>"],
      ["sparse2", "<unsupported>"],
      ["unknown", "<unsupported>"],
      ["good", "good"],
    ]);
  });

  it("never reads a member whose name leads out of it, by header, long name or pax", async () => {
    const found = await texts([
      { name: "../x", data: "1" },
      { name: "/etc/passwd", data: "2" },
      { name: "L", type: "L", data: "a/../../x\0" },
      { name: "fine", data: "3" },
      pax({ path: "C:\\x" }),
      { name: "fine", data: "4" },
      pax({ path: "nul\0x" }),
      { name: "fine", data: "5" },
      { name: "..", prefix: "a", data: "6" },
    ]);
    expect(found.map(([path]) => path)).toEqual([
      "../x",
      "/etc/passwd",
      "a/../../x",
      "C:\\x",
      "nul\0x",
      "a/..",
    ]);
    expect(new Set(found.map(([, text]) => text))).toEqual(new Set(["<unsafe-path>"]));
  });

  it("gives the last of several members with one path, as after tar -r", async () => {
    expect(
      await texts([
        { name: "a", data: "old" },
        { name: "a", data: "new" },
      ]),
    ).toEqual([
      ["a", "<replaced>"],
      ["a", "new"],
    ]);
  });

  it("is refused when a header is damaged, or it is none", async () => {
    const good: TarEntry = { name: "a", data: "a" };
    await expect(withArchive(tar([good, { ...good, damage: true }]), "tar", allTexts)).rejects.toMatchObject({
      code: "ARCHIVE_INVALID",
      message: 'a.tar cannot be read as an archive: the header after "a" is damaged',
    });
    for (const bytes of [Buffer.alloc(0), Buffer.from("text"), Buffer.from("text".repeat(1_000))])
      for (const format of ["tar", "tar.gz", "zip"] as const)
        expect(await codeOf(withArchive(bytes, format, allTexts))).toBe("ARCHIVE_INVALID");
  });
});
