import { fstatSync } from "node:fs";
import type { HeldText, TextSearcher } from "../engine/search-text.ts";
import { SKETCHED_FILE } from "../model/limits.ts";
import type { Found } from "../model/found.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Around } from "../shape/extracts.ts";
import { fillNow, openNow, type OpenNow } from "../workspace/read-now.ts";
import type { Session } from "../workspace/session.ts";
import { type Sketch, sketchOf, type Window, windowAround } from "../workspace/sketch.ts";
import { isSettled, sameStamp } from "../workspace/stamp.ts";
import { onDisk } from "../workspace/targets.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { lineAtIn, type Version, versionOf, type View } from "./view.ts";

/**
 * A large file that an index told of, shown without being held: one page of such files would push everything else out of
 * what a session remembers. It is read whole once, for its tag and its lines; from then on, while it looks as it did, only
 * where the index says that it matches. Called by `walk-candidates.ts`.
 */

export interface Sketching {
  readonly session: Pick<Session, "root" | "policy" | "snapshots" | "sketches">;
  readonly searcher: Pick<TextSearcher, "now">;
  /** How many are needed of a file. */
  readonly matches: number;
  readonly around: Around;
  readonly tags: boolean;
}

/** null: show it as any other file. */
export function sketchedView({ file, where }: Found, sketching: Sketching): View | null {
  const { session, tags } = sketching;
  const { root, policy, sketches } = session;
  if (sketches === null || where === undefined || where.size < SKETCHED_FILE) return null;
  // What is read of it by and by is of one version only where a change would show.
  if (!isSettled(where, Date.now())) return null;
  return openNow(policy, onDisk(root, file.path, file.pathBytes), ({ fd, stat, realPath }) => {
    if (!sameStamp(where, stat)) return null;
    const known = sketches.recall(realPath, stat);
    const sketch = known ?? sketchOf(fd, stat.size);
    if (sketch === null) return null;
    const found = matchesIn(fd, sketch, file, where.parts, sketching);
    if (!sameStamp(where, fstatSync(fd))) return null;
    if (known === null) sketches.record(realPath, sketch, where);
    if (found === null || found.matches.length === 0) return null;
    const version = tags ? sketchedVersion(session, realPath, sketch) : null;
    return { ...linesOf(found.windows), matches: found.matches, version, lines: 0 };
  });
}

/** A window with what is in it. */
interface Read extends Window {
  readonly text: TextLines;
}

interface Matched {
  readonly matches: readonly Match[];
  /** All lines that may be shown with them are in these. */
  readonly windows: readonly Read[];
}

/** As many as are needed; null: only a search of the whole file tells, or it has become shorter. */
function matchesIn(
  fd: OpenNow["fd"],
  sketch: Sketch,
  file: FilePath,
  parts: readonly number[],
  { searcher, around, matches: needed }: Sketching,
): Matched | null {
  const matches: Match[] = [];
  const windows: Read[] = [];
  const search = (window: Window, from: number, length: number): Matched | null => {
    const bytes = Buffer.allocUnsafeSlow(window.to - window.from);
    if (!fillNow(fd, bytes, window.from)) return null;
    const read = { ...window, text: textLines(bytes) };
    const found = searcher.now(heldText(read), file, needed - matches.length, [from - window.from, length]);
    return found === null ? null : { matches: found, windows: [read] };
  };
  for (let at = 0; at < parts.length && matches.length < needed; at += 2) {
    const [from = 0, length = 0] = [parts[at], parts[at + 1]];
    const lines = { from, to: from + length };
    // In most there is nothing, and nothing is needed around them.
    const some = search({ ...lines, newlines: 0, first: 0, last: 0 }, from, length);
    if (some === null) return null;
    if (some.matches.length === 0) continue;
    const found = search(windowAround(sketch, lines, around), from, length);
    if (found === null) return null;
    matches.push(...found.matches);
    windows.push(...found.windows);
  }
  return { matches, windows };
}

function heldText({ text, newlines }: Read): HeldText {
  return {
    bytes: text.bytes,
    // As a whole it is, and a window may cut a letter.
    isPlain: () => true,
    around: (offset) => {
      const { line, start, next } = text.around(offset);
      return { line: line + newlines, start, next };
    },
  };
}

function linesOf(read: readonly Read[]): Pick<View, "lineAt" | "sizeAt"> {
  const windows = read.map(({ text, ...window }) => ({ ...window, ...lineAtIn(text) }));
  const holding = (line: number): (typeof windows)[number] | undefined =>
    windows.find(({ first, last }) => first <= line && line <= last);
  return {
    lineAt: (line) => {
      const window = holding(line);
      return window?.lineAt(line - window.newlines) ?? null;
    },
    sizeAt: (line) => {
      const window = holding(line);
      return window?.sizeAt(line - window.newlines) ?? null;
    },
  };
}

function sketchedVersion(
  { snapshots, sketches }: Sketching["session"],
  path: string,
  { hash }: Sketch,
): Version {
  const tag = snapshots.name(path, hash);
  // It may be held all the same, because it was read.
  const { show } = versionOf(snapshots, { path, tag });
  return {
    tag,
    show: (lines) => {
      const all = [...lines];
      show(all);
      sketches?.show(path, hash, all);
    },
  };
}
