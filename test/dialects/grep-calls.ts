/**
 * Calls of grep at random, over every field of both dialects, with the file in mind that the pattern was drawn from, so
 * that most of them find something. Each carries what it means, so that no oracle need read it as we do.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { nameGlobFor } from "../differential/globs.ts";
import { MORE_LINKS } from "./grep-tree.ts";
import { type DrawnPattern, drawnPattern, escaped } from "../differential/patterns.ts";
import type { PlantedFile, Tree } from "../differential/tree.ts";

export type Mode = "content" | "files_with_matches" | "count";

export interface GrepCall {
  readonly root: string;
  /** As it is given, and as ripgrep understands it. */
  readonly pattern: string;
  readonly meaning: DrawnPattern["meaning"];
  readonly insensitive: boolean | undefined;
  readonly multiline: boolean | undefined;
  readonly place: Place;
  readonly globs: readonly string[];
  /** Globs of what is left out, without their marks. */
  readonly notGlobs: readonly string[];
  /** What stands between two globs. */
  readonly between: string;
  readonly type: string | undefined;
  readonly mode: Mode | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly context: number | undefined;
  /** The other name of the field, where it has one. */
  readonly other: boolean;
  readonly lineNumbers: boolean | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export interface Place {
  /** Undefined: the root. */
  readonly given: string | undefined;
  readonly kind: "file" | "folder";
  /** Relative to the root. */
  readonly path: string;
}

export interface CallRules {
  readonly tree: Tree;
  /** Paths that the dialect searches. */
  readonly searched: ReadonlySet<string>;
  readonly globs: (path: string) => fc.Arbitrary<string>;
  readonly types: readonly string[];
}

export function grepCall(rules: CallRules): fc.Arbitrary<GrepCall> {
  const { tree, searched } = rules;
  const seen = tree.files.filter(({ path }) => searched.has(path));
  const drawn = fc.oneof(
    { weight: 9, arbitrary: drawnPattern(seen) },
    drawnPattern(tree.files),
    dashes(seen),
  );
  return drawn.chain(({ path, request, meaning }) => {
    const literal = request.literal === true;
    const anyPath = fc.constantFrom(...tree.files.map((file) => file.path));
    const root = fc.oneof({ weight: 4, arbitrary: fc.constant(tree.root) }, fc.constant(tree.bare));
    return root.chain((root) =>
      fc.record({
        root: fc.constant(root),
        pattern: fc.constant(literal ? escaped(request.pattern) : request.pattern),
        meaning: fc.constant({ ...meaning, text: literal ? escaped(meaning.text) : meaning.text }),
        insensitive: request.case === "insensitive" ? fc.constant(true) : sometimes(3, fc.boolean()),
        multiline: request.multiline === true ? fc.constant(true) : sometimes(3, fc.boolean()),
        place: fc.oneof({ weight: 3, arbitrary: ROOT }, placeOf(tree, root, path)),
        globs: sometimes(
          3,
          globList(fc.oneof({ weight: 6, arbitrary: rules.globs(path) }, anyPath.chain(rules.globs))),
        ).map((globs) => globs ?? []),
        notGlobs: sometimes(
          8,
          globList(anyPath.chain(nameGlobFor).filter((glob) => !/^\*?$|^\[!/.test(glob))),
        ).map((globs) => globs ?? []),
        between: fc.constantFrom(" ", ",", ", ", "  ", "\t"),
        type: sometimes(
          8,
          fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom(...typesOf(path, rules.types)) },
            fc.constantFrom(...rules.types),
          ),
        ),
        mode: sometimes(1.3, fc.constantFrom("content", "content", "content", "count", "files_with_matches")),
        before: sometimes(4, fc.constantFrom(0, 1, 2, 5)),
        after: sometimes(4, fc.constantFrom(0, 1, 3, 30)),
        context: sometimes(5, fc.constantFrom(0, 1, 2, 7)),
        other: fc.boolean(),
        lineNumbers: sometimes(3, fc.boolean()),
        limit: sometimes(2, fc.constantFrom(0, 1, 2, 3, 5, 8, 20, 100)),
        offset: sometimes(3, fc.constantFrom(0, 0, 1, 1, 1, 2, 5, 40)),
      } satisfies { [K in keyof GrepCall]: fc.Arbitrary<GrepCall[K]> }),
    );
  });
}

const ROOT: fc.Arbitrary<Place> = fc.constant({ given: undefined, kind: "folder", path: "." });

/** Patterns that a program could take for a flag. */
function dashes(files: readonly PlantedFile[]): fc.Arbitrary<DrawnPattern> {
  return fc
    .record({
      pattern: fc.constantFrom("-", "--", "-->", "->", "-n", "--files", "-e", "- ", "-\\w+"),
      file: fc.constantFrom(...files),
    })
    .map(({ pattern, file: { path } }) => ({
      path,
      request: { pattern },
      meaning: { text: pattern, pcre2: false, multiline: false },
    }));
}

/** A folder or file under one of the ways to write it. */
function placeOf(tree: Tree, root: string, near: string): fc.Arbitrary<Place> {
  const parents = near.split("/").map((_, at, names) => names.slice(0, at).join("/") || ".");
  const links = [
    "src/link to docs",
    "to-build",
    "loop",
    "link.ts",
    "docs/up",
    ...MORE_LINKS.map(([path]) => path),
  ];
  const any = [...tree.folders, ...tree.files.map(({ path }) => path), ...links];
  return fc
    .record({
      path: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...parents) },
        { weight: 3, arbitrary: fc.constant(near) },
        { weight: 1, arbitrary: fc.constantFrom(...any) },
      ),
      way: fc.nat(4),
    })
    .filter(({ path }) => existsSync(join(root, path)))
    .map(({ path, way }) => {
      const kind = statSync(join(root, path)).isDirectory() ? "folder" : "file";
      const slash = kind === "folder" ? "/" : "";
      const given = [path, `./${path}`, `${path}${slash}`, join(root, path), `src/../${path}`][way] ?? path;
      return { given, kind, path };
    });
}

/** Without what would part them: blanks, and commas outside braces. */
function globList(glob: fc.Arbitrary<string>): fc.Arbitrary<string[]> {
  const whole = glob.filter((text) => !/\s|,(?![^{]*\})|\\[{}]|^!/.test(text));
  return fc.array(whole, { minLength: 1, maxLength: 3 });
}

function typesOf(path: string, types: readonly string[]): readonly string[] {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return types.includes(extension) ? [extension] : ["ts"];
}

/** Given in one of so many cases. */
function sometimes<T>(rarity: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: Math.round(10 * (rarity - 1)), arbitrary: fc.constant(undefined) },
    { weight: 10, arbitrary: value },
  );
}

/** The flags that say what matches. */
export function matchFlags({ meaning, insensitive, multiline }: GrepCall): string[] {
  return [
    ...(insensitive === true ? ["-i"] : []),
    ...(meaning.pcre2 ? ["-P"] : []),
    ...(multiline === true || meaning.multiline ? ["-U", "--multiline-dotall"] : []),
    "-e",
    meaning.text,
  ];
}

export function isMultiline({ meaning, multiline }: GrepCall): boolean {
  return multiline === true || meaning.multiline;
}

/** The fields that were given. */
export function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
