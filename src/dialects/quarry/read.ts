/** `read` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { bounded, escapeText, quoteName } from "../../format/escape.ts";
import { fit } from "../../format/fit.ts";
import { readText } from "../../format/read-text.ts";
import { AGENT_TEXT, READ_LINES } from "../../model/limits.ts";
import type { LinesPage, ReadAnswer, ReadPage, ToldPage } from "../../model/read-page.ts";
import type { LineSpan } from "../../model/selector.ts";
import { agentRead } from "../../tools/agent-read.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { type ToolResult, textResult } from "../result.ts";
import { READ_FIELDS } from "./definitions.ts";

export interface ReadDetails {
  readonly kind: ReadPage["kind"];
  readonly path: string;
  /** The file that was read, links resolved; null when it is none on the disk. */
  readonly resolvedPath: string | null;
  readonly isDirectory: boolean;
  /** A path that was not there, and the one that was taken for it. */
  readonly suffixResolution?: { readonly from: string; readonly to: string };
  readonly tag: string | null;
  /** The lines shown, and how many there are if somebody counted; null where there are no lines. */
  readonly lines: { readonly first: number; readonly last: number; readonly total: number | null } | null;
  /** What to read next, as a selector without its colon. */
  readonly nextSelector: string | null;
  readonly summary?: {
    readonly lines: number;
    readonly elidedSpans: readonly LineSpan[];
    readonly elidedLines: number;
  };
  /** The text without numbers, for a person's screen. */
  readonly displayContent?: { readonly text: string; readonly startLine: number };
  readonly truncated: boolean;
  readonly meta: {
    readonly source: string;
    /** Of lines of a file, which can be read on; or of a text that was kept whole. */
    readonly truncation?:
      | Truncation
      | {
          readonly direction: "head";
          readonly truncatedBy: "lines" | "bytes";
          readonly totalLines: number | null;
          readonly shownLines: number;
          readonly shownRange: LineSpan | null;
          readonly nextSelector: string | null;
          readonly artifactId: null;
        };
  };
}

export async function quarryRead(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<ReadDetails>> {
  const { path } = readFields(READ_FIELDS, given);
  const answer = await agentRead(session, path, ground);
  const { page, resolved } = answer;
  const said =
    resolved === null
      ? ""
      : `[${bounded(quoteName(resolved.from))} was not found; this is ${bounded(quoteName(resolved.to))}, the one path that fits]\n`;
  if (page.kind === "lines") return linesResult(answer, page, said);
  return toldResult(session, answer, page, said);
}

/** A text of its own; one that is too long is cut at a line and kept whole. */
async function toldResult(
  session: Session,
  answer: ReadAnswer,
  page: ToldPage,
  said: string,
): Promise<ToolResult<ReadDetails>> {
  const notes = page.notes.map((note) => `[${escapeText(note)}]`);
  const whole = [page.text, ...notes].filter((part) => part !== "").join("\n");
  const common = { ...commonDetails(answer), tag: null, lines: null, nextSelector: null };
  if (Buffer.byteLength(said) + Buffer.byteLength(whole) <= AGENT_TEXT) {
    return textResult(`${said}${whole}`, { ...common, truncated: page.cut, meta: { source: page.label } });
  }
  const rows = whole.split("\n");
  const count = fit(rows.length, (shown) => said + rows.slice(0, shown).join("\n"), AGENT_TEXT - NOTE);
  const shown = rows.slice(0, count).join("\n");
  const kept = await keepWhole(session, whole);
  return textResult(`${said}${shown}\n[Cut to fit: ${kept.note}]`, {
    ...common,
    truncated: true,
    meta: { source: page.label, truncation: kept.truncation(shown) },
  });
}

/** Room for what is said of a cut. */
const NOTE = 200;

function commonDetails({
  page,
  resolved,
  realPath,
}: ReadAnswer): Pick<ReadDetails, "kind" | "path" | "resolvedPath" | "isDirectory" | "suffixResolution"> {
  return {
    kind: page.kind,
    path: page.label,
    resolvedPath: realPath,
    isDirectory: page.kind === "folder",
    ...(resolved === null ? {} : { suffixResolution: resolved }),
  };
}

function linesResult(answer: ReadAnswer, asked: LinesPage, said: string): ToolResult<ReadDetails> {
  const budget = { lines: READ_LINES, bytes: AGENT_TEXT - Buffer.byteLength(said) };
  const whole = asked.elided.length === 0 ? null : readText({ ...asked, elided: [] }, budget);
  const summed = readText(asked, budget);
  // A summary is there to save: one that does not is no use.
  const useless = whole !== null && whole.next === null && whole.text.length <= summed.text.length;
  const printed = useless ? whole : summed;
  asked.show(printed.shown);
  const { range } = printed;
  const elidedLines = printed.elided.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const cut = printed.cutBy;
  return textResult(`${said}${printed.text}`, {
    ...commonDetails(answer),
    tag: asked.tag,
    lines: range === null ? null : { ...range, total: asked.total() },
    nextSelector: printed.next,
    ...(printed.elided.length === 0
      ? {}
      : { summary: { lines: printed.lines, elidedSpans: printed.elided, elidedLines } }),
    ...(range === null ? {} : { displayContent: { text: printed.plain.join("\n"), startLine: range.first } }),
    truncated: cut !== null,
    meta: {
      source: asked.label,
      ...(cut === null
        ? {}
        : {
            truncation: {
              direction: "head" as const,
              truncatedBy: cut,
              totalLines: asked.total(),
              shownLines: printed.lines,
              shownRange: range,
              nextSelector: printed.next,
              artifactId: null,
            },
          }),
    },
  });
}
