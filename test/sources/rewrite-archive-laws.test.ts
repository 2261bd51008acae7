/** Laws of rewriting over random archives, whole and damaged. */
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  record,
  string,
  uniqueArray,
} from "fast-check";
import { describe, expect, it } from "vitest";
import type { ArchiveFormat } from "../../src/sources/format.ts";
import type { Member } from "../../src/sources/member.ts";
import { rewriteArchive } from "../../src/sources/rewrite-archive.ts";
import { codeOf, gzip, pax, tar, type TarEntry, withArchive, zip } from "./build.ts";
import { type RawRecord, zipRecords } from "./zip-records.ts";

const write = (bytes: Buffer, format: ArchiveFormat, entry: string, content: string): Promise<Buffer> =>
  rewriteArchive(bytes, format, entry, Buffer.from(content), `a.${format}`);

interface RandomFile {
  readonly name: string;
  readonly data: string;
  readonly store: boolean;
  readonly descriptor: boolean;
  readonly zip64: boolean;
  /** Does a pax header say something of it? */
  readonly said: boolean;
}

const LONG = `${"n".repeat(90)}/${"m".repeat(90)}`;
const file: Arbitrary<RandomFile> = record({
  name: constantFrom("a", "b", "d/a", "d/./b", "\u00fc", LONG, "../x", "e/f"),
  data: string({ maxLength: 1_200, size: "max" }),
  store: boolean(),
  descriptor: boolean(),
  zip64: boolean(),
  said: boolean(),
});
const files = uniqueArray(file, { selector: ({ name }) => name, minLength: 1, maxLength: 7 });
const path = constantFrom("a", "d/a", "d/b", "\u00fc", LONG, "new", "g/\u00e9");

function tarOf({ name, data, said }: RandomFile): Buffer {
  const named: TarEntry[] =
    Buffer.byteLength(name) > 100 ? [pax({ path: name }), { name: "short", data }] : [{ name, data }];
  const entries = said && named.length === 1 ? [pax({ comment: "c", uid: "7" }), ...named] : named;
  return tar(entries, { mark: false });
}

const normal = (path: string): string => path.replaceAll("/./", "/");

/** Writes, and holds what can be read of the result against what went in. */
async function written(
  before: Buffer,
  format: ArchiveFormat,
  files: readonly RandomFile[],
  path: string,
  content: string,
): Promise<Buffer> {
  const after = await write(before, format, path, content);
  const was = await withArchive(before, format, ({ members }) => members);
  const others = (members: readonly Member[]): Member[] => members.filter((member) => member.path !== path);
  const readable = files.filter(({ name }) => normal(name) !== path && !name.startsWith(".."));
  await withArchive(after, format, async (archive) => {
    expect(others(archive.members)).toEqual(others(was));
    expect(String(await archive.read(path))).toBe(content);
    for (const { name, data } of readable) expect(String(await archive.read(name))).toBe(data);
  });
  // Once there, it takes the same room again.
  expect((await write(after, format, path, content)).length).toBe(after.length);
  return after;
}

describe("a random archive has all other members as they were, and the written one as it was written", () => {
  it("zip", async () => {
    const law = asyncProperty(files, path, string(), boolean(), async (files, path, content, wide) => {
      const before = zip(files, { zip64: wide });
      const after = await written(before, "zip", files, path, content);
      const raw = (bytes: Buffer): RawRecord[] =>
        zipRecords(bytes).filter(({ name }) => normal(name) !== path);
      expect(raw(after)).toEqual(raw(before));
    });
    await assert(law, { numRuns: 100 });
  });

  it("tar", async () => {
    const law = asyncProperty(files, path, string({ maxLength: 2_000 }), async (files, path, content) => {
      const records = files.map(tarOf);
      const after = await written(
        Buffer.concat([...records, Buffer.alloc(1_024)]),
        "tar",
        files,
        path,
        content,
      );
      const found = files.findIndex(({ name }) => normal(name) === path);
      const at = found === -1 ? files.length : found;
      const head = Buffer.concat(records.slice(0, at));
      expect(after.subarray(0, head.length).equals(head)).toBe(true);
      expect(after.indexOf(Buffer.concat(records.slice(at + 1)), head.length + 512)).toBeGreaterThan(
        head.length,
      );
    });
    await assert(law, { numRuns: 100 });
  });
});

describe("a damaged archive", () => {
  const members = [
    { name: "src/", type: "5", store: true },
    { name: "./src/a.ts", data: "a\n" },
    { name: "src/b.ts", data: "b\n", descriptor: true },
    { name: "c", data: "c".repeat(100) },
  ];
  const CODES = [
    "none",
    "ARCHIVE_INVALID",
    "ARCHIVE_TOO_LARGE",
    "NOT_A_FILE",
    "INVALID_INPUT",
    "MEMBER_UNREADABLE",
  ];
  const damages = array(record({ at: nat(), byte: nat(255) }), { minLength: 1, maxLength: 4 });

  it.each([
    ["zip", zip(members)],
    ["tar", tar(members)],
    ["tar.gz", gzip(tar(members))],
  ] as const)("%s is rewritten so that it can be read, or refused with a code", async (format, bytes) => {
    const law = asyncProperty(damages, async (damages) => {
      const damaged = Buffer.from(bytes);
      for (const { at, byte } of damages) damaged[at % damaged.length] = byte;
      const call = write(damaged, format, "src/b.ts", "x");
      const code = await codeOf(call);
      expect(CODES).toContain(code);
      const read =
        code === "none" ? withArchive(await call, format, (archive) => archive.read("src/b.ts")) : "x";
      expect(String(await read)).toBe("x");
    });
    await assert(law, { numRuns: 400 });
  });
});
