import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { compareFiles } from "../engine/order.ts";
import { ToolError } from "../model/errors.ts";
import type { FolderTree, LinkTarget, Listing, TreeEntry } from "../model/folder-tree.ts";
import {
  TREE_CHILDREN,
  TREE_COUNTED,
  TREE_DATED,
  TREE_DATED_ROOT,
  TREE_DEPTH,
  TREE_ENTERED,
} from "../model/limits.ts";
import { DEFAULTS } from "../model/request.ts";
import { pathFromBytes } from "../ripgrep/paths.ts";
import { type FolderEntry, kindOf, listFolder, type OpenListing } from "../workspace/list-folder.ts";
import { openFolder } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import type { Session } from "../workspace/session.ts";
import type { Sieve } from "../workspace/sieve.ts";
import { displayPath } from "../workspace/targets.ts";
import { throwIfAborted } from "./answer.ts";

/**
 * A folder as a tree, for read: all that is on disk, ignored or not, because a folder is read here and not searched.
 * What the policy withholds is left out and counted, links are shown and not followed. Every folder is opened, and
 * checked on its descriptor.
 */
export async function readFolderTree(
  session: Session,
  path: string,
  policy: Policy,
  signal: AbortSignal | undefined,
): Promise<FolderTree> {
  const reader = new TreeReader(policy, signal);
  const named = resolve(policy.root, path);
  const listing = await reader.read(Buffer.from(named), path, 1);
  return { path: displayPath(session.root, named), listing, unentered: reader.unentered };
}

type Listed = Extract<Listing, { kind: "listed" }>;

/** Something in a folder, on its way to become an entry of the tree. */
interface Met {
  readonly entry: FolderEntry;
  readonly seen: TreeEntry;
}

/** Entries looked at, and folders read, before anything else has its turn. */
const SLICE = 500;
const AT_ONCE = 8;

class TreeReader {
  unentered = 0;
  #entered = 0;
  readonly #policy: Policy;
  readonly #sieve: Sieve;
  readonly #signal: AbortSignal | undefined;

  constructor(policy: Policy, signal: AbortSignal | undefined) {
    this.#policy = policy;
    this.#sieve = policy.sieve("not followed");
    this.#signal = signal;
  }

  /** `place` is the absolute path as it was named; `path` the same as a message should say it. */
  async read(place: Buffer, path: string | Buffer, level: number): Promise<Listed> {
    throwIfAborted(this.#signal);
    const opened = await openFolder(this.#policy, path);
    try {
      const folder = await listFolder(opened, TREE_COUNTED);
      const allowed = folder.entries.filter((entry) => this.#allows(place, opened.realPath, entry));
      const most = level === 1 ? TREE_DATED_ROOT : TREE_DATED;
      const order = allowed.length > most ? "name" : "newest";
      const met = order === "name" ? allowed.map(undated) : await this.#dated(folder, allowed);
      met.sort((one, other) => compareMet(one, other));
      const shown = level === 1 ? met : met.slice(0, TREE_CHILDREN);
      const entries = await this.#completed(folder, place, shown, level);
      return {
        kind: "listed",
        entries,
        order,
        more: met.length - shown.length,
        uncounted: folder.cut,
        denied: folder.entries.length - allowed.length,
      };
    } finally {
      await opened.handle.close();
    }
  }

  /** By the name it was reached by, and by where its folder really is. */
  #allows(place: Buffer, realFolder: string, { name, kind }: FolderEntry): boolean {
    const matchedAs = kind === "folder" ? "folder" : "file";
    if (this.#policy.judgeReal(join(realFolder, name.toString()), matchedAs) !== "allowed") return false;
    return this.#sieve(below(place, name), matchedAs) === "allowed";
  }

  async #dated(folder: OpenListing, entries: readonly FolderEntry[]): Promise<Met[]> {
    const met: Met[] = [];
    for (const [at, entry] of entries.entries()) {
      if (at > 0 && at % SLICE === 0) await this.#turn();
      const info = folder.info(entry);
      const kind = info === null ? entry.kind : kindOf(info);
      const size = info !== null && kind === "file" ? info.size : null;
      met.push({ entry, seen: { ...nameOf(entry), kind, size, mtimeMs: info?.mtimeMs ?? null } });
    }
    return met;
  }

  async #turn(): Promise<void> {
    await setImmediate();
    throwIfAborted(this.#signal);
  }

  /** With where links lead, and what is in folders. */
  async #completed(
    folder: OpenListing,
    place: Buffer,
    met: readonly Met[],
    level: number,
  ): Promise<TreeEntry[]> {
    const entries: TreeEntry[] = [];
    for (let from = 0; from < met.length; from += AT_ONCE) {
      throwIfAborted(this.#signal);
      const some = met.slice(from, from + AT_ONCE);
      entries.push(...(await Promise.all(some.map((one) => this.#complete(folder, place, one, level)))));
    }
    return entries;
  }

  async #complete(
    folder: OpenListing,
    place: Buffer,
    { entry, seen }: Met,
    level: number,
  ): Promise<TreeEntry> {
    const path = below(place, entry.name);
    if (seen.kind === "link") return { ...seen, link: await this.#target(folder, entry, path) };
    if (seen.kind !== "folder" || level >= TREE_DEPTH || VERSION_CONTROL.has(seen.name)) return seen;
    if (this.#entered >= TREE_ENTERED) {
      this.unentered += 1;
      return seen;
    }
    this.#entered += 1;
    return { ...seen, listing: await this.#enter(path, level + 1) };
  }

  async #enter(path: Buffer, level: number): Promise<Listing> {
    try {
      return await this.read(path, pathOf(path), level);
    } catch (cause) {
      if (cause instanceof ToolError && cause.code === "ABORTED") throw cause;
      return { kind: "unreadable" };
    }
  }

  async #target(folder: OpenListing, entry: FolderEntry, path: Buffer): Promise<LinkTarget> {
    const target = await folder.target(entry);
    const leads = await this.#policy.check(pathOf(path)).catch(() => null);
    if (target === null || leads === null) return { kind: "outside" };
    return { kind: leads.kind ?? "missing", target: target.toString() };
  }
}

const VERSION_CONTROL: ReadonlySet<string> = new Set(DEFAULTS.vcsFolders);

function nameOf({ name }: FolderEntry): Pick<TreeEntry, "name" | "nameBytes"> {
  const { path, pathBytes } = pathFromBytes(name);
  return pathBytes === undefined ? { name: path } : { name: path, nameBytes: pathBytes };
}

function undated(entry: FolderEntry): Met {
  return { entry, seen: { ...nameOf(entry), kind: entry.kind, size: null, mtimeMs: null } };
}

function compareMet({ seen: one }: Met, { seen: other }: Met): number {
  const newer = (other.mtimeMs ?? 0) - (one.mtimeMs ?? 0);
  return newer || compareFiles(asFile(one), asFile(other));
}

function asFile({ name, nameBytes }: TreeEntry): { readonly path: string; readonly pathBytes?: string } {
  return nameBytes === undefined ? { path: name } : { path: name, pathBytes: nameBytes };
}

function below(place: Buffer, name: Buffer): Buffer {
  return Buffer.concat([place, Buffer.from(place.at(-1) === SLASH ? "" : "/"), name]);
}

const SLASH = 0x2f;

/** Bytes only where no text can say them. */
function pathOf(path: Buffer): string | Buffer {
  const text = path.toString();
  return Buffer.from(text).equals(path) ? text : path;
}
