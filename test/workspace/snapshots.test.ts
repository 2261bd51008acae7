import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadSnapshots, saveSnapshots } from "../../src/workspace/snapshot-files.ts";
import { SnapshotStore } from "../../src/workspace/snapshots.ts";
import { tree } from "../support/tree.ts";

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Texts whose hashes start with the same four digits. */
function colliding(count: number): string[] {
  const found: string[] = [];
  const start = hash("first").slice(0, 4);
  for (let n = 0; found.length < count; n += 1) {
    if (hash(`content ${n}`).slice(0, 4) === start) found.push(`content ${n}`);
  }
  return found;
}

const COLLIDING = colliding(3);
const OWN = hash("first").slice(0, 4).toUpperCase();

function next(tag: string, by: number): string {
  return ((Number.parseInt(tag, 16) + by) % 0x10000).toString(16).toUpperCase().padStart(4, "0");
}

describe("A tag", () => {
  it("is the first four digits of the content's hash, in upper case", () => {
    const snapshot = new SnapshotStore().record("/a", Buffer.from("text"));
    expect(snapshot.tag).toBe(hash("text").slice(0, 4).toUpperCase());
    expect(snapshot.hash).toBe(hash("text"));
    expect(snapshot.bytes.toString()).toBe("text");
  });

  it("moves on where another content of the file has it (T29)", () => {
    const store = new SnapshotStore();
    const tags = COLLIDING.map((text) => store.record("/a", Buffer.from(text)).tag);
    expect(tags).toEqual([OWN, next(OWN, 1), next(OWN, 2)]);
    for (const [at, text] of COLLIDING.entries()) {
      expect(store.record("/a", Buffer.from(text)).tag).toBe(tags[at]);
      const found = store.find("/a", tags[at] as string);
      expect(found).toMatchObject({ kind: "known", snapshot: { hash: hash(text) } });
    }
  });

  it("is not moved by other files", () => {
    const store = new SnapshotStore();
    const tags = COLLIDING.map((text, at) => store.record(`/file-${at}`, Buffer.from(text)).tag);
    expect(tags).toEqual([OWN, OWN, OWN]);
  });

  it("never comes to mean another content, also after its own was let go", () => {
    const store = new SnapshotStore({ versions: 1 });
    const [first, second] = COLLIDING.map((text) => Buffer.from(text)) as [Buffer, Buffer];
    store.record("/a", first);
    expect(store.record("/a", second).tag).toBe(next(OWN, 1));
    expect(store.find("/a", OWN)).toEqual({
      kind: "forgotten",
      hash: hash(COLLIDING[0] as string),
      view: "text",
    });
    expect(store.record("/a", first).tag).toBe(OWN);
  });

  it("wraps around at the end", () => {
    let text = "";
    for (let n = 0; !hash(text).startsWith("ffff"); n += 1) text = `wrap ${n}`;
    const store = new SnapshotStore();
    store.restore("/a", [{ tag: "FFFF", hash: "0".repeat(64), view: "text" }]);
    expect(store.record("/a", Buffer.from(text)).tag).toBe("0000");
  });

  it("is another one for another view of the same content", () => {
    const store = new SnapshotStore();
    const text = store.record("/a.ipynb", Buffer.from("{}"));
    const cells = store.record("/a.ipynb", Buffer.from("{}"), "notebook");
    expect(cells.tag).not.toBe(text.tag);
    expect(store.find("/a.ipynb", cells.tag)).toMatchObject({ snapshot: { view: "notebook" } });
  });
});

describe("Looking up a tag", () => {
  it("tells known, forgotten, another file's and unknown apart", () => {
    const store = new SnapshotStore({ files: 2 });
    const a = store.record("/a", Buffer.from("a"));
    const b = store.record("/b", Buffer.from("b"));
    expect(store.find("/a", a.tag.toLowerCase())).toEqual({ kind: "known", snapshot: a });
    expect(store.find("/a", b.tag)).toEqual({ kind: "elsewhere", paths: ["/b"] });
    expect(store.find("/a", "0000")).toEqual({ kind: "unknown" });
    store.record("/c", Buffer.from("c"));
    expect(store.find("/b", b.tag)).toEqual({ kind: "forgotten", hash: b.hash, view: "text" });
    expect(store.find("/c", b.tag)).toEqual({ kind: "elsewhere", paths: ["/b"] });
    expect(store.snapshots()).toContain(a);
    expect(store.snapshots()).not.toContain(b);
  });
});

describe("Shown lines", () => {
  it("add up, and are shared by whoever shows the same content", () => {
    const store = new SnapshotStore();
    const snapshot = store.record("/a", Buffer.from("text"));
    snapshot.show([5, 3, 4, { first: 10, last: 20 }]);
    store.record("/a", Buffer.from("text")).show([{ first: 15, last: 30 }, 6]);
    expect(snapshot.shown).toEqual([
      { first: 3, last: 6 },
      { first: 10, last: 30 },
    ]);
    expect(snapshot.wasShown(6)).toBe(true);
    expect(snapshot.wasShown(7)).toBe(false);
    expect(store.record("/a", Buffer.from("other")).shown).toEqual([]);
  });

  it("are exactly the lines that were given", () => {
    const lines = fc.array(fc.array(fc.integer({ min: 1, max: 60 })), { maxLength: 6 });
    fc.assert(
      fc.property(lines, (calls) => {
        const snapshot = new SnapshotStore().record("/a", Buffer.from("x"));
        for (const call of calls) snapshot.show(call);
        const given = new Set(calls.flat());
        for (let line = 1; line <= 61; line += 1) expect(snapshot.wasShown(line)).toBe(given.has(line));
        const { shown } = snapshot;
        expect(shown.every(({ first }, at) => at === 0 || first > (shown[at - 1]?.last ?? 0) + 1)).toBe(true);
      }),
    );
  });
});

