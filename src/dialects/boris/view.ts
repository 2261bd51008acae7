/** `view` as an agent of Boris's dialect sees it: a file's numbered lines, or a folder's tree. */
import type { Ground } from "../../engine/ground.ts";
import { viewText } from "../../format/view-text.ts";
import { ToolError } from "../../model/errors.ts";
import { AGENT_TEXT, BORIS_FILE, READ_LINES, VIEW_LINES } from "../../model/limits.ts";
import type { LinesPage } from "../../model/read-page.ts";
import type { LineRange } from "../../model/selector.ts";
import { agentView, type ViewAnswer } from "../../tools/agent-view.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import type { Truncation } from "../kept.ts";
import { type PlaceDetails, placeDetails, resolvedText, toldText } from "../read-place.ts";
import { type ToolResult, textResult } from "../result.ts";
import { VIEW_FIELDS } from "./file-definitions.ts";
import { inOwnWords } from "./own-words.ts";

export interface ViewDetails extends PlaceDetails {
  /** The lines shown, and how many there are if somebody counted; null where there are no lines. */
  readonly lines: { readonly first: number; readonly last: number; readonly total: number | null } | null;
  /** What to view next; null when there is nothing, or it takes more than one range. */
  readonly nextViewRange: readonly [start: number, end: number] | null;
  readonly truncated: boolean;
  readonly truncatedBy: "lines" | "bytes" | null;
  readonly meta: { readonly source: string; readonly truncation?: Truncation };
}

export async function borisView(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<ViewDetails>> {
  const { path, view_range } = readFields(VIEW_FIELDS, given);
  const range = view_range === undefined ? null : rangeOf(view_range);
  const largest = session.settings.maxFileSize ?? BORIS_FILE;
  const answer = await inOwnWords(() => agentView(session, { path, range, largest }, ground));
  const said = resolvedText(answer.resolved);
  const { page } = answer;
  if (page.kind === "lines") return linesResult(answer, page, range === null ? VIEW_LINES : READ_LINES, said);
  const { text, truncation } = await toldText(session, page, said);
  return textResult(text, {
    ...placeDetails(answer),
    lines: null,
    nextViewRange: null,
    truncated: page.cut || truncation !== null,
    truncatedBy: truncation === null ? null : "bytes",
    meta: { source: page.label, ...(truncation === null ? {} : { truncation }) },
  });
}

function linesResult(
  answer: ViewAnswer,
  page: LinesPage,
  lines: number,
  said: string,
): ToolResult<ViewDetails> {
  const printed = viewText(page, answer.ranges, { lines, bytes: AGENT_TEXT - Buffer.byteLength(said) });
  page.show(printed.shown);
  return textResult(`${said}${printed.text}`, {
    ...placeDetails(answer),
    lines: printed.range === null ? null : { ...printed.range, total: page.total() },
    nextViewRange: printed.next,
    truncated: printed.cutBy !== null,
    truncatedBy: printed.cutBy,
    meta: { source: page.label },
  });
}

/** `[start, end]` as lines that there could be. */
function rangeOf(given: readonly number[]): LineRange {
  const [start, end] = given;
  if (given.length !== 2 || !isWhole(start) || !isWhole(end)) {
    throw invalid(given, "must be two whole numbers, [start, end]");
  }
  if (start < 1) throw invalid(given, "starts before line 1; lines are counted from 1");
  if (end === -1) return { first: start, last: null };
  if (end < start) throw invalid(given, "ends before it starts");
  return { first: start, last: end };
}

function isWhole(number: number | undefined): number is number {
  return number !== undefined && Number.isSafeInteger(number);
}

function invalid(given: readonly number[], how: string): ToolError {
  return new ToolError("INVALID_INPUT", `view_range ${JSON.stringify(given).slice(0, 60)} ${how}`, {
    hint: "[1, 50] is the first 50 lines, [51, -1] all behind them",
  });
}
