/**
 * The law of the feed: whatever is done to a tree, a copy of it that is kept up by what is told alone is like the tree
 * after each look. Writes through another hard link raise no event and are left out: whoever uses the feed
 * looks at files with several links.
 */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Arbitrary,
  array,
  asyncProperty,
  constantFrom,
  type IAsyncProperty,
  oneof,
  record,
  tuple,
} from "fast-check";
import type { OpenBarrier } from "../../src/index/feed/barrier.ts";
import type { Changes } from "../../src/index/feed/changes.ts";
import { openFeed } from "../../src/index/feed/feed.ts";
import type { PathKey } from "../../src/index/path-key.ts";
import { snapshot } from "./feed-ground.ts";

type Snapshot = ReadonlyMap<PathKey, string>;

/** What is done, at a tree and at a place beside it. */
interface Deed {
  readonly kind: (typeof KINDS)[number];
  readonly path: string;
  readonly other: string;
}

const KINDS = [
  "folders",
  "write",
  "nested write",
  "append",
  "truncate",
  "delete",
  "delete all",
  "move",
  "move out",
  "move in",
  "replace",
  "link",
  "mode",
] as const;

const name: Arbitrary<string> = constantFrom("a", "b", "c");
const path: Arbitrary<string> = oneof(
  name,
  tuple(name, name).map((names) => names.join("/")),
  tuple(name, name, name).map((names) => names.join("/")),
);
const deeds: Arbitrary<Deed[]> = array(record({ kind: constantFrom(...KINDS), path, other: path }), {
  minLength: 1,
  maxLength: 8,
});

let content = 0;

/** Does what the system lets be done. */
function perform(root: string, outside: string, { kind, path, other }: Deed): void {
  const place = join(root, path);
  const acts: Readonly<Record<Deed["kind"], () => void>> = {
    folders: () => mkdirSync(place, { recursive: true }),
    write: () => writeFileSync(place, `${content++ % 10}`),
    "nested write"() {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "deep"), `${content++ % 10}`);
    },
    append: () => appendFileSync(place, "more"),
    truncate: () => truncateSync(place, 0),
    delete: () => unlinkSync(place),
    "delete all": () => rmSync(place, { recursive: true }),
    move: () => renameSync(place, join(root, other)),
    "move out": () => renameSync(place, join(outside, other.replaceAll("/", "-"))),
    "move in": () => renameSync(join(outside, other.replaceAll("/", "-")), place),
    replace() {
      rmSync(place, { recursive: true });
      mkdirSync(join(place, "a"), { recursive: true });
      writeFileSync(join(place, "a/b"), `${content++ % 10}`);
    },
    link: () => symlinkSync(other, place),
    mode: () => chmodSync(place, content++ % 2 === 0 ? 0o700 : 0o750),
  };
  try {
    acts[kind]();
  } catch {
    // Nothing there to do it to.
  }
}

/** A round: deeds before a look, deeds while it goes on. */
const rounds: Arbitrary<[Deed[], Deed[]][]> = array(tuple(deeds, deeds), { minLength: 1, maxLength: 6 });

export function nothingIsMissed(barrier?: OpenBarrier): IAsyncProperty<[[Deed[], Deed[]][]]> {
  return asyncProperty(rounds, async (rounds) => {
    const base = mkdtempSync(join(tmpdir(), "quarry-law-"));
    const [root, outside, cookies] = ["root", "outside", "cookies"].map((name) => join(base, name));
    if (root === undefined || outside === undefined || cookies === undefined) return;
    for (const folder of [root, outside, cookies]) mkdirSync(folder);
    const feed = await openFeed({
      root,
      cookies,
      enters: () => true,
      ...(barrier === undefined ? {} : { barrier }),
    });
    const look = async (): Promise<Changes> => {
      await feed.settle();
      return feed.take();
    };
    try {
      const mirror = snapshot(root);
      for (const [before, meanwhile] of rounds) {
        for (const deed of before) perform(root, outside, deed);
        const asked = snapshot(root);
        const looking = look();
        for (const deed of meanwhile) perform(root, outside, deed);
        const now = snapshot(root);
        follow(mirror, await looking, now);
        // What happened after the call may be told by it or by the next.
        const settled = [...asked].filter(([key, state]) => now.get(key) === state);
        expectEqual(mirror, new Map(settled), (key) => asked.get(key) === now.get(key));
        follow(mirror, await look(), now);
        expectEqual(mirror, now, () => true);
      }
    } finally {
      feed.close();
      rmSync(base, { recursive: true, force: true });
    }
  });
}

/** A copy of the tree that is kept up by what is told alone, as an index is. */
function follow(
  mirror: Map<PathKey, string>,
  { touched, entered, gone, lost }: Changes,
  now: Snapshot,
): void {
  if (lost !== null) throw new Error(`Lost: ${lost.message}`);
  for (const folder of [...entered, ...gone]) {
    for (const key of mirror.keys()) if (key.startsWith(`${folder}/`)) mirror.delete(key);
  }
  for (const key of touched) {
    const state = now.get(key);
    if (state === undefined) mirror.delete(key);
    else mirror.set(key, state);
  }
}

function expectEqual(mirror: Snapshot, tree: Snapshot, counts: (key: PathKey) => boolean): void {
  const keys = [...new Set([...mirror.keys(), ...tree.keys()])].filter((key) => counts(key));
  const missed = keys.filter((key) => mirror.get(key) !== tree.get(key));
  if (missed.length > 0) throw new Error(`Missed: ${missed.join(", ")}`);
}
