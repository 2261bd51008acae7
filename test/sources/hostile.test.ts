import { randomBytes } from "node:crypto";
import zlib from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc32, crc32ByTable } from "../../src/sources/crc32.ts";
import type { ArchiveFormat } from "../../src/sources/format.ts";
import { ARCHIVE_LIMITS, type ArchiveLimits } from "../../src/sources/limits.ts";
import { allTexts, codeOf, gzip, pax, tar, withArchive, zip, type ZipEntry } from "./build.ts";

const MiB = 1024 * 1024;

interface Bomb {
  readonly what: string;
  readonly format: ArchiveFormat;
  readonly bytes: () => Buffer;
  readonly code: "ARCHIVE_TOO_LARGE" | "ARCHIVE_INVALID";
}

/** A gzip of many zeros, made without the zeros: whole gzip members one behind the other are one stream. */
function gzippedZeros(megabytes: number, head: Buffer): Buffer {
  const part = zlib.gzipSync(Buffer.alloc(16 * MiB), { level: 9 });
  return Buffer.concat([zlib.gzipSync(head), ...Array.from({ length: megabytes / 16 }, () => part)]);
}

const base256 = (value: bigint): Buffer => {
  const field = Buffer.alloc(12);
  field.writeBigUInt64BE(value, 4);
  field[0] = 0x80;
  return field;
};

const BOMBS: readonly Bomb[] = [
  {
    what: "a thousand zip entries over one and the same data",
    format: "zip",
    bytes: () =>
      zip([
        { name: "kernel", data: Buffer.alloc(8 * MiB) },
        ...Array.from({ length: 1_000 }, (_, at): ZipEntry => {
          return { name: `${at}`, claimedStart: 0, claimedSize: 8 * MiB, claimedPackedSize: 8_000 };
        }),
      ]),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "zip entries that overlap within an honest ratio",
    format: "zip",
    bytes: () =>
      zip([
        { name: "a", data: randomBytes(100_000), store: true },
        {
          name: "b",
          data: "b",
          store: true,
          claimedStart: 20,
          claimedSize: 50_000,
          claimedPackedSize: 50_000,
        },
      ]),
    code: "ARCHIVE_INVALID",
  },
  {
    what: "a zip of zeros",
    format: "zip",
    bytes: () => zip(Array.from({ length: 4 }, (_, at) => ({ name: `${at}`, data: Buffer.alloc(16 * MiB) }))),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a zip64 member that claims four exabytes",
    format: "zip",
    bytes: () => zip([{ name: "a", data: "a", zip64: true, claimedSize: 2 ** 62 }]),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a zip that claims 65,534 entries and has one",
    format: "zip",
    bytes: () => zip([{ name: "a", data: "a" }], { count: 65_534 }),
    code: "ARCHIVE_INVALID",
  },
  {
    what: "a zip64 that claims a billion entries",
    format: "zip",
    bytes: () => zip([{ name: "a", data: "a" }], { zip64: true, count: 1e9 }),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a zip of 100,001 folders",
    format: "zip",
    bytes: () =>
      zip(
        Array.from({ length: 100_001 }, (_, at) => ({ name: `${at}/`, store: true })),
        { zip64: true },
      ),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a gzipped tar with a member of ten gigabytes of zeros",
    format: "tar.gz",
    bytes: () =>
      gzippedZeros(
        10_240,
        tar([{ name: "a", claimedSize: base256(10_240n * 1024n * 1024n) }], { mark: false }),
      ),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a gzipped tar with gigabytes of zeros behind its end mark",
    format: "tar.gz",
    bytes: () => gzippedZeros(4_096, tar([{ name: "a", data: "a" }])),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a tar whose member claims eight exabytes",
    format: "tar",
    bytes: () => tar([{ name: "a", data: "a", claimedSize: base256(2n ** 62n) }]),
    code: "ARCHIVE_INVALID",
  },
  {
    what: "a tar whose member claims a terabyte",
    format: "tar",
    bytes: () => tar([{ name: "a", data: "a", claimedSize: base256(2n ** 40n) }]),
    code: "ARCHIVE_INVALID",
  },
  {
    what: "a gzipped tar whose member claims a terabyte",
    format: "tar.gz",
    bytes: () => gzip(tar([pax({ size: String(2 ** 40) }), { name: "a", data: "a" }])),
    code: "ARCHIVE_INVALID",
  },
  {
    what: "a tar whose pax header has gigabytes",
    format: "tar.gz",
    bytes: () =>
      gzippedZeros(1_024, tar([{ name: "a", type: "x", claimedSize: base256(2n ** 30n) }], { mark: false })),
    code: "ARCHIVE_TOO_LARGE",
  },
  {
    what: "a gzipped tar of 100,001 empty files",
    format: "tar.gz",
    bytes: () => gzip(tar(Array.from({ length: 100_001 }, (_, at) => ({ name: `${at}` })))),
    code: "ARCHIVE_TOO_LARGE",
  },
];

describe("a bomb is refused with a code, in less than 128 MB", () => {
  it.each(BOMBS)("$what", async ({ bytes, format, code }) => {
    const archive = bytes();
    const memory = process.memoryUsage().rss;
    expect(await codeOf(withArchive(archive, format, allTexts))).toBe(code);
    expect(process.memoryUsage().rss - memory).toBeLessThan(128 * MiB);
  });
});

