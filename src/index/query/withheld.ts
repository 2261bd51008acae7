import { SCOPES_KNOWN } from "../../model/limits.ts";
import type { Target } from "../../model/query.ts";
import { compileGlobs } from "../../regex/glob.ts";
import { remember } from "../../regex/recent.ts";
import type { AskedFind, AskedScope } from "../ask.ts";
import type { Named } from "../name-list.ts";
import { pathFilter } from "../path-filter.ts";
import { type PathKey, pathOfKey } from "../path-key.ts";
import type { Tree } from "../tree.ts";
import type { UnlistedKind } from "../unlisted.ts";
import { nextBit } from "./bits.ts";
import { namePolicy } from "./name-policy.ts";
import { namedBy } from "./named-by.ts";
import { scopeFiles, scopeFolders } from "./scope-files.ts";
import { startOf } from "./scope-filter.ts";

/**
 * How many paths a session's policy withholds of a scope: those that ripgrep's walk would say it leaves out, the
 * top-most of them, and for names what it would list. The last few counts are remembered until a name comes or goes.
 * Kept by `keeper.ts`.
 */

type Known = Pick<Tree, "table" | "folders" | "unlisted">;

/** Only ripgrep can say. */
interface Unsure {
  readonly why: string;
}

const TOO_MUCH: Unsure = { why: "Too much is left out by ignore rules to count what is denied" };
const LINKS: Unsure = { why: "Only ripgrep says whether it leaves out links that are withheld" };

export class Withheld {
  readonly #tree: Known;
  #versions = "";
  #counts = new Map<string, number | Unsure>();

  constructor(tree: Known) {
    this.#tree = tree;
  }

  ofSearch(scope: AskedScope): number | Unsure {
    return this.#known(["search", scope], () =>
      sumOf(placesOf(scope), (place) => this.#leftOut(place, "search")),
    );
  }

  ofFind({ scope, kinds }: Pick<AskedFind, "scope" | "kinds">): number | Unsure {
    return this.#known([kinds, scope], () => sumOf(placesOf(scope), (place) => this.#listed(place, kinds)));
  }

  #known(asked: readonly [string, AskedScope], make: () => number | Unsure): number | Unsure {
    if (asked[1].withheld === undefined) return 0;
    const { table, folders, unlisted } = this.#tree;
    // What is unlisted is read when it is asked for.
    unlisted.kinds();
    const versions = [table.version, folders.version, unlisted.version].join(" ");
    if (versions !== this.#versions) this.#counts = new Map();
    this.#versions = versions;
    const key = JSON.stringify(asked);
    const count = this.#counts.get(key) ?? make();
    remember(this.#counts, key, count, SCOPES_KNOWN);
    return count;
  }

  #listed(place: AskedScope, kinds: AskedFind["kinds"]): number | Unsure {
    const counted = this.#leftIn(place, kinds);
    // Without globs ripgrep is not asked to say what it leaves out.
    if (place.withheld === undefined || place.withheld.deny.length === 0) return counted;
    const left = this.#leftOut(place, "find");
    return typeof left === "number" ? left + counted : left;
  }

  /** What the walk would list, and the policy withholds. */
  #leftIn(place: AskedScope, kinds: AskedFind["kinds"]): number {
    const { table, folders } = this.#tree;
    const open = { ...place, withheld: undefined };
    const countOf = (named: Named, scoped: typeof scopeFiles): number => {
      const count = scoped(open, named)?.count ?? named.byPath().length;
      return count - (scoped(place, named)?.count ?? count);
    };
    const files = kinds === "folders" ? 0 : countOf(table, scopeFiles);
    return files + (kinds === "files" ? 0 : countOf(folders, scopeFolders));
  }

  /** What the walk would say it leaves out, and the policy withholds. */
  #leftOut(place: AskedScope, asks: "search" | "find"): number | Unsure {
    const unlisted = this.#tree.unlisted.kinds();
    const [target] = place.targets;
    if (place.withheld === undefined || target === undefined) return 0;
    if (unlisted === null) return TOO_MUCH;
    const policy = namePolicy(place.withheld);
    const filter = pathFilter(place, place.targets);
    let count = 0;
    for (const { key, kind, isNamed } of leftOutBelow(startOf(target), place.exclude, this.#tree, unlisted)) {
      if (!policy.withholds(key, "file") && !policy.withholds(key, "folder")) continue;
      if (!isNamed && kind === "other") return LINKS;
      const { path } = pathOfKey(key);
      if (filter(path, "file")) count += 1;
      else if (asks === "find") count += filter(path, "folder") ? 1 : 0;
      // A search counts whatever may be a folder, where links lead too.
      else if (kind === "other") return LINKS;
      else if (kind === "folder") count += 1;
    }
    return count;
  }
}

interface LeftOut {
  readonly key: PathKey;
  readonly kind: UnlistedKind;
  /** A glob names it. What has no name of such may be left out by an ignore rule. */
  readonly isNamed: boolean;
}

/** What a walk meets in a folder and goes no further: what the globs name, and what is not in the tree. */
function* leftOutBelow(
  start: string,
  exclude: readonly string[],
  { table, folders }: Known,
  unlisted: ReadonlyMap<PathKey, UnlistedKind>,
): Generator<LeftOut> {
  const globs = compileGlobs(exclude, "path");
  const notEntered = new Set<PathKey>();
  const isEntered = (key: PathKey): boolean => {
    for (let end = key.indexOf("/", start.length); end !== -1; end = key.indexOf("/", end + 1)) {
      if (notEntered.has(key.slice(0, end))) return false;
    }
    return true;
  };
  // Those above come first.
  for (const key of namedBelow(start, exclude, folders, "folder")) {
    if (!isEntered(key)) continue;
    notEntered.add(key);
    yield { key, kind: "folder", isNamed: true };
  }
  for (const key of namedBelow(start, exclude, table, "file")) {
    if (isEntered(key)) yield { key, kind: "file", isNamed: true };
  }
  for (const [key, kind] of unlisted) {
    if (!key.startsWith(start) || !isEntered(key)) continue;
    yield { key, kind, isNamed: globs.matchesBytes(key, kind === "folder" ? "folder" : "file") };
  }
}

/** Those below a folder that a glob names, by path. */
function* namedBelow(
  start: string,
  globs: readonly string[],
  named: Named,
  kind: "file" | "folder",
): Generator<PathKey> {
  const entries = named.byPath();
  const marked = namedBy(globs, named, kind, named.range(start));
  for (let at = nextBit(marked, 0); at !== -1; at = nextBit(marked, at + 1)) {
    const key = entries[at]?.key;
    if (key !== undefined) yield key;
  }
}

/** Each folder that is walked, with what is wanted of it: ripgrep goes through every one by itself, and counts so. */
function placesOf(scope: AskedScope): readonly AskedScope[] {
  const byPath = new Map<string, Target[]>();
  for (const target of scope.targets) byPath.set(target.path, [...(byPath.get(target.path) ?? []), target]);
  return Array.from(byPath.values(), (targets) => ({ ...scope, targets }));
}

function sumOf<T>(items: readonly T[], count: (item: T) => number | Unsure): number | Unsure {
  let sum = 0;
  for (const item of items) {
    const more = count(item);
    if (typeof more !== "number") return more;
    sum += more;
  }
  return sum;
}
