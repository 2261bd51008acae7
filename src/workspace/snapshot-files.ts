/**
 * Keeps a snapshot store in a folder between processes, for named sessions: one list, and the bytes of each
 * version in a file named by their hash. Everything is checked by its hash when it comes back: what is damaged
 * is not there, and that is said. The list is replaced whole, after the bytes it speaks of are written.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LineSpan } from "../model/selector.ts";
import { preparePrivateFolder, writePrivateFile } from "./cache.ts";
import { codeOf } from "./real-path.ts";
import type { Label, SnapshotStore } from "./snapshots.ts";

interface SavedVersion extends Label {
  readonly path: string;
  readonly shown: readonly LineSpan[];
}

interface SavedList {
  readonly format: 1;
  readonly labels: readonly (readonly [path: string, labels: readonly Label[]])[];
  /** The oldest first. */
  readonly versions: readonly SavedVersion[];
}

const LIST = "list.json";
const HASH = /^[0-9a-f]{64}$/;
const TAG = /^[0-9A-F]{4}$/;

export async function saveSnapshots(store: SnapshotStore, folder: string): Promise<void> {
  await preparePrivateFolder(folder);
  const snapshots = store.snapshots();
  for (const { hash, bytes } of snapshots) {
    const file = join(folder, hash);
    const there = await stat(file).catch(() => null);
    if (there?.size !== bytes.length) await writePrivateFile(file, bytes);
  }
  const list: SavedList = {
    format: 1,
    labels: store.labels(),
    versions: snapshots.map(({ path, tag, hash, view, shown }) => ({ path, tag, hash, view, shown })),
  };
  const text = JSON.stringify(list);
  await writePrivateFile(join(folder, LIST), `${sha256(text)}\n${text}`);
  const kept = new Set([LIST, ...snapshots.map(({ hash }) => hash)]);
  for (const name of await readdir(folder)) {
    if (!kept.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** Fills an empty store. What could not be taken back is said; null when nothing was lost. */
export async function loadSnapshots(store: SnapshotStore, folder: string): Promise<string | null> {
  await preparePrivateFolder(folder);
  const list = await readList(folder);
  if (typeof list === "string") return list;
  if (list === null) return null;
  for (const [path, labels] of list.labels) store.restore(path, labels);
  let lost = 0;
  for (const { path, tag, hash, view, shown } of list.versions) {
    const bytes = await readFile(join(folder, hash)).catch(() => null);
    if (bytes === null || sha256(bytes) !== hash) {
      await rm(join(folder, hash), { force: true });
      lost += 1;
      continue;
    }
    const snapshot = store.record(path, bytes, view);
    if (snapshot.tag === tag) snapshot.show(shown);
  }
  return lost === 0 ? null : `${lost} remembered file versions were damaged and are forgotten`;
}

async function readList(folder: string): Promise<SavedList | string | null> {
  const damaged = "What this session remembered of shown files is damaged and was dropped";
  const text = await readFile(join(folder, LIST), "utf8").catch((cause: unknown) => ({
    code: codeOf(cause),
  }));
  if (typeof text !== "string") return text.code === "ENOENT" ? null : damaged;
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== sha256(body)) return damaged;
  try {
    const list: unknown = JSON.parse(body);
    return isList(list) ? list : damaged;
  } catch {
    return damaged;
  }
}

/** The checksum says that it is what we wrote; this, that we wrote it in this format. */
function isList(value: unknown): value is SavedList {
  const list = value as Partial<SavedList> | null;
  if (list?.format !== 1 || !Array.isArray(list.labels) || !Array.isArray(list.versions)) return false;
  const isLabel = ({ tag, hash }: Label): boolean => TAG.test(tag) && HASH.test(hash);
  return (
    list.versions.every(isLabel) && list.labels.every(([, labels]) => (labels as Label[]).every(isLabel))
  );
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
