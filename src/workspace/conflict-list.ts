/**
 * The merge conflicts that `read …:conflicts` listed in a session, so that `conflict://N` means one of them. read
 * lists, write looks up, and whoever changes a file says how its lines moved. An id is never given twice, and holds
 * only for the content that it was given for: whoever acts on one compares the hash. Bounded; the file that was
 * listed longest ago goes first.
 */
import type { Conflict, ListedConflict } from "../model/conflict.ts";
import { ToolError } from "../model/errors.ts";
import { CONFLICTS_LISTED } from "../model/limits.ts";
import { listedText } from "./conflict-url.ts";

/** All of it, as a named session saves it. */
export interface SavedConflicts {
  readonly next: number;
  /** By file, the one listed longest ago first. */
  readonly files: readonly (readonly ListedConflict[])[];
}

export class ConflictList {
  readonly #limit: number;
  /** By path, each in the order of its lines; the file listed last comes last. */
  readonly #files = new Map<string, readonly ListedConflict[]>();
  readonly #byId = new Map<number, ListedConflict>();
  #next = 1;

  constructor(limit: number = CONFLICTS_LISTED) {
    this.#limit = limit;
  }

  /**
   * Takes the regions of a file's content in place of what was listed of it before. A region that was listed for
   * the same content keeps its id. Of more regions than can be remembered the first are listed.
   */
  list(path: string, label: string, hash: string, regions: readonly Conflict[]): readonly ListedConflict[] {
    const known = new Map(
      (this.#files.get(path) ?? [])
        .filter((listed) => listed.hash === hash)
        .map((listed) => [listed.region.start, listed.id]),
    );
    const listed = regions.slice(0, this.#limit).map((region) => {
      const id = known.get(region.start) ?? this.#next++;
      return { id, path, label, hash, region };
    });
    this.#set(path, listed);
    this.#bound();
    return listed;
  }

  find(id: number): ListedConflict | null {
    return this.#byId.get(id) ?? null;
  }

  /** Those that a URL names, in order of their ids. Throws CONFLICT_NOT_FOUND for one that is not listed. */
  pick(ids: readonly number[] | "all"): readonly ListedConflict[] {
    const wanted = ids === "all" ? this.ids() : ids;
    const missing = wanted.filter((id) => !this.#byId.has(id));
    if (wanted.length > 0 && missing.length === 0) return wanted.flatMap((id) => this.#byId.get(id) ?? []);
    const named = missing.slice(0, 20).join(", ");
    const message =
      wanted.length === 0 ? "No conflict is listed" : `No conflict ${named} is listed, or it is resolved`;
    throw new ToolError("CONFLICT_NOT_FOUND", message, { hint: listedText(this.ids()) });
  }

  /** In order. */
  ids(): number[] {
    return [...this.#byId.keys()].sort((a, b) => a - b);
  }

  /**
   * After our own change of a file from one content to another: `map` tells where a line is now, null for one that
   * is gone. A region whose marks are all still there keeps its id. What was listed of any other content is let go.
   */
  moved(path: string, oldHash: string, newHash: string, map: (line: number) => number | null): void {
    const listed = this.#files.get(path);
    if (listed === undefined) return;
    const kept = listed.flatMap((one) => {
      const region = one.hash === oldHash ? moveRegion(one.region, map) : null;
      return region === null ? [] : [{ ...one, hash: newHash, region }];
    });
    this.#set(path, kept);
  }

  /** Nothing of a file is listed any more: it was deleted, or written anew. */
  forget(path: string): void {
    this.#set(path, []);
  }

  saved(): SavedConflicts {
    return { next: this.#next, files: [...this.#files.values()] };
  }

  /** Fills an empty list. */
  restore({ next, files }: SavedConflicts): void {
    for (const listed of files) {
      const [first] = listed;
      if (first !== undefined) this.#set(first.path, listed);
    }
    this.#next = files.flat().reduce((most, { id }) => Math.max(most, id + 1), Math.max(next, this.#next));
    this.#bound();
  }

  #set(path: string, listed: readonly ListedConflict[]): void {
    for (const { id } of this.#files.get(path) ?? []) this.#byId.delete(id);
    this.#files.delete(path);
    if (listed.length > 0) this.#files.set(path, listed);
    for (const one of listed) this.#byId.set(one.id, one);
  }

  #bound(): void {
    for (const path of this.#files.keys()) {
      if (this.#byId.size <= this.#limit) return;
      this.forget(path);
    }
  }
}

/** The region where its lines are now, or null when a mark is gone or they are no longer in order. */
function moveRegion(region: Conflict, map: (line: number) => number | null): Conflict | null {
  const start = map(region.start);
  const base = region.base === null ? null : map(region.base);
  const middle = map(region.middle);
  const end = map(region.end);
  if (start === null || middle === null || end === null || (base === null) !== (region.base === null)) {
    return null;
  }
  const ordered = start < (base ?? middle) && (base ?? start) < middle && middle < end;
  return ordered ? { ...region, start, base, middle, end } : null;
}
