import { array, assert, integer, property, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Conflict } from "../../src/model/conflict.ts";
import { ConflictList } from "../../src/workspace/conflict-list.ts";

function region(start: number, base: number | null = null): Conflict {
  const middle = start + 4;
  return {
    start,
    base,
    middle,
    end: start + 6,
    size: 7,
    oursName: "a",
    theirsName: "b",
    baseName: base === null ? null : "c",
  };
}

function ids(list: readonly { readonly id: number }[]): number[] {
  return list.map(({ id }) => id);
}

describe("The list of conflicts", () => {
  it("counts from 1 over all files", () => {
    const list = new ConflictList();
    expect(ids(list.list("/a", "a", "h1", [region(1), region(10)]))).toEqual([1, 2]);
    expect(ids(list.list("/b", "b", "h1", [region(1)]))).toEqual([3]);
    expect(list.find(2)).toEqual({ id: 2, path: "/a", label: "a", hash: "h1", region: region(10) });
    expect(list.find(4)).toBeNull();
    expect(list.ids()).toEqual([1, 2, 3]);
  });

  it("gives the same region of the same content the same id", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1), region(10)]);
    expect(ids(list.list("/a", "./a", "h1", [region(1), region(10)]))).toEqual([1, 2]);
    expect(list.find(1)?.label).toBe("./a");
  });

  it("never gives an id twice, and lets go of those of another content", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1), region(10)]);
    expect(ids(list.list("/a", "a", "h2", [region(1)]))).toEqual([3]);
    expect(list.find(1)).toBeNull();
    expect(list.find(2)).toBeNull();
    expect(ids(list.list("/a", "a", "h1", [region(1), region(10)]))).toEqual([4, 5]);
  });

  it("follows our own changes", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1), region(10, 12), region(20)]);
    // The first is resolved by one line, and two lines come in before the last.
    list.moved("/a", "h1", "h2", (line) => (line <= 7 ? null : line < 18 ? line - 6 : line - 4));
    expect(list.find(1)).toBeNull();
    expect(list.find(2)).toMatchObject({ hash: "h2", region: { start: 4, base: 6, middle: 8, end: 10 } });
    expect(list.find(3)).toMatchObject({ hash: "h2", region: { start: 16, middle: 20, end: 22 } });
    expect(ids(list.list("/a", "a", "h2", [region(4, 6), region(16)]))).toEqual([2, 3]);
  });

  it("keeps a region whose text was changed between its marks", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1)]);
    list.moved("/a", "h1", "h2", (line) => (line === 2 ? null : line > 2 ? line + 3 : line));
    expect(list.find(1)?.region).toMatchObject({ start: 1, middle: 8, end: 10 });
  });

  it.each([1, 3, 5, 7])("lets go of a region whose mark on line %i was changed", (gone) => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1, 3)]);
    list.moved("/a", "h1", "h2", (line) => (line === gone ? null : line));
    expect(list.find(1)).toBeNull();
  });

  it("lets go of a region whose marks are no longer in order", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1), region(11, 13)]);
    list.moved("/a", "h1", "h2", (line) => 20 - line);
    expect(list.ids()).toEqual([]);
  });

  it("does not move what was listed of another content than the one that was changed", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h1", [region(1)]);
    list.moved("/b", "h1", "h2", () => null);
    expect(list.find(1)?.hash).toBe("h1");
    list.moved("/a", "other", "h2", (line) => line);
    expect(list.find(1)).toBeNull();
  });

  it("picks those that a URL names, and tells what is listed where one is not", () => {
    const list = new ConflictList();
    expect(() => list.pick("all")).toThrowError(
      expect.objectContaining({ code: "CONFLICT_NOT_FOUND", message: "No conflict is listed" }),
    );
    list.list("/a", "a", "h1", [region(1), region(10), region(20)]);
    list.moved("/a", "h1", "h2", (line) => (line >= 10 && line < 20 ? null : line));
    expect(ids(list.pick("all"))).toEqual([1, 3]);
    expect(ids(list.pick([3]))).toEqual([3]);
    expect(() => list.pick([1, 2, 4])).toThrowError(
      expect.objectContaining({
        code: "CONFLICT_NOT_FOUND",
        message: "No conflict 2, 4 is listed, or it is resolved",
        hint: "Listed are 1,3; read FILE:conflicts lists those of a file",
      }),
    );
  });

  it("keeps within its bound: the file listed longest ago goes first", () => {
    const list = new ConflictList(3);
    list.list("/a", "a", "h", [region(1), region(10)]);
    list.list("/b", "b", "h", [region(1)]);
    list.list("/a", "a", "h", [region(1), region(10)]);
    expect(ids(list.list("/c", "c", "h", [region(1)]))).toEqual([4]);
    expect(list.ids()).toEqual([1, 2, 4]);
    expect(
      ids(
        list.list(
          "/d",
          "d",
          "h",
          [1, 10, 20, 30].map((at) => region(at)),
        ),
      ),
    ).toEqual([5, 6, 7]);
    expect(list.ids()).toEqual([5, 6, 7]);
  });

  it("comes back as it was saved, through JSON, and counts on", () => {
    const list = new ConflictList();
    list.list("/a", "a", "h", [region(1), region(10, 12)]);
    list.list("/b", "b", "h", [region(1)]);
    list.forget("/b");
    const back = new ConflictList();
    back.restore(JSON.parse(JSON.stringify(list.saved())) as ReturnType<ConflictList["saved"]>);
    expect(back.find(2)).toEqual(list.find(2));
    expect(back.ids()).toEqual([1, 2]);
    expect(ids(back.list("/c", "c", "h", [region(1)]))).toEqual([4]);
  });

  it("follows any deletion of lines as the lines themselves would", () => {
    assert(
      property(
        array(integer({ min: 1, max: 3 }), { maxLength: 6 }),
        uniqueArray(integer({ min: 1, max: 60 })),
        (gaps, gone) => {
          let at = 1;
          const regions = gaps.map((gap) => {
            at += gap + 7;
            return region(at - 7);
          });
          const list = new ConflictList();
          const before = list.list("/a", "a", "h1", regions);
          const map = (line: number): number | null =>
            gone.includes(line) ? null : line - gone.filter((other) => other < line).length;
          list.moved("/a", "h1", "h2", map);
          for (const { id, region } of before) {
            const marks = [region.start, region.middle, region.end].map(map);
            const now = list.find(id)?.region;
            expect(now === undefined ? null : [now.start, now.middle, now.end]).toEqual(
              marks.includes(null) ? null : marks,
            );
          }
        },
      ),
    );
  });
});
