/** A session remembers what it unpacked, and never answers from an archive that is no longer the one it read. */
import { readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Archive, openArchive } from "../../src/sources/archive.ts";
import { rememberedArchive } from "../../src/tools/archive-memory.ts";
import { openArchives } from "../../src/tools/open-archives.ts";
import { globs } from "../workspace/ground.ts";
import { openSession, type Session } from "../../src/workspace/session.ts";
import { zip } from "../sources/build.ts";
import { tree } from "../support/tree.ts";

const OLD = zip([
  { name: "a.txt", data: "needle one\n" },
  { name: "b.txt", data: "nothing\n" },
  { name: "c.bin", data: "\0" },
]);
const NEW = zip([
  { name: "a.txt", data: "nothing at\n" },
  { name: "b.txt", data: "needles\n" },
  { name: "c.bin", data: "\0" },
]);

let root = "";

async function sessionOver(archive: Buffer): Promise<Session> {
  root = tree({ "a.zip": archive });
  const session = await openSession({ root, globs, env: { QUARRY_CACHE_DIR: join(tree(), "cache") } });
  onTestFinished(() => session.close());
  return session;
}

/** Texts and skips of a call. */
async function look(session: Session): Promise<Record<string, string>> {
  const archives = openArchives(session, undefined);
  try {
    const found: Record<string, string> = {};
    for await (const text of (await archives.open("a.zip")).texts(() => true)) {
      found[text.member.path] = "bytes" in text ? text.bytes.toString() : text.skipped;
    }
    return found;
  } finally {
    await archives.close();
  }
}

const OLD_TEXTS = { "a.txt": "needle one\n", "b.txt": "nothing\n", "c.bin": "binary" };
const NEW_TEXTS = { "a.txt": "nothing at\n", "b.txt": "needles\n", "c.bin": "binary" };

describe("a remembered archive", () => {
  it("is unpacked once, and read again only for what was not asked for before", async () => {
    const session = await sessionOver(OLD);
    const place = join(root, "a.zip");
    const handle = await open(place);
    onTestFinished(() => handle.close());
    const aged = { realPath: place, stat: Object.assign(statSync(place), { ctimeMs: 1 }) };
    let reads = 0;
    const archive = (): Promise<Archive> =>
      rememberedArchive(session, aged, () => {
        reads += 1;
        return openArchive({ file: handle, format: "zip", name: "a.zip" });
      });
    const names = async (wanted: string): Promise<string[]> => {
      const texts: string[] = [];
      for await (const { member } of (await archive()).texts(({ path }) => path.endsWith(wanted))) {
        texts.push(member.path);
      }
      return texts;
    };
    expect([await names("a.txt"), reads]).toEqual([["a.txt"], 1]);
    expect([await names("a.txt"), reads]).toEqual([["a.txt"], 1]);
    expect([await names(".txt"), reads]).toEqual([["a.txt", "b.txt"], 2]);
    expect([await names("t"), reads]).toEqual([["a.txt", "b.txt"], 2]);
    expect((await (await archive()).read("b.txt")).toString()).toBe("nothing\n");
    await expect((await archive()).read("gone")).rejects.toMatchObject({ code: "MEMBER_NOT_FOUND" });
  });

  it("is read again when its content changed under the same size and modification time", async () => {
    expect(NEW.length).toBe(OLD.length);
    const session = await sessionOver(OLD);
    await setTimeout(2_100);
    expect(await look(session)).toEqual(OLD_TEXTS);
    const { atime, mtime } = statSync(join(root, "a.zip"));
    writeFileSync(join(root, "a.zip"), NEW);
    utimesSync(join(root, "a.zip"), atime, mtime);
    expect(await look(session)).toEqual(NEW_TEXTS);
    await setTimeout(2_100);
    expect(await look(session)).toEqual(NEW_TEXTS);
  });

  it("is read again when another file took its place", async () => {
    const session = await sessionOver(OLD);
    writeFileSync(join(root, "other.zip"), NEW);
    await setTimeout(2_100);
    expect(await look(session)).toEqual(OLD_TEXTS);
    renameSync(join(root, "other.zip"), join(root, "a.zip"));
    expect(await look(session)).toEqual(NEW_TEXTS);
  });

  it("is not remembered while it is young: two writes may share a tick of the clock", async () => {
    const session = await sessionOver(OLD);
    for (let turn = 0; turn < 20; turn += 1) {
      const content = turn % 2 === 0 ? NEW : OLD;
      writeFileSync(join(root, "a.zip"), content);
      expect(await look(session)).toEqual(turn % 2 === 0 ? NEW_TEXTS : OLD_TEXTS);
    }
    expect(readFileSync(join(root, "a.zip")).equals(OLD)).toBe(true);
  });
});