describe("the limits", () => {
  const limited = (
    bytes: Buffer,
    format: ArchiveFormat,
    limits: Partial<ArchiveLimits>,
  ): Promise<[string, string][]> => withArchive(bytes, format, allTexts, { limits });

  it("leave a too large member listed, and say so of a read", async () => {
    const limits = { member: 10 };
    const files = [
      { name: "large", data: "0123456789x" },
      { name: "small", data: "0123456789" },
    ];
    for (const [format, bytes] of [
      ["zip", zip(files)],
      ["tar", tar(files)],
      ["tar.gz", gzip(tar(files))],
    ] as const) {
      expect(await limited(bytes, format, limits)).toEqual([
        ["large", "<too-large>"],
        ["small", "0123456789"],
      ]);
      const read = withArchive(bytes, format, (archive) => archive.read("large"), { limits });
      expect(await codeOf(read)).toBe("ARCHIVE_TOO_LARGE");
    }
  });

  it("end a call that unpacked enough, and name what it left out", async () => {
    const files = ["a", "b", "c"].map((name) => ({ name, data: name.repeat(40) }));
    expect(await limited(zip(files), "zip", { total: 100 })).toEqual([
      ["a", "a".repeat(40)],
      ["b", "b".repeat(40)],
      ["c", "<over-budget>"],
    ]);
    expect(await codeOf(limited(gzip(tar(files)), "tar.gz", { total: 100 }))).toBe("ARCHIVE_TOO_LARGE");
  });

  it("count a zip's directory", async () => {
    const bytes = zip([{ name: "x".repeat(60_000) }, { name: "y".repeat(60_000) }]);
    expect(await codeOf(limited(bytes, "zip", { directory: 100_000 }))).toBe("ARCHIVE_TOO_LARGE");
  });

  it("let an honest archive of well packed text through", async () => {
    const data = "the same line of text again and again\n".repeat(50_000);
    expect(await withArchive(zip([{ name: "a", data }]), "zip", allTexts)).toEqual([["a", data]]);
    expect(ARCHIVE_LIMITS.ratioFloor).toBeGreaterThan(data.length);
  });
});

const SAMPLES: readonly (readonly [ArchiveFormat, Buffer])[] = [
  [
    "zip",
    zip(
      [
        { name: "src/", store: true },
        { name: "src/a.ts", data: "const a = 1;\n".repeat(20) },
        { name: "b", data: "stored", store: true, zip64: true },
        { name: "c", data: "described", descriptor: true },
      ],
      { zip64: true },
    ),
  ],
  [
    "tar",
    tar([
      { name: "src/", type: "5" },
      pax({ path: "src/long", mtime: "1.5" }),
      { name: "x", data: "const a = 1;\n".repeat(50) },
      { name: "L", type: "L", data: "gnu\0" },
      { name: "y", data: "y" },
    ]),
  ],
];
const ALL_SAMPLES = [...SAMPLES, ...SAMPLES.slice(1).map(([, bytes]) => ["tar.gz", gzip(bytes)] as const)];

describe.each(ALL_SAMPLES)("a %s that was damaged", (format, whole) => {
  it("cut at every byte is a coded error or, between a tar's members, said to be incomplete", async () => {
    const full = await withArchive(whole, format, allTexts);
    for (let length = 0; length < whole.length; length++) {
      let outcome = "";
      const code = await codeOf(
        withArchive(whole.subarray(0, length), format, async (archive) => {
          const all = JSON.stringify(await allTexts(archive)) === JSON.stringify(full);
          outcome = !archive.complete ? "said to be incomplete" : all ? "all there" : "cut in silence";
        }),
      );
      // Within the padding behind a tar's end mark nothing is missing; all else needs its last byte.
      const fine = format === "tar" && length % 512 === 0 ? ["said to be incomplete"] : ["ARCHIVE_INVALID"];
      const enough = format === "tar" && length >= whole.length - 512 ? ["all there"] : fine;
      expect([length, code === "none" ? outcome : code]).toEqual([
        length,
        expect.toBeOneOf([...enough, "ARCHIVE_INVALID"]),
      ]);
    }
  });

  it("with any bytes changed gives members or a coded error, and never throws anything else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (flips) => {
          const bytes = Buffer.from(whole);
          for (const [at, byte] of flips) bytes[at] = byte;
          expect(await codeOf(withArchive(bytes, format, allTexts))).toMatch(/^(none|ARCHIVE_\w+)$/);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("noise", () => {
  it("of any kind is a coded error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (noise) => {
        for (const format of ["zip", "tar", "tar.gz"] as const)
          expect(await codeOf(withArchive(Buffer.from(noise), format, allTexts))).toMatch(
            /^(ARCHIVE_INVALID|none)$/,
          );
      }),
      { numRuns: 100 },
    );
  });
});

describe("the checksum", () => {
  it("is the same by table as by zlib", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => crc32ByTable(Buffer.from(bytes)) === crc32(Buffer.from(bytes))),
    );
    expect(crc32ByTable(Buffer.from("123456789"))).toBe(0xcbf43926);
  });
});
