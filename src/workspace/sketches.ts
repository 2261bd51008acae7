/**
 * The sketches of a session's large files, by their real paths: one for each, of the version that was looked at last,
 * with what was shown of it. Search records, edit looks up. Bounded; the one that was not used for the longest time goes.
 */
import { SKETCHES } from "../model/limits.ts";
import type { LineSpan } from "../model/selector.ts";
import { mergeRanges, toSpans } from "./line-set.ts";
import type { Sketch } from "./sketch.ts";
import { sameStamp, type Stamp } from "./stamp.ts";

interface Known {
  readonly sketch: Sketch;
  /** What the file looks like as long as nobody has changed it. */
  readonly stamp: Stamp;
  readonly shown: readonly LineSpan[];
}

export class Sketches {
  readonly #files = new Map<string, Known>();

  /** Of a file that looks like this. */
  recall(path: string, now: Stamp): Sketch | null {
    const known = this.#files.get(path);
    if (known === undefined || !sameStamp(known.stamp, now)) return null;
    this.#put(path, known);
    return known.sketch;
  }

  /** Of a file that will look otherwise after its next change. */
  record(path: string, sketch: Sketch, { size, mtimeMs, ctimeMs, ino }: Stamp): void {
    this.#put(path, {
      sketch,
      stamp: { size, mtimeMs, ctimeMs, ino },
      shown: this.shown(path, sketch.hash),
    });
    const [oldest] = this.#files.keys();
    if (this.#files.size > SKETCHES && oldest !== undefined) this.#files.delete(oldest);
  }

  /** These lines of a content were shown. */
  show(path: string, hash: string, lines: Iterable<number | LineSpan>): void {
    const known = this.#files.get(path);
    if (known?.sketch.hash !== hash) return;
    this.#put(path, { ...known, shown: mergeRanges([...known.shown, ...toSpans(lines)]) });
  }

  /** Whether the last version that was shown of a file had this content. */
  knows(path: string, hash: string): boolean {
    return this.#files.get(path)?.sketch.hash === hash;
  }

  /** What was shown of a content. */
  shown(path: string, hash: string): readonly LineSpan[] {
    return this.knows(path, hash) ? (this.#files.get(path)?.shown ?? []) : [];
  }

  #put(path: string, known: Known): void {
    this.#files.delete(path);
    this.#files.set(path, known);
  }
}
