/** A feed over a temporary tree, and a snapshot of the tree to compare what it tells with. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { onTestFinished } from "vitest";
import type { Changes } from "../../src/index/feed/changes.ts";
import { type Feed, type FeedOptions, openFeed } from "../../src/index/feed/feed.ts";
import { keyBelow, keyOnDisk, type PathKey } from "../../src/index/path-key.ts";
import { type Files, tree } from "../support/tree.ts";

export interface Watched {
  readonly root: string;
  readonly feed: Feed;
  /** Settles and takes. */
  readonly look: () => Promise<Changes>;
}

export async function watched(files: Files = {}, options: Partial<FeedOptions> = {}): Promise<Watched> {
  const root = options.root ?? tree(files);
  const feed = await openFeed({ root, cookies: tree(), enters: () => true, ...options });
  onTestFinished(() => feed.close());
  return { root, feed, look: () => lookAt(feed) };
}

export async function lookAt(feed: Feed): Promise<Changes> {
  await feed.settle();
  return feed.take();
}

/** Every path below the root, with what would have to change for its being told. */
export function snapshot(root: string): Map<PathKey, string> {
  const found = new Map<PathKey, string>();
  const open: PathKey[] = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of readdirSync(keyOnDisk(root, folder), "latin1")) {
      const key = keyBelow(folder, name);
      const path = keyOnDisk(root, key);
      const info = lstatSync(path);
      if (info.isDirectory()) open.push(key);
      found.set(key, `${info.mode} ${contentOf(path, info.isFile(), info.isSymbolicLink())}`);
    }
  }
  return found;
}

function contentOf(path: string | Buffer, isFile: boolean, isLink: boolean): string {
  if (isLink) return readlinkSync(path, "latin1");
  return isFile ? readFileSync(path, "latin1") : "";
}

/** Paths that differ between two snapshots and are not told: not by themselves, and not with a folder that is gone. */
export function missed(
  before: ReadonlyMap<PathKey, string>,
  after: ReadonlyMap<PathKey, string>,
  { touched, entered, gone }: Changes,
): PathKey[] {
  const ended = new Set([...entered, ...gone]);
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => {
    if (before.get(key) === after.get(key) || touched.has(key)) return false;
    return after.has(key) || !isBelowOne(key, ended);
  });
}

function isBelowOne(key: PathKey, folders: ReadonlySet<PathKey>): boolean {
  return key.split("/").some((_, index, names) => folders.has(names.slice(0, index).join("/")));
}
