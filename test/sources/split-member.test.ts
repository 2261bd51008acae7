import { describe, expect, it } from "vitest";
import { archiveFormat } from "../../src/sources/format.ts";
import { splitMember } from "../../src/sources/split-member.ts";

const FILES = new Set(["bundle.zip", "dir/x.tar.gz", "odd:name.zip", "b.zip:src.zip", "C:\\a\\b.jar"]);
const split = (input: string): ReturnType<typeof splitMember> =>
  splitMember(input, async (path) => FILES.has(path));

describe("a path into an archive", () => {
  it.each([
    ["bundle.zip:src/a.ts", "bundle.zip", "src/a.ts"],
    ["bundle.zip:src/", "bundle.zip", "src/"],
    ["bundle.zip:", "bundle.zip", ""],
    ["bundle.zip:src/a.ts:50-60", "bundle.zip", "src/a.ts:50-60"],
    ["bundle.zip:../x", "bundle.zip", "../x"],
    ["bundle.zip:inner.zip:a", "bundle.zip", "inner.zip:a"],
    ["dir/x.tar.gz:a:b", "dir/x.tar.gz", "a:b"],
    ["odd:name.zip:a", "odd:name.zip", "a"],
    ["b.zip:src.zip:a", "b.zip:src.zip", "a"],
    ["C:\\a\\b.jar:META-INF/x", "C:\\a\\b.jar", "META-INF/x"],
  ])("%s is taken apart behind the first archive that is a file", async (input, archive, member) => {
    expect(await split(input)).toEqual({ archive, member });
  });

  it.each(["bundle.zip", "other.zip:a", "src/a.ts:10", "a:b:c", "", ":", "bundle.zipx:a"])(
    "%j is none",
    async (input) => {
      expect(await split(input)).toBeNull();
    },
  );

  it("asks about no prefix longer than a path can be", async () => {
    let asked = 0;
    await splitMember("a.zip:".repeat(100_000), async () => {
      asked++;
      return false;
    });
    expect(asked).toBeLessThan(1_000);
  });
});

describe("an archive", () => {
  it("is told by its name, whatever the case", () => {
    const formats = [
      "a.zip",
      "A.JAR",
      "x/y.whl",
      "a.tar",
      "a.TAR.GZ",
      "a.tgz",
      "a.gz",
      "zip",
      "a.zip.txt",
      ".zip",
    ];
    expect(formats.map(archiveFormat)).toEqual([
      "zip",
      "zip",
      "zip",
      "tar",
      "tar.gz",
      "tar.gz",
      null,
      null,
      null,
      "zip",
    ]);
  });
});
