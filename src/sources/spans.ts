/**
 * Reads many members' packed bytes: neighbours with one read, and the next ones while the last are looked at.
 * Called by `zip.ts` and `tar.ts`. What is in flight is bounded, and over before whoever stops early goes on.
 */
import { type ArchiveFile, readAt } from "./archive-file.ts";
import { GAP, IN_FLIGHT, READ_TOGETHER } from "./limits.ts";

/** Where a member's packed bytes lie; `index` is its place in the list of members, `size` what it unpacks to. */
export interface Span {
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly size: number;
}

/** A group of spans with the bytes of each, group by group, in the order given. */
export async function* readSpans<T>(
  archive: ArchiveFile,
  spans: readonly Span[],
  unpack: (group: readonly Span[], bytes: readonly Buffer[]) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  const pending: Promise<readonly T[]>[] = [];
  let first = 0;
  try {
    while (first < spans.length || pending.length > 0) {
      while (pending.length < IN_FLIGHT && first < spans.length) {
        const group = neighbours(spans, first);
        first += group.length;
        const work = readGroup(group);
        // Its turn may come after another one failed; the error is raised where it is awaited.
        work.catch(() => {});
        pending.push(work);
      }
      yield* (await pending.shift()) ?? [];
    }
  } finally {
    // The file may be closed once this is over.
    await Promise.allSettled(pending);
  }

  async function readGroup(group: readonly Span[]): Promise<readonly T[]> {
    const start = group[0]?.start ?? 0;
    const bytes = await readAt(archive, start, (group.at(-1)?.end ?? start) - start);
    return unpack(
      group,
      group.map((span) => bytes.subarray(span.start - start, span.end - start)),
    );
  }
}

/** As many spans from here on as lie one behind the other, without a gap worth a second read. */
function neighbours(spans: readonly Span[], first: number): Span[] {
  const group: Span[] = [];
  let end = 0;
  let packed = 0;
  let unpacked = 0;
  for (let at = first; at < spans.length; at++) {
    const span = spans[at];
    if (span === undefined) break;
    const gap = span.start - end;
    packed += span.end - span.start + gap;
    unpacked += span.size;
    if (at > first && (gap < 0 || gap > GAP || packed > READ_TOGETHER || unpacked > READ_TOGETHER)) break;
    if (at === first) packed -= gap;
    end = span.end;
    group.push(span);
  }
  return group;
}
