/** What is remembered of the files of a tree, against the same tree looked at for the first time. */
import {
  type Arbitrary,
  array,
  assert,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  string,
} from "fast-check";
import { expect, test } from "vitest";
import type { AskedScope } from "../../src/index/ask.ts";
import type { Entry } from "../../src/index/entry.ts";
import { FileTable } from "../../src/index/file-table.ts";
import { FolderSet } from "../../src/index/folder-set.ts";
import { nameText } from "../../src/index/name-list.ts";
import { countBits, hasBit } from "../../src/index/query/bits.ts";
import { scopeFiles, scopeFolders } from "../../src/index/query/scope-files.ts";
import { scopeFilter } from "../../src/index/query/scope-filter.ts";
import { ORDER_SPLICED } from "../../src/model/limits.ts";
import { compileGlobs } from "../../src/regex/glob.ts";
import { comparePaths } from "../../src/workspace/path-order.ts";

const NAMES = [
  "a.c",
  "b.c",
  "a.h",
  "Makefile",
  "Make.file",
  "Kconfig.usb",
  "Kconf.usb",
  "usb",
  "usb2",
  "x",
  ".c",
  "c",
];
const FOLDERS = ["", "d/", "d/e/", "d.x/", "node_modules/", "e/node_modules/d/"];
const BEGIN = FOLDERS.flatMap((folder) => NAMES.map((name) => folder + name));

const name = oneof(
  { weight: 4, arbitrary: constantFrom(...NAMES) },
  string({ minLength: 1, maxLength: 3, unit: constantFrom("a", ".", "c", "\xe9", "\n", "-") }),
);
const path = array(constantFrom("d", "e", "node_modules", "a.c", "d.x"), { maxLength: 3 }).chain((folders) =>
  name.map((last) => [...folders, last].join("/")),
);

interface Step {
  /** `remove`: one of those that are there. */
  readonly op: "put" | "remove" | "many";
  readonly path: string;
  readonly at: number;
  readonly mtimeMs: number;
}

const step: Arbitrary<Step> = record({
  op: oneof(
    { weight: 6, arbitrary: constantFrom<Step["op"]>("put") },
    { weight: 6, arbitrary: constantFrom<Step["op"]>("remove") },
    constantFrom<Step["op"]>("many"),
  ),
  path,
  at: nat(),
  mtimeMs: integer({ min: 0, max: 5 }),
});

