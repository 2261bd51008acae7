/**
 * What was shown of files, and under which tag: search and read record, edit looks up. A tag is a label of four
 * hex digits, the first of the content's hash; it moves on where another content of the file has it, also one
 * that was let go, so a tag never comes to mean another content. Whoever acts on a tag compares the hash.
 * Bounded in files, versions and bytes; the oldest goes first.
 */
import { hash as hashOf } from "node:crypto";
import {
  SNAPSHOT_BYTES,
  SNAPSHOT_FILES,
  SNAPSHOT_LABELS,
  SNAPSHOT_VERSIONS,
  TAGGED_FILE,
} from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import { holdsLine, holdsSpan, mergeRanges, toSpans } from "./line-set.ts";
import { isSettled, sameStamp, type Stamp } from "./stamp.ts";
import { type TextLines, textLines } from "./text-lines.ts";

/** One version of one file, whole, as it was shown. */
export interface Snapshot {
  /** The real path, or the URL. */
  readonly path: string;
  readonly tag: string;
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** How lines are counted: `text`, or a view such as a notebook's cells. */
  readonly view: string;
  readonly bytes: Buffer;
  /** Found as far as somebody asks, and kept. */
  readonly lines: TextLines;
  /** Lines that were shown in full, in order. */
  readonly shown: readonly LineSpan[];
  readonly wasShown: (line: number) => boolean;
  /** These lines were shown. A row that was shortened does not count. */
  readonly show: (lines: Iterable<number | LineSpan>) => void;
}

export type Lookup =
  | { readonly kind: "known"; readonly snapshot: Snapshot }
  /** The tag was given for this file, and its content has been let go. */
  | { readonly kind: "forgotten"; readonly hash: string; readonly view: string }
  /** The tag is of other files. */
  | { readonly kind: "elsewhere"; readonly paths: readonly string[] }
  | { readonly kind: "unknown" };

export interface SnapshotLimits {
  readonly files: number;
  readonly versions: number;
  readonly bytes: number;
  readonly labels: number;
}

const LIMITS: SnapshotLimits = {
  files: SNAPSHOT_FILES,
  versions: SNAPSHOT_VERSIONS,
  bytes: SNAPSHOT_BYTES,
  labels: SNAPSHOT_LABELS,
};

/** What a tag stands for, told without the bytes. */
export interface Label {
  readonly tag: string;
  readonly hash: string;
  readonly view: string;
}

export class SnapshotStore {
  readonly #limits: SnapshotLimits;
  /** Files and their versions by tag, each in the order of last use. */
  readonly #files = new Map<string, Map<string, Snapshot>>();
  /** Every tag given, in the order of last use of the file. */
  readonly #labels = new Map<string, Map<string, Label>>();
  readonly #stamps = new WeakMap<Snapshot, Stamp>();
  #bytes = 0;
  #labelCount = 0;

