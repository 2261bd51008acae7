/** `read` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { readText } from "../../format/read-text.ts";
import { AGENT_TEXT, READ_LINES } from "../../model/limits.ts";
import type { LinesPage, ReadAnswer, ToldPage } from "../../model/read-page.ts";
import type { LineSpan } from "../../model/selector.ts";
import { agentRead } from "../../tools/agent-read.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import type { Truncation } from "../kept.ts";
import { type PlaceDetails, placeDetails, resolvedText, toldText } from "../read-place.ts";
import { type ToolResult, textResult } from "../result.ts";
import { READ_FIELDS } from "./definitions.ts";

export interface ReadDetails extends PlaceDetails {
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
  const said = resolvedText(resolved);
  if (page.kind === "lines") return linesResult(answer, page, said);
  return toldResult(session, answer, page, said);
}

/** A text of its own. */
async function toldResult(
  session: Session,
  answer: ReadAnswer,
  page: ToldPage,
  said: string,
): Promise<ToolResult<ReadDetails>> {
  const { text, truncation } = await toldText(session, page, said);
  return textResult(text, {
    ...placeDetails(answer),
    tag: null,
    lines: null,
    nextSelector: null,
    truncated: page.cut || truncation !== null,
    meta: { source: page.label, ...(truncation === null ? {} : { truncation }) },
  });
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
    ...placeDetails(answer),
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
