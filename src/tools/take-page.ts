import type { Candidate, View } from "./view.ts";

/** The files of a page, looked at; those behind it are only counted. A file that no longer matches is no file. */

/** Of a candidate only what is needed: the rest of it may hold the file. */
export interface Taken<Held> extends Pick<Candidate, "file" | "selector"> {
  readonly view: Held;
}

export interface Page<Held> {
  readonly taken: readonly Taken<Held>[];
  /** null: there are more, and they were not counted. */
  readonly total: number | null;
  readonly more: boolean;
}

export async function takePage<Held>(
  candidates: AsyncIterable<Candidate> & { readonly lazy: () => boolean },
  { skip, limit }: { readonly skip: number; readonly limit: number },
  hold: (view: View) => Held,
  /** Nothing more is looked at. */
  isOver: () => boolean = () => false,
): Promise<Page<Held>> {
  const taken: Taken<Held>[] = [];
  let total = 0;
  for await (const candidate of candidates) {
    if (taken.length >= limit && candidates.lazy()) return { taken, total: null, more: true };
    if (total >= skip && taken.length < limit && !isOver()) {
      const view = await candidate.view();
      if (view === null) continue;
      taken.push({ file: candidate.file, selector: candidate.selector, view: hold(view) });
    }
    total += 1;
  }
  return { taken, total, more: total > skip + taken.length };
}
