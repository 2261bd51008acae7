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
  /** Lines of the whole text that the answer has. */
  readonly shownRange: { readonly first: number; readonly last: number };
  /** null when it could not be stored. */
  readonly artifactId: string | null;
}

export interface Kept {
  /** For the answer's text. */
  readonly note: string;
  readonly truncation: (answer: string) => Truncation;
}

export async function keepWhole(session: Session, whole: string): Promise<Kept> {
  const stored = await session.artifacts.store(whole);
  const kept = stored.kind === "stored";
  return {
    note: kept
      ? `the whole page is ${stored.url}`
      : `the whole page could not be kept (${escapeText(stored.reason).slice(0, 80)})`,
    truncation: (answer) => {
      const [all, given] = [whole.split("\n"), answer.split("\n")];
      // What the answer says about itself is no part of what was cut.
      const different = all.findIndex((line, at) => line !== given[at]);
      const shown = all.slice(0, different === -1 ? all.length : different);
      return {
        direction: "head",
        truncatedBy: "bytes",
        totalLines: all.length,
        shownLines: shown.length,
        totalBytes: Buffer.byteLength(whole),
        shownBytes: Buffer.byteLength(shown.join("\n")),
        shownRange: { first: 1, last: shown.length },
        artifactId: kept ? stored.id : null,
      };
    },
  };
}
