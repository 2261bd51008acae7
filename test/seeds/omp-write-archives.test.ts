/**
 * seeds/omp-write.md, "Archive entry write". How archives are rewritten byte by byte is in test/sources; here the tool,
 * and what real programs read of it. A failed read or write of an archive is told with its own code, not its cause's text.
 */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { zip } from "../sources/build.ts";
import { editor } from "./editor.ts";

const KINDS = ["zip", "jar", "tar", "tar.gz", "tgz"] as const;

/** What the archive's own program reads. */
function unpacked(root: string, archive: string, entry: string): string {
  const [program, ...args] = /\.(?:zip|jar)$/.test(archive)
    ? ["unzip", "-p", archive, entry]
    : ["tar", "-xOf", archive, entry];
  return execFileSync(program, args, { cwd: root, encoding: "utf8" });
}

describe("An entry of an archive", () => {
  it("the worked examples", async () => {
    const { write, root } = await editor({ "fixtures/archive.zip": zip([{ name: "a.txt", data: "a\n" }]) });
    expect(await write("fixtures/archive.zip:templates/email.txt", "hello\n")).toBe(
      "Wrote fixtures/archive.zip:templates/email.txt: 6 bytes",
    );
    expect(unpacked(root, "fixtures/archive.zip", "templates/email.txt")).toBe("hello\n");
    expect(unpacked(root, "fixtures/archive.zip", "a.txt")).toBe("a\n");
    expect(await write("build/assets.tar.gz:css/app.css", "body { color: black; }\n")).toBe(
      "Wrote build/assets.tar.gz:css/app.css: 23 bytes, in a new archive",
    );
    expect(unpacked(root, "build/assets.tar.gz", "css/app.css")).toBe("body { color: black; }\n");
  });

  it.each(KINDS)("%s: a new archive, an entry added, an entry replaced, and read again", async (kind) => {
    const { write, read, root } = await editor({});
    const archive = `new/a.${kind}`;
    expect(await write(`${archive}:one.txt`, "one\n")).toContain(", in a new archive");
    expect(await write(`${archive}:b/two.txt`, "two\n")).toBe(`Wrote ${archive}:b/two.txt: 4 bytes`);
    expect(await write(`${archive}:one.txt`, "1 →\n")).toBe(`Wrote ${archive}:one.txt: 6 bytes`);
    expect(unpacked(root, archive, "one.txt")).toBe("1 →\n");
    expect(unpacked(root, archive, "b/two.txt")).toBe("two\n");
    // There is no tag: nothing in an archive is edited line by line.
    expect(await read(`${archive}:one.txt`)).toBe(`¶${archive}:one.txt\n1|1 →`);
  });

  it("its path is cleaned: backslashes, empty and . parts", async () => {
    const { write, root } = await editor({});
    expect(await write("a.zip:.//x\\./y.txt", "y\n")).toMatch(/^Wrote a\.zip:x\/y\.txt: /);
    expect(unpacked(root, "a.zip", "x/y.txt")).toBe("y\n");
  });

  it("pasted headers and numbers are taken off as of a file", async () => {
    const { write, root } = await editor({});
    expect(await write("a.zip:x.txt", "¶x.txt#0A3B\n1:one\n")).toContain("[The pasted ¶PATH#TAG header and");
    expect(unpacked(root, "a.zip", "x.txt")).toBe("one\n");
  });

  it("details have no snapshot", async () => {
    const { written, root } = await editor({});
    expect(await written("a.zip:x.txt", "x")).toMatchObject({
      kind: "archive",
      path: "a.zip:x.txt",
      resolvedPath: join(root, "a.zip"),
      created: true,
      snapshots: [],
    });
  });

  it("an archive comes before a database", async () => {
    const { written } = await editor({});
    expect((await written("a.zip:app.db:users", "{}")).kind).toBe("archive");
  });
});

describe("An entry that is refused", () => {
  const HINT = "Write archive.zip:folder/file.txt.";
  it.each([
    [
      "l.zip:",
      `[INVALID_INPUT] "" names no entry that can be written: it must name a file inside the archive. ${HINT}`,
    ],
    [
      "l.zip:d/",
      `[INVALID_INPUT] "d/" names no entry that can be written: it must name a file, and this is a folder. ${HINT}`,
    ],
    [
      "l.zip:../x",
      `[INVALID_INPUT] "../x" names no entry that can be written: its path must not hold \`..\`. ${HINT}`,
    ],
    [
      "l.zip:/etc/x",
      `[INVALID_INPUT] "/etc/x" names no entry that can be written: an entry's path is relative to the archive. ${HINT}`,
    ],
    [
      "l.zip:d",
      "[NOT_A_FILE] l.zip:d is a folder. Write to another name, or change the archive with its own tool.",
    ],
    [
      "l.zip",
      "[INVALID_INPUT] l.zip is an archive, which is written entry by entry. Name the entry: l.zip:folder/file.txt.",
    ],
    [
      "new.tar",
      "[INVALID_INPUT] new.tar is an archive, which is written entry by entry. Name the entry: new.tar:folder/file.txt.",
    ],
  ])("%s", async (path, text) => {
    const archive = zip([{ name: "d/a.txt", data: "a\n" }]);
    const { unwritten, bytes, root } = await editor({ "l.zip": archive });
    expect((await unwritten(path, "x")).text).toBe(text);
    expect(bytes("l.zip")).toEqual(archive);
    expect(existsSync(join(root, "new.tar"))).toBe(false);
  });

  it("into what is no archive, which stays as it is", async () => {
    const { unwritten, file } = await editor({ "broken.zip": "no archive", "broken.tgz": "no archive" });
    for (const name of ["broken.zip", "broken.tgz"]) {
      const { code, message } = await unwritten(`${name}:a.txt`, "x");
      expect(code).toBe("ARCHIVE_INVALID");
      expect(message).toContain(`${name} cannot be read as an archive`);
      expect(file(name)).toBe("no archive");
    }
  });

  it("that is denied as a file below its archive would be", async () => {
    const { unwritten, root } = await editor({}, { deny: ["**/secret.txt"] });
    expect((await unwritten("a.zip:secret.txt", "x")).code).toBe("PATH_DENIED");
    expect(existsSync(join(root, "a.zip"))).toBe(false);
  });

  it("in an archive outside the allowed folders", async () => {
    const { unwritten } = await editor({});
    expect((await unwritten("../a.zip:x", "x")).code).toBe("PATH_OUTSIDE");
  });

  it("an archive that another program wrote keeps its other members", async () => {
    const { write, root } = await editor({ "m/a.txt": "a\n", "m/b.txt": "b\n" });
    execFileSync("zip", ["-qr", "x.zip", "m"], { cwd: root });
    execFileSync("tar", ["-czf", "x.tgz", "m"], { cwd: root });
    writeFileSync(join(root, "m/a.txt"), "changed\n");
    for (const archive of ["x.zip", "x.tgz"]) {
      await write(`${archive}:m/b.txt`, "B\n");
      expect(unpacked(root, archive, "m/a.txt")).toBe("a\n");
      expect(unpacked(root, archive, "m/b.txt")).toBe("B\n");
    }
  });
});
