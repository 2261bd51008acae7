/** Text that had to be cut from an answer, kept whole where the agent can search and read it. */
import { escapeText } from "../format/escape.ts";
import type { Session } from "../workspace/session.ts";

/** What was cut, as the details say it. */
export interface Truncation {
  readonly direction: "head";
  readonly truncatedBy: "bytes";
  readonly totalLines: number;
  readonly shownLines: number;
  readonly totalBytes: number;
  readonly shownBytes: number;
  /** Lines of the answer that are of the text. */
  readonly shownRange: { readonly first: number; readonly last: number };
  /** null when it could not be stored. */
  readonly artifactId: string | null;
}

export interface Kept {
  /** For the answer's text. */
  readonly note: string;
  /** `shown` is what the answer has of it. */
  readonly truncation: (shown: string) => Truncation;
}

export async function keepWhole(session: Session, whole: string): Promise<Kept> {
  const stored = await session.artifacts.store(whole);
  const kept = stored.kind === "stored";
  return {
    note: kept
      ? `the whole page is ${stored.url}`
      : `the whole page could not be kept (${escapeText(stored.reason).slice(0, 80)})`,
    truncation: (shown) => ({
      direction: "head",
      truncatedBy: "bytes",
      totalLines: lines(whole),
      shownLines: lines(shown),
      totalBytes: Buffer.byteLength(whole),
      shownBytes: Buffer.byteLength(shown),
      shownRange: { first: 1, last: lines(shown) },
      artifactId: kept ? stored.id : null,
    }),
  };
}

function lines(text: string): number {
  return text.split("\n").length;
}
