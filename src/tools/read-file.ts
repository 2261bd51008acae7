import type { FileHandle } from "node:fs/promises";
import { wholeText } from "../edit/plan.ts";
import { type FileView, NOTEBOOK_VIEW, TEXT_VIEW } from "../edit/views.ts";
import { ToolError } from "../model/errors.ts";
import {
  AGENT_TEXT,
  KIND_BYTES,
  READ_LINES,
  SUMMARY_BYTES,
  SUMMARY_LEAST,
  SUMMARY_LINES,
  TAGGED_FILE,
} from "../model/limits.ts";
import type { LinesPage, ReadAnswer } from "../model/read-page.ts";
import type { LineRange, LineSpan, Selector } from "../model/selector.ts";
import { outlineOf } from "../syntax/outline.ts";
import { mergeRanges } from "../workspace/line-set.ts";
import { type StreamedLines, streamLines, tailLines } from "../workspace/line-stream.ts";
import { openFile, type Opened, readWhole } from "../workspace/open.ts";
import { selectsLines } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { type FileTarget, refuseForeign } from "./file-target.ts";
import { listConflicts } from "./read-conflicts.ts";
import { type Context, linesPage, pastEnd, restOf, withContext } from "./read-lines.ts";
import { versionOf } from "./view.ts";

/** A file on the disk: opened, checked on its descriptor, and shown in the version that its tag will stand for. */

export interface ReadFile extends FileTarget {
  /** It can be read and never edited. */
  readonly immutable?: boolean;
}

export async function readFilePage(
  session: Session,
  target: ReadFile,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const opened = await openFile(target.policy, target.path);
  try {
    const bytes = await readWhole(opened, TAGGED_FILE);
    const page =
      bytes === null
        ? await largePage(session, opened, target, selector, signal)
        : await heldPage(session, { opened, target, bytes, selector });
    return { page, resolved: null, realPath: opened.realPath };
  } finally {
    await opened.handle.close();
  }
}

interface Held {
  readonly opened: Opened;
  readonly target: ReadFile;
  readonly bytes: Buffer;
  readonly selector: Selector | null;
}

async function heldPage(session: Session, held: Held): Promise<ReadAnswer["page"]> {
  const { opened, target, bytes, selector } = held;
  refuseForeign(bytes, target.label);
  const { view, notes } = viewFor(held);
  const text = textLines(view.show(bytes, target.label));
  const editable = target.immutable !== true && opened.realPathBytes === undefined;
  const key = target.url ?? opened.realPath;
  // Of what is read raw nothing is remembered: without numbers no line can be named.
  const snapshot =
    editable && selector?.raw !== true ? session.snapshots.record(key, bytes, view.name) : null;
  if (selector?.conflicts === true) return listConflicts(session, { target, key, text, snapshot });
  const version = snapshot === null ? null : versionOf(session.snapshots, snapshot);
  return linesPage({
    label: target.label,
    tag: version?.tag ?? null,
    text,
    selector,
    settings: session.settings,
    elided: selector === null ? await bodies(target.path, text) : [],
    notes,
    show: version?.show ?? (() => {}),
  });
}

/** A notebook is shown as its cells, unless it is asked for raw or is none. */
function viewFor({ target, bytes, selector }: Held): {
  readonly view: FileView;
  readonly notes: readonly string[];
} {
  const plain = { view: TEXT_VIEW, notes: [] };
  if (!target.label.toLowerCase().endsWith(".ipynb")) return plain;
  // Marks of a merge stand in the file, whatever it is shown as.
  if (selector?.raw === true || selector?.conflicts === true) return plain;
  try {
    NOTEBOOK_VIEW.show(bytes, target.label);
    return { view: NOTEBOOK_VIEW, notes: [] };
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause;
    return { view: TEXT_VIEW, notes: [`Shown as text: ${cause.message}`] };
  }
}

/** Bodies that a summary of a long file of code leaves out; none when it would not be shorter. */
async function bodies(path: string, text: TextLines): Promise<readonly LineSpan[]> {
  if (text.bytes.length > SUMMARY_BYTES || text.span(SUMMARY_LEAST) === null) return [];
  if (text.count() > SUMMARY_LINES) return [];
  const outline = await outlineOf(path, wholeText(text));
  return outline?.elided ?? [];
}

/** Too large to hold: no tag, and no more of it in memory than the page. */
async function largePage(
  session: Session,
  { handle }: Opened,
  { label }: ReadFile,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<LinesPage> {
  const sniffed = Buffer.alloc(KIND_BYTES);
  const { bytesRead } = await handle.read(sniffed, 0, KIND_BYTES, 0);
  refuseForeign(sniffed.subarray(0, bytesRead), label);
  if (selector?.conflicts === true) {
    throw new ToolError("FILE_TOO_LARGE", `${label} is too large to look for its conflicts`);
  }
  const raw = selector?.raw ?? false;
  const streamed = await streamPage(handle, selector, raw ? NO_CONTEXT : session.settings, signal);
  const { lines, total, ranges } = streamed;
  const texts = new Map(lines.map(({ line, text }) => [line, text]));
  const missed = total === null ? undefined : ranges.find(({ first }) => first > total);
  return {
    kind: "lines",
    label,
    tag: null,
    raw,
    spans: spansOf([...texts.keys()].sort((a, b) => a - b)),
    from: ranges[0]?.first ?? 1,
    brokenOff: lines.find(({ whole }) => !whole)?.line ?? null,
    lineAt: (line) => texts.get(line) ?? null,
    total: () => total,
    elided: [],
    selectorFrom: (line) => restOf(ranges, line, raw),
    notes: missed === undefined || total === null ? [] : [pastEnd(missed.first, total)],
    show: () => {},
  };
}

const NO_CONTEXT = { contextBefore: 0, contextAfter: 0 };

interface Streamed extends StreamedLines {
  /** What was asked for, in order; lines at the end by their numbers. */
  readonly ranges: readonly LineRange[];
}

/** Lines around what was asked for are left out where they would leave it no room. */
async function streamPage(
  handle: FileHandle,
  selector: Selector | null,
  context: Context,
  signal: AbortSignal | undefined,
): Promise<Streamed> {
  const budget = { lines: READ_LINES + 1, bytes: AGENT_TEXT };
  const asked = selector === null || !selectsLines(selector) ? ALL : selector.ranges;
  const tail = selector?.tail ?? null;
  const named =
    asked.length === 0 ? NOTHING : await streamLines(handle, withContext(asked, context), budget, signal);
  const end = tail === null ? NOTHING : await tailLines(handle, tail + context.contextBefore, budget, signal);
  const total = named.total ?? end.total;
  const ranges =
    tail === null || total === null
      ? asked
      : mergeRanges([...asked, { first: Math.max(1, total - tail + 1), last: null }]);
  const lines = [...named.lines, ...end.lines];
  const first = ranges[0]?.first ?? 1;
  const crowded =
    lines.some(({ line }) => line < first) && !lines.some(({ line, whole }) => line === first && whole);
  const isThere = total === null || first <= total;
  if (crowded && isThere) return streamPage(handle, selector, NO_CONTEXT, signal);
  return { lines, total, ranges };
}

const ALL: readonly LineRange[] = [{ first: 1, last: null }];
const NOTHING: StreamedLines = { lines: [], total: null };

function spansOf(lines: readonly number[]): LineSpan[] {
  const spans: { first: number; last: number }[] = [];
  for (const line of lines) {
    const last = spans.at(-1);
    if (last !== undefined && last.last + 1 === line) last.last = line;
    else spans.push({ first: line, last: line });
  }
  return spans;
}
