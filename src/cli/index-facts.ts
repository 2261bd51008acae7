/** What is told of a saved index, wherever it is. */
import type { SavedIndex } from "../index/inspect.ts";
import { SEGMENT_FORMAT } from "../index/store/segment-writer.ts";

/** As a program gets them. */
export function indexFacts(saved: SavedIndex): object {
  return { ...saved, docs: undefined, saved: true, format: SEGMENT_FORMAT };
}

/** `, 19 % of the text`; nothing where there is none. */
export function percent({ bytes, textBytes }: SavedIndex): string {
  return textBytes === 0 ? "" : `, ${Math.round((100 * bytes) / textBytes)} % of the text,`;
}