const glob = constantFrom(
  ..."*.c *.h **/Makefile Kconfig* *usb* *.[ch] ?.c *.{c,h} *.{c,h,usb} {Makefile,x,usb} *config.usb K*.usb Kcon*fig.usb usb? **/usb2 d/*.c /*.c **/d/**/*.c d/** ** * *a*.* [!a]* x a/ d.* *.x e/ **/e/** [0-9]*".split(
    " ",
  ),
);
const globs = array(glob, { maxLength: 2 });
const scope = record({
  targets: oneof(
    constantFrom([{ path: ".", kind: "folder" as const, glob: null }]),
    array(
      record({
        path: constantFrom(".", "d", "d/e", "node_modules"),
        kind: constantFrom("folder" as const),
        glob: oneof(constantFrom(null), glob),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  ),
  include: globs,
  includeNames: constantFrom(true, false),
  exclude: oneof(
    { weight: 3, arbitrary: constantFrom<string[]>([]) },
    array(constantFrom("node_modules", "d/", "a.c", "e/*")),
  ),
  names: globs,
  maxFileSize: constantFrom(null),
});

function take(table: FileTable, files: Map<string, number>, { op, path: key, at, mtimeMs }: Step): void {
  if (op === "remove") {
    const gone = [...files.keys()][at % files.size] ?? key;
    table.remove(gone);
    files.delete(gone);
    return;
  }
  const many = Array.from({ length: ORDER_SPLICED }, (_, at) => `${key}/${at}.c`);
  for (const one of op === "many" ? many : [key]) {
    table.put(one, { size: 1, mtimeMs, ctimeMs: 1, ino: 1 }, false);
    files.set(one, mtimeMs);
  }
}

function tableOf(files: ReadonlyMap<string, number>): FileTable {
  const table = new FileTable();
  for (const [key, mtimeMs] of files) table.put(key, { size: 1, mtimeMs, ctimeMs: 1, ino: 1 }, false);
  return table;
}

const keysOf = (entries: readonly Entry[]): string[] => entries.map(({ key }) => key);

/** By one test after the other for each file, as ripgrep has it. */
function wantedOf(asked: AskedScope, files: ReadonlyMap<string, number>): string[] {
  const named = testOf(asked.names, "name");
  const included = testOf(asked.include, asked.includeNames ? "name" : "path");
  const places = asked.targets.map(({ path: place, glob: below }) => ({
    start: place === "." ? "" : `${place}/`,
    below: testOf(below === null ? [] : [below], "path"),
  }));
  const excluded = compileGlobs(asked.exclude, "path");
  const isOut = (start: string, rest: string): boolean => {
    const names = rest.split("/");
    return names.some((_, at) =>
      excluded.matchesBytes(
        start + names.slice(0, at + 1).join("/"),
        at + 1 < names.length ? "folder" : "file",
      ),
    );
  };
  const isIn = (key: string): boolean =>
    places.some(({ start, below }) => {
      const rest = key.slice(start.length);
      return key.startsWith(start) && below(rest) && !isOut(start, rest);
    });
  return [...files.keys()].filter((key) => named(key) && included(key) && isIn(key)).sort(comparePaths);
}

/** Any will do where there are no globs. */
function testOf(list: readonly string[], against: "path" | "name"): (key: string) => boolean {
  const set = compileGlobs(list, against);
  return (key) => list.length === 0 || set.matchesBytes(key, "file");
}

function foundOf(asked: AskedScope, table: FileTable): string[] {
  const found = scopeFiles(asked, table);
  const entries = table.byPath();
  if (found === null) return keysOf(entries);
  expect(found.count).toBe(countBits(found.ranks));
  return keysOf(entries.filter(({ rank }) => hasBit(found.ranks, rank)));
}

test("The files of a scope are those that its filter lets through, whatever came and went before", () => {
  let found = 0;
  assert(
    property(
      array(record({ steps: array(step, { maxLength: 4 }), asked: scope }), { minLength: 2, maxLength: 6 }),
      array(scope, { minLength: 1, maxLength: 3 }),
      (rounds, again) => {
        const files = new Map(BEGIN.map((key, at) => [key, at % 7]));
        const table = tableOf(files);
        for (const { steps, asked } of rounds) {
          for (const one of steps) take(table, files, one);
          for (const question of [asked, ...again]) {
            const wanted = wantedOf(question, files);
            expect(foundOf(question, table)).toEqual(wanted);
            found += wanted.length;
          }
        }
      },
    ),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(20_000);
});

test("Files have the order, places and names that they have in a table made anew", () => {
  assert(
    property(array(array(step, { maxLength: 5 }), { minLength: 1, maxLength: 8 }), (rounds) => {
      const files = new Map(BEGIN.map((key, at) => [key, at % 7]));
      const table = tableOf(files);
      for (const steps of rounds) {
        for (const one of steps) take(table, files, one);
        const fresh = tableOf(files);
        expect(keysOf(table.byPath())).toEqual([...files.keys()].sort(comparePaths));
        expect(keysOf(table.byAge())).toEqual(keysOf(fresh.byAge()));
        expect(table.byPath().map(({ rank }) => rank)).toEqual([...table.byPath().keys()]);
        expect(table.byAge().map(({ age }) => age)).toEqual([...table.byAge().keys()]);
        expect(table.names()).toEqual(fresh.names());
      }
    }),
    { numRuns: 300 },
  );
});

test("The folders of a scope are those that its filter lets through, whatever came and went before", () => {
  const key = array(constantFrom("d", "e", "a.c", "d.x", "usb2", "\xe9"), { minLength: 1, maxLength: 3 });
  const folderStep = record({
    comes: constantFrom(true, true, false),
    key: key.map((names) => names.join("/")),
  });
  let found = 0;
  assert(
    property(
      array(record({ steps: array(folderStep, { maxLength: 6 }), asked: scope }), {
        minLength: 2,
        maxLength: 6,
      }),
      (rounds) => {
        const there = new Set(["d", "d/e", "d.x", "usb2"]);
        const folders = new FolderSet();
        folders.replace(there, []);
        for (const { steps, asked } of rounds) {
          const added: boolean[] = [];
          for (const { comes, key } of steps) {
            const above = key.includes("/") ? key.slice(0, key.lastIndexOf("/")) : "";
            // Those above come first, and what is below goes with them.
            if (comes && (above === "" || there.has(above))) there.add(key);
            if (comes) {
              added.push(folders.add(key, new Set()) === there.has(key));
              continue;
            }
            folders.remove(new Set([key]));
            for (const one of there) if (`${one}/`.startsWith(`${key}/`)) there.delete(one);
          }
          expect(added).not.toContain(false);
          const all = [...there].sort(comparePaths);
          expect(folders.byPath().map((folder) => folder.key)).toEqual(all);
          expect(folders.names()).toEqual(nameText(folders.byPath()));
          const wants = scopeFilter(asked);
          const wanted = all.filter((one) => wants(one, "folder"));
          const told = scopeFolders(asked, folders);
          expect(told === null ? all : all.filter((_, at) => hasBit(told.ranks, at))).toEqual(wanted);
          expect(told?.count ?? all.length).toBe(wanted.length);
          found += wanted.length;
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(found).toBeGreaterThan(2_000);
});

test("A list that was handed out stays as it was", () => {
  const table = tableOf(
    new Map([
      ["a", 1],
      ["c", 1],
    ]),
  );
  const before = table.byPath();
  table.put("b", { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 }, false);
  expect(keysOf(table.byPath())).toEqual(["a", "b", "c"]);
  expect(keysOf(before)).toEqual(["a", "c"]);
  const [old, listed] = [table.get("a"), table.byPath()];
  const now = table.put("a", { size: 2, mtimeMs: 2, ctimeMs: 2, ino: 1 }, false);
  expect(listed[0]).toBe(old);
  expect(table.byPath()[0]).toBe(now);
  expect(keysOf(table.byAge())).toEqual(["a", "b", "c"]);
});
