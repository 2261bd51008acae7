import type { Extract } from "../model/excerpt.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { LineRange, Selector } from "../model/selector.ts";
import { type Around, extracts, lastLine } from "../shape/extracts.ts";
import type { TextLines } from "../workspace/text-lines.ts";
import { selectedSpans } from "../workspace/selectors.ts";
import type { Snapshot, SnapshotStore } from "../workspace/snapshots.ts";

/** What of one file an agent will be shown: its first matches, the lines around them, and the snapshot they are from. */

export interface View {
  /** Up to one more than may be shown, which tells that there are more. */
  readonly matches: readonly Match[];
  readonly lineAt: (line: number) => string | null;
  /** Bytes of a line with its end, as UTF-8 where the file is UTF-16; null where that is not known. */
  readonly sizeAt: (line: number) => number | null;
  /** The version that it is from; null where there is nothing to edit. */
  readonly version: Version | null;
  /** Matching lines, in the mode that counts them. */
  readonly lines: number;
}

/** A snapshot without its bytes: the store is bounded, and a page of large files must be so too. */
export interface Version {
  readonly tag: string;
  /** These lines of it were shown. */
  readonly show: Snapshot["show"];
}

export function versionOf(store: SnapshotStore, { path, tag }: Pick<Snapshot, "path" | "tag">): Version {
  return {
    tag,
    show: (lines) => {
      const known = store.find(path, tag);
      if (known.kind === "known") known.snapshot.show(lines);
    },
  };
}

/** A view of which everything is at hand that may be shown, and nothing else. */
export interface HeldView extends Pick<View, "matches" | "version" | "lines"> {
  /** The first so many matches with the lines around them, at most as many as it was held for. */
  readonly extracts: (count: number) => readonly Extract[];
}

/** No function here closes over the view itself: it would keep the whole file. */
export function held({ matches, lineAt, version, lines }: View, cap: number, around: Around): HeldView {
  const shown = matches.slice(0, cap);
  return {
    matches,
    version,
    lines,
    extracts: fewer(
      matches,
      shown.length,
      around,
      extracts(shown, lineAt, around, matches[cap]?.line ?? null),
    ),
  };
}

/** What is around fewer of them is among what is around all. */
function fewer(
  matches: readonly Match[],
  all: number,
  around: Around,
  rows: readonly Extract[],
): HeldView["extracts"] {
  return (count) => {
    if (count >= all) return rows;
    const texts = new Map(rows.filter(({ hit }) => !hit).map(({ line, text }) => [line, text]));
    const lineAt = (line: number): string | null => texts.get(line) ?? null;
    return extracts(matches.slice(0, count), lineAt, around, matches[count]?.line ?? null);
  };
}

/** A file that matches, and what is needed to show it. */
export interface Candidate {
  readonly file: FilePath;
  readonly selector: Selector | null;
  /** What of it is shown, from the very file that may be; null: it changed since it was found, and matches no more. */
  view(): Promise<View | null>;
}

/** The first so many that are wanted; stops pulling then. */
export async function take<T>(
  items: AsyncIterable<T>,
  count: number,
  wanted: (item: T) => boolean = () => true,
): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    if (!wanted(item)) continue;
    taken.push(item);
    if (taken.length >= count) break;
  }
  return taken;
}

/** Whether a match touches the selected lines. The number of lines is asked for only where it counts. */
export async function within(
  given: Selector | null,
  lineCount: () => number | Promise<number>,
): Promise<Within> {
  if (given === null) return { wanted: () => true, selector: null };
  const ranges: readonly LineRange[] =
    given.tail === null ? given.ranges : selectedSpans(given, await lineCount());
  return {
    selector: { ...given, ranges, tail: null },
    wanted: (match) => {
      const last = lastLine(match);
      return ranges.some((range) => range.first <= last && (range.last === null || match.line <= range.last));
    },
  };
}

interface Within {
  readonly wanted: (match: Match) => boolean;
  /** The same lines, counted from the start. */
  readonly selector: Selector | null;
}

/** The lines of matches and of their context as ripgrep gave them, for a file that is not held. */
export function lineAtOf(matches: readonly Match[]): View["lineAt"] {
  const known = new Map(
    matches.flatMap(({ line, text, before, after }) => [
      ...text.split("\n").map((row, at) => [line + at, row.replace(/\r$/, "")] as const),
      ...[...before, ...after].map(({ line, text }) => [line, text] as const),
    ]),
  );
  return (line) => known.get(line) ?? null;
}

/** Do these bytes hold what was found, where it was found? */
export function agrees(matches: readonly Match[], lineAt: View["lineAt"]): boolean {
  return matches.every((match) => {
    if (match.elidedBytes !== undefined) return lineAt(match.line) !== null;
    const lines = match.text.split("\n");
    return lines.every((text, at) => {
      const own = at < lines.length - 1 && text.endsWith("\r") ? text.slice(0, -1) : text;
      return lineAt(match.line + at) === own;
    });
  });
}

/** The lines of bytes that are held. */
export function lineAtIn(lines: TextLines): Pick<View, "lineAt" | "sizeAt"> {
  return {
    lineAt: (line) => lines.line(line),
    sizeAt: (line) => {
      const span = lines.span(line);
      if (span === null || lines.wide === null) return span === null ? null : span.next - span.start;
      return Buffer.byteLength(lines.line(line) ?? "") + (span.next - span.end) / 2;
    },
  };
}
