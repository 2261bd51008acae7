/**
 * Requests at random, over every option that changes an answer. Options are drawn with the pattern's own file in
 * mind, so that most searches find something.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { FindRequest } from "../../src/quarry.ts";
import { escapeGlob, globFor, nameGlobFor } from "./globs.ts";
import type { SearchCase } from "./oracle.ts";
import { drawnPattern } from "./patterns.ts";
import type { Place, Scope, ScopeRequest } from "./scope.ts";
import type { Tree } from "./tree.ts";

export interface FindCase extends Scope {
  readonly request: ScopeRequest & Omit<FindRequest, "paths">;
}

export function searchCase(tree: Tree): fc.Arbitrary<SearchCase> {
  return drawnPattern(tree.files).chain(({ path, request, meaning }) =>
    fc
      .record({
        scope: fc.oneof(scope(tree, path), { weight: 2, arbitrary: easyScope(tree, path) }),
        answer: answerOptions,
      })
      .map(({ scope, answer }) => ({
        places: scope.places,
        request: { ...scope.request, ...answer, ...request },
        pattern: meaning,
      })),
  );
}

export function findCase(tree: Tree): fc.Arbitrary<FindCase> {
  const options = sometimes({
    kinds: [2, fc.constantFrom("all", "files", "folders")],
    order: [2, fc.constantFrom("path", "mtime", "none")],
    limit: [4, fc.integer({ min: 1, max: 30 })],
    skip: [4, fc.nat(10)],
  });
  return fc.record({ scope: scope(tree, null), options }).map(({ scope, options }) => ({
    places: scope.places,
    request: { ...scope.request, ...withoutPageWhenUnordered(options) },
  }));
}

const answerOptions = sometimes({
  before: [3, fc.nat(4)],
  after: [3, fc.nat(4)],
  mode: [2, fc.constantFrom("content", "files", "count")],
  order: [3, fc.constantFrom("path", "mtime", "none")],
  binary: [4, fc.constantFrom("ripgrep", "first-bytes")],
  reportBinary: [4, fc.boolean()],
  maxFiles: [5, fc.integer({ min: 1, max: 8 })],
  skipFiles: [8, fc.nat(2)],
  maxMatches: [5, fc.integer({ min: 1, max: 30 })],
  maxPerFile: [5, fc.integer({ min: 1, max: 5 })],
} as const).map(withoutPageWhenUnordered);

/** Which files come first is open when no order is asked for. */
function withoutPageWhenUnordered<T extends { readonly order?: unknown }>(options: T): T {
  if (options.order !== "none") return options;
  return without(options, ["maxFiles", "skipFiles", "maxMatches", "limit", "skip"]);
}

/** Where the path is sure to be looked at, if the ignore rules leave it. */
function easyScope(tree: Tree, path: string): fc.Arbitrary<Scope> {
  const options = sometimes({
    include: [
      4,
      fc.constantFrom(escapeGlob(path), `**/${escapeGlob(path.slice(path.lastIndexOf("/") + 1))}`),
    ],
    ignore: [2, fc.constantFrom("everywhere", "off", "off", "off")],
    follow: [4, fc.boolean()],
  } as const);
  return options.map((options) => ({ places: [ROOT_PLACE], request: { root: tree.root, ...options } }));
}

/** Where to look. With a path in mind, that path is usually among it. */
function scope(tree: Tree, path: string | null): fc.Arbitrary<Scope> {
  const some =
    path === null ? anyPath(tree) : fc.oneof({ weight: 4, arbitrary: fc.constant(path) }, anyPath(tree));
  return fc
    .record({
      root: fc.oneof({ weight: 3, arbitrary: fc.constant(tree.root) }, fc.constant(tree.bare)),
      names: fc.boolean(),
      near: some,
    })
    .chain(({ root, names, near }) =>
      fc
        .record({
          places: places(tree, root, near),
          options: sometimes({
            include: [5, few((names ? nameGlobFor : globFor)(near), some.chain(globFor))],
            exclude: [
              6,
              few(
                anyPath(tree)
                  .chain(names ? nameGlobFor : globFor)
                  .filter((glob) => glob !== "*"),
              ),
            ],
            globsMatchNames: [names ? 1 : 9, fc.constant(names)],
            types: [11, few(fc.constantFrom("ts", "js", "md", "json", "txt", "css", "all"))],
            typeGlobs: [10, few(nameGlobFor(near), some.chain(nameGlobFor))],
            skipFolders: [
              6,
              few(fc.constantFrom("lib", "node_modules", "docs", "[id]", "日本", "enc", "a b", "up")),
            ],
            ignore: [2, fc.constantFrom("on", "everywhere", "off")],
            hidden: [4, fc.boolean()],
            follow: [3, fc.boolean()],
            maxFileSize: [8, fc.constantFrom(0, 300, 900, 2_000, 20_000, 20_000, 1_000_000)],
          } as const),
        })
        .map(({ places, options }) => ({ places, request: { root, ...options } })),
    );
}