  constructor(limits: Partial<SnapshotLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Remembers a content that is about to be shown. The store keeps `bytes`: nobody may write to them any more. `lines`:
   * what is known of its lines already.
   */
  record(path: string, bytes: Buffer, view = "text", lines: TextLines | null = null): Snapshot {
    if (bytes.length > TAGGED_FILE) throw new RangeError(`${path} is too large for a snapshot`);
    const hash = hashOf("sha256", bytes, "hex");
    const tag = this.#label(path, hash, view);
    const known = this.#files.get(path)?.get(tag);
    if (known !== undefined) return this.#touch(known);
    const snapshot = createSnapshot({ path, tag, hash, view, bytes }, lines);
    this.#bytes += bytes.length;
    this.#touch(snapshot);
    this.#bound(snapshot);
    this.#boundLabels();
    return snapshot;
  }

  /** The tag of a content that is too large to be held. */
  name(path: string, hash: string): string {
    const tag = this.#label(path, hash, "text");
    this.#boundLabels();
    return tag;
  }

  /**
   * What was shown is all of a file that looked like this at a time, in milliseconds, before it was read. Nothing comes
   * of it where the file may look the same after a change.
   */
  stamp(snapshot: Snapshot, { size, mtimeMs, ctimeMs, ino }: Stamp, before: number): void {
    if (isSettled({ ctimeMs }, before)) this.#stamps.set(snapshot, { size, mtimeMs, ctimeMs, ino });
    else this.#stamps.delete(snapshot);
  }

  /** The version of a file that looks like this, so that it need not be read again. */
  recall(path: string, look: () => Stamp | undefined): Snapshot | null {
    const versions = this.#files.get(path);
    if (versions === undefined) return null;
    const now = look();
    if (now === undefined) return null;
    for (const snapshot of versions.values()) {
      const then = this.#stamps.get(snapshot);
      if (then !== undefined && sameStamp(then, now)) return this.#touch(snapshot);
    }
    return null;
  }

  /** What a tag of a file stands for. Lower case is taken for upper case. */
  find(path: string, tag: string): Lookup {
    const wanted = tag.toUpperCase();
    const snapshot = this.#files.get(path)?.get(wanted);
    if (snapshot !== undefined) return { kind: "known", snapshot: this.#touch(snapshot) };
    const label = this.#labels.get(path)?.get(wanted);
    if (label !== undefined) return { kind: "forgotten", hash: label.hash, view: label.view };
    const paths = [...this.#labels].filter(([, labels]) => labels.has(wanted)).map(([other]) => other);
    return paths.length > 0 ? { kind: "elsewhere", paths: paths.reverse() } : { kind: "unknown" };
  }

  /** Every remembered version, the oldest first. */
  snapshots(): Snapshot[] {
    return [...this.#files.values()].flatMap((versions) => [...versions.values()]);
  }

  /** Every tag given, by file, also those whose version has been let go. */
  labels(): (readonly [path: string, labels: readonly Label[]])[] {
    return [...this.#labels].map(([path, labels]) => [path, [...labels.values()]] as const);
  }

  /** Takes back tags that were saved; the versions that came through are recorded after it. */
  restore(path: string, labels: readonly Label[]): void {
    for (const label of labels) this.#addLabel(path, label);
    this.#boundLabels();
  }

  get size(): { readonly files: number; readonly bytes: number; readonly labels: number } {
    return { files: this.#files.size, bytes: this.#bytes, labels: this.#labelCount };
  }

  /** The tag of a content: the one it has, or the first free one from the hash's own on. */
  #label(path: string, hash: string, view: string): string {
    const taken = this.#labels.get(path) ?? new Map<string, Label>();
    let tag = hash.slice(0, 4).toUpperCase();
    for (let other = taken.get(tag); other !== undefined; other = taken.get(tag)) {
      if (other.hash === hash && other.view === view) break;
      tag = nextTag(tag);
    }
    this.#labels.delete(path);
    this.#labels.set(path, taken);
    this.#addLabel(path, { tag, hash, view });
    return tag;
  }

  #addLabel(path: string, label: Label): void {
    const labels = this.#labels.get(path) ?? new Map<string, Label>();
    if (!labels.has(label.tag)) this.#labelCount += 1;
    // Set anew, so that the oldest comes first.
    labels.delete(label.tag);
    this.#labels.set(path, labels.set(label.tag, label));
  }

  #touch(snapshot: Snapshot): Snapshot {
    const { path, tag } = snapshot;
    const versions = this.#files.get(path) ?? new Map<string, Snapshot>();
    versions.delete(tag);
    versions.set(tag, snapshot);
    this.#files.delete(path);
    this.#files.set(path, versions);
    return snapshot;
  }

  #bound(newest: Snapshot): void {
    const own = this.#files.get(newest.path);
    if (own !== undefined && own.size > this.#limits.versions) this.#dropOldest(newest.path, own);
    while (this.#files.size > this.#limits.files || this.#bytes > this.#limits.bytes) {
      const [oldest] = this.#files;
      if (oldest === undefined || (oldest[0] === newest.path && oldest[1].size === 1)) return;
      this.#dropOldest(...oldest);
    }
  }

  #dropOldest(path: string, versions: Map<string, Snapshot>): void {
    const [oldest] = versions.values();
    if (oldest === undefined) return;
    versions.delete(oldest.tag);
    this.#bytes -= oldest.bytes.length;
    if (versions.size === 0) this.#files.delete(path);
  }

  /** Lets go of the oldest tags whose version is gone. Those of a remembered version stay. */
  #boundLabels(): void {
    for (const [path, labels] of this.#labels) {
      for (const tag of labels.keys()) {
        if (this.#labelCount <= this.#limits.labels) return;
        if (this.#files.get(path)?.has(tag) === true) continue;
        labels.delete(tag);
        this.#labelCount -= 1;
      }
      if (labels.size === 0) this.#labels.delete(path);
    }
  }
}

function nextTag(tag: string): string {
  return ((Number.parseInt(tag, 16) + 1) % 0x10000).toString(16).toUpperCase().padStart(4, "0");
}

function createSnapshot(
  content: Omit<Snapshot, "lines" | "shown" | "show" | "wasShown">,
  known: TextLines | null,
): Snapshot {
  let shown: readonly LineSpan[] = [];
  let lines = known;
  return {
    ...content,
    get lines() {
      lines ??= textLines(content.bytes);
      return lines;
    },
    get shown() {
      return shown;
    },
    wasShown: (line) => holdsLine(shown, line),
    show(lines) {
      const more = toSpans(lines).filter((span) => !holdsSpan(shown, span));
      if (more.length > 0) shown = mergeRanges([...shown, ...more]);
    },
  };
}
