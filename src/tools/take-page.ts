import type { Candidate, View } from "./view.ts";

/** The files of a page, looked at; those behind it are only counted. A file that no longer matches is no file. */

/** Of a candidate only what is needed: the rest of it may hold the file. */
export interface Taken extends Pick<Candidate, "file" | "selector"> {
  readonly view: View;
}

export interface Page {
  readonly taken: readonly Taken[];
  /** null: there are more, and they were not counted. */
  readonly total: number | null;
  readonly more: boolean;
}

export async function takePage(
  candidates: AsyncIterable<Candidate> & { readonly lazy: () => boolean },
  { skip, limit }: { readonly skip: number; readonly limit: number },
  hold: (view: View) => View,
  /** Nothing more is looked at. */
  isOver: () => boolean = () => false,
): Promise<Page> {
  const taken: Taken[] = [];
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