function anyPath(tree: Tree): fc.Arbitrary<string> {
  return fc.constantFrom(...tree.files.map(({ path }) => path));
}

const ROOT_PLACE: Place = { given: ".", kind: "folder", path: ".", glob: null };

function places(tree: Tree, root: string, near: string): fc.Arbitrary<Place[]> {
  const place = onePlace(tree, root, near);
  const several = fc
    .array(fc.oneof({ weight: 5, arbitrary: place }, missing), { minLength: 1, maxLength: 4 })
    .filter((places) => places.some(({ kind }) => kind !== "missing"));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<Place[]>([ROOT_PLACE]) },
    { weight: 2, arbitrary: place.map((place): Place[] => [place]) },
    { weight: 3, arbitrary: several },
  );
}

const missing: fc.Arbitrary<Place> = fc
  .constantFrom("nope", "src/nope.ts", "nope/*.ts", "README.md/x", "dangling")
  .map((given) => ({ given, kind: "missing", path: given, glob: null }));

/** A file or folder under one of the ways to write it, or a folder with a glob. */
function onePlace(tree: Tree, root: string, near: string): fc.Arbitrary<Place> {
  const folders = [".", ...tree.folders, "src/link to docs", "to-build", "loop"];
  const files = [...tree.files.map(({ path }) => path), "link.ts", near];
  const parent = near.slice(0, Math.max(0, near.lastIndexOf("/"))) || ".";
  const folder = fc.oneof(fc.constant(parent), fc.constantFrom(...folders));
  const path = fc.oneof({ weight: 2, arbitrary: folder }, fc.constantFrom(...files), fc.constant(near));
  return fc
    .record({
      path,
      folder,
      glob: placeGlob(near),
      kind: fc.constantFrom("path", "path", "glob"),
      way: fc.nat(5),
    })
    .map(({ path, folder, glob, kind, way }) =>
      kind === "path" ? asPath(tree, root, path, way) : asGlob(root, folder, glob, way),
    )
    .filter((place) => place !== null);
}

function asPath(tree: Tree, root: string, path: string, way: number): Place | null {
  const other = root === tree.root ? tree.bare : tree.root;
  // An absolute path into the other tree lies outside the root.
  const base = way === 4 ? other : root;
  const there = join(base, path);
  if (!existsSync(there)) return null;
  const kind = statSync(there).isDirectory() ? "folder" : "file";
  const slash = kind === "folder" && way === 2 ? "/" : "";
  const given = [path, `./${path}`, `${path}${slash}`, there, there, `src/../${path}`][way] ?? path;
  return { given, kind, path: way === 4 ? there : path, glob: null };
}

function asGlob(root: string, folder: string, glob: string, way: number): Place | null {
  if (!existsSync(join(root, folder))) return null;
  const bare = folder === "." && way < 3;
  const prefix = bare ? "" : [`${folder}/`, `./${folder}/`, `${join(root, folder)}/`][way % 3];
  const given = `${prefix}${glob}`;
  // What is there by that name is a path.
  if (existsSync(join(root, folder, glob))) return null;
  return { given, kind: "folder", path: folder, glob: bare || glob.includes("/") ? glob : `/${glob}` };
}

/** Each starts with a segment that is no name on disk, so that the folder before it is where the glob is anchored. */
function placeGlob(near: string): fc.Arbitrary<string> {
  const name = near.slice(near.lastIndexOf("/") + 1);
  const extension = /\.\w+$/.exec(name)?.[0] ?? ".ts";
  return fc.constantFrom(
    `*${extension}`,
    `**/*${extension}`,
    `**/${escapeGlob(name)}`,
    "*",
    "**",
    "*/*",
    "*/*.ts",
    "{code,more,index,guide}.*",
    "[a-m]*",
    `**/{x,*${extension}}`,
    "*.{ts,md}",
  );
}

/** The same options but these. */
export function without<T extends object>(options: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name))) as T;
}

function few<T>(...arbitraries: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T[]> {
  return fc.array(fc.oneof(...arbitraries), { minLength: 1, maxLength: 2 });
}

type Drawn<T> = { [K in keyof T]?: T[K] extends readonly [number, fc.Arbitrary<infer V>] ? V : never };

/** A record of options, each given in one of so many cases. */
function sometimes<const T extends Record<string, readonly [number, fc.Arbitrary<unknown>]>>(
  options: T,
): fc.Arbitrary<Drawn<T>> {
  const drawn = Object.entries(options).map(([name, [rarity, value]]) =>
    fc.oneof(
      { weight: rarity - 1, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: value.map((value) => ({ [name]: value })) },
    ),
  );
  return fc.tuple(...drawn).map((parts) => Object.assign({}, ...parts) as Drawn<T>);
}
