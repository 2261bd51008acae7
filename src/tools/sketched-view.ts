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
  const { session, around, tags } = sketching;
  const { root, policy, sketches } = session;
  if (sketches === null || where === undefined || where.size < SKETCHED_FILE) return null;
  // What is read of it by and by is of one version only where a change would show.
  if (!isSettled(where, Date.now())) return null;
  return openNow(policy, onDisk(root, file.path, file.pathBytes), ({ fd, stat, realPath }) => {
    if (!sameStamp(where, stat)) return null;
    const parts = matchingParts(fd, file, where.parts, sketching);
    if (parts === null || parts.length === 0) return null;
    const known = sketches.recall(realPath, stat);
    const sketch = known ?? sketchOf(fd, stat.size);
    if (sketch === null) return null;
    const windows = windowsAround(sketch, parts, around);
    const sum = windows.reduce((before, { from, to }) => before + to - from, 0);
    const found = sum > SKETCHED_FILE ? null : matchesIn(fd, file, windows, sketching);
    if (!sameStamp(where, fstatSync(fd))) return null;
    if (known === null) sketches.record(realPath, sketch, where);
    if (found === null) return null;
    const version = tags ? sketchedVersion(session, realPath, sketch) : null;
    return { ...linesOf(found.windows), matches: found.matches, version, lines: 0 };
  });
}

/** Bytes of a file: whole lines. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Those of the parts, start and length by turns, that have the first matches; null: only a search of all of it tells. */
function matchingParts(
  fd: OpenNow["fd"],
  file: FilePath,
  given: readonly number[],
  { searcher, matches }: Sketching,
): readonly Part[] | null {
  const parts: Part[] = [];
  let left = matches;
  for (let at = 0; at < given.length && left > 0; at += 2) {
    const [from = 0, length = 0] = [given[at], given[at + 1]];
    // With the newline before it: what looks like a byte order mark is one only where a file begins.
    const start = Math.max(0, from - 1);
    const text = readLines(fd, start, from + length);
    const found = text && searcher.now(heldText(text, 0), file, left, [from - start, length]);
    if (found === null) return null;
    if (found.length > 0) parts.push({ from, to: from + length });
    left -= found.length;
  }
  return parts;
}

/** A window, and where in the file the matches are that it is for. */
interface Surroundings extends Window {
  readonly parts: readonly Part[];
}

/** Each line is in one of them at most. */
function windowsAround(sketch: Sketch, parts: readonly Part[], around: Around): readonly Surroundings[] {
  const windows: Surroundings[] = [];
  for (const part of parts) {
    const next = windowAround(sketch, part, around);
    const last = windows.at(-1);
    if (last === undefined || last.to < next.from) windows.push({ ...next, parts: [part] });
    else
      windows[windows.length - 1] = {
        ...last,
        to: next.to,
        last: next.last,
        parts: [...last.parts, part],
      };
  }
  return windows;
}

interface Read extends Window {
  readonly text: TextLines;
}

interface Matched {
  readonly matches: readonly Match[];
  /** All lines that may be shown with them are in these. */
  readonly windows: readonly Read[];
}

/** null: only a search of the whole file tells, or it has become shorter. */
function matchesIn(
  fd: OpenNow["fd"],
  file: FilePath,
  around: readonly Surroundings[],
  { searcher, matches: needed }: Sketching,
): Matched | null {
  const matches: Match[] = [];
  const windows: Read[] = [];
  for (const { parts, ...window } of around) {
    const text = readLines(fd, window.from, window.to);
    if (text === null) return null;
    const held = heldText(text, window.newlines);
    // One by one, as they were found: of all together it might be said that the whole file is better searched.
    for (const { from, to } of parts) {
      const found = searcher.now(held, file, needed - matches.length, [from - window.from, to - from]);
      if (found === null) return null;
      matches.push(...found);
    }
    windows.push({ ...window, text });
  }
  return { matches, windows };
}

/** null: the file is shorter. */
function readLines(fd: OpenNow["fd"], from: number, to: number): TextLines | null {
  const bytes = Buffer.allocUnsafeSlow(to - from);
  return fillNow(fd, bytes, from) === bytes.length ? textLines(bytes) : null;
}

/** `newlines`: before it in the file. */
function heldText(text: TextLines, newlines: number): HeldText {
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