describe("The store", () => {
  it("is bounded in files, versions, bytes and labels, and drops the oldest", () => {
    const limits = { files: 5, versions: 3, bytes: 400, labels: 30 };
    const step = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 30 }), fc.nat(150));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const store = new SnapshotStore(limits);
        for (const [file, seed, size] of steps) {
          const bytes = Buffer.alloc(size, seed);
          const snapshot = store.record(`/${file}`, bytes);
          // What was recorded last is always there.
          expect(store.find(`/${file}`, snapshot.tag)).toEqual({ kind: "known", snapshot });
          const all = store.snapshots();
          expect(all.at(-1)).toBe(snapshot);
          expect(store.size.bytes).toBe(all.reduce((sum, { bytes }) => sum + bytes.length, 0));
          expect(store.size.bytes).toBeLessThanOrEqual(limits.bytes);
          expect(store.size.files).toBe(new Set(all.map(({ path }) => path)).size);
          expect(store.size.files).toBeLessThanOrEqual(limits.files);
          expect(store.size.labels).toBe(store.labels().reduce((sum, [, labels]) => sum + labels.length, 0));
          expect(store.size.labels).toBeLessThanOrEqual(limits.labels);
          for (const { path, tag } of all) expect(store.find(path, tag).kind).toBe("known");
        }
      }),
    );
  });

  it("keeps what is used and lets go of what is not", () => {
    const store = new SnapshotStore({ files: 2 });
    const a = store.record("/a", Buffer.from("a"));
    const b = store.record("/b", Buffer.from("b"));
    store.find("/a", a.tag);
    store.record("/c", Buffer.from("c"));
    expect(store.find("/a", a.tag).kind).toBe("known");
    expect(store.find("/b", b.tag).kind).toBe("forgotten");
  });

  it("refuses a file too large for a snapshot", () => {
    expect(() => new SnapshotStore().record("/a", Buffer.alloc(32 * 1024 * 1024 + 1))).toThrow(RangeError);
  });
});

describe("A saved store", () => {
  function filled(): SnapshotStore {
    const store = new SnapshotStore({ versions: 2 });
    for (const text of COLLIDING) store.record("/a", Buffer.from(text)).show([1, 2, { first: 9, last: 12 }]);
    store.record("/b\n\u{1f600}", Buffer.from([0, 255, 13, 10]), "notebook").show([3]);
    return store;
  }

  it("comes back with its tags, bytes, shown lines and forgotten tags", async () => {
    const folder = join(tree(), "snapshots");
    const store = filled();
    await saveSnapshots(store, folder);
    const back = new SnapshotStore();
    expect(await loadSnapshots(back, folder)).toBeNull();
    const plain = (from: SnapshotStore): unknown =>
      from
        .snapshots()
        .map(({ path, tag, hash, view, bytes, shown }) => ({ path, tag, hash, view, bytes, shown }));
    expect(plain(back)).toEqual(plain(store));
    expect(back.find("/a", OWN)).toEqual({
      kind: "forgotten",
      hash: hash(COLLIDING[0] as string),
      view: "text",
    });
    expect(back.record("/a", Buffer.from(COLLIDING[0] as string)).tag).toBe(OWN);
  });

  it("is for its owner alone, and holds no more than the store", async () => {
    const folder = join(tree(), "snapshots");
    const store = filled();
    writeFileSync(join(tree(), "x"), "");
    await saveSnapshots(store, folder);
    store.record("/a", Buffer.from("newer"));
    await saveSnapshots(store, folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const names = readdirSync(folder);
    expect(names.sort()).toEqual([...store.snapshots().map(({ hash }) => hash), "list.json"].sort());
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it("that is not there is an empty one", async () => {
    const store = new SnapshotStore();
    expect(await loadSnapshots(store, join(tree(), "none"))).toBeNull();
    expect(store.snapshots()).toEqual([]);
  });

  it("that is damaged is an empty one, and that is said", async () => {
    const folder = join(tree(), "snapshots");
    await saveSnapshots(filled(), folder);
    const list = join(folder, "list.json");
    const sound = readFileSync(list);
    // Still well-formed, and not what was saved.
    const changed = String(sound).replace('"last":12', '"last":99');
    expect(changed).not.toBe(String(sound));
    const signed = (text: string): string => `${hash(text)}\n${text}`;
    for (const bad of ["", "{}", sound.subarray(0, 90), changed, signed("null"), signed('{"format":2}')]) {
      writeFileSync(list, bad);
      const store = new SnapshotStore();
      expect(await loadSnapshots(store, folder)).toContain("damaged");
      expect(store.snapshots()).toEqual([]);
    }
  });

  it("forgets a version whose bytes are damaged or gone, and says so", async () => {
    const folder = join(tree(), "snapshots");
    await saveSnapshots(filled(), folder);
    writeFileSync(join(folder, hash(COLLIDING[2] as string)), "planted");
    unlinkSync(join(folder, hash(COLLIDING[1] as string)));
    const store = new SnapshotStore();
    expect(await loadSnapshots(store, folder)).toBe(
      "2 remembered file versions were damaged and are forgotten",
    );
    expect(store.find("/a", next(OWN, 1)).kind).toBe("forgotten");
    expect(store.find("/a", next(OWN, 2)).kind).toBe("forgotten");
    expect(store.snapshots()).toHaveLength(1);
  });

  it("is not taken from where others may write", async () => {
    const folder = join(tree(), "snapshots");
    await saveSnapshots(filled(), folder);
    chmodSync(folder, 0o777);
    await expect(loadSnapshots(new SnapshotStore(), folder)).rejects.toMatchObject({ code: "CACHE_UNSAFE" });
  });
});
