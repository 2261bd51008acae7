import type { Ground } from "../engine/ground.ts";
import { grouped } from "../format/count.ts";
import { bounded, quoteName } from "../format/escape.ts";
import { ToolError } from "../model/errors.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import type { LineRange, Selector } from "../model/selector.ts";
import { selectsLines } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { agentRead, type Found } from "./agent-read.ts";
import { fileSize, largerThan } from "./large-file.ts";
import { wantedRanges } from "./read-lines.ts";

/**
 * The read of agents that name lines beside the path, not behind it: a page of exactly these lines, never an outline.
 * Called by Boris's `view`. A file over the limit is only shown in ranges: they are streamed, and cost no more than
 * those of a small one.
 */

export interface ViewGiven {
  readonly path: string;
  /** null: everything. */
  readonly range: LineRange | null;
  /** The largest file that is shown without a range. */
  readonly largest: number;
}

export interface ViewAnswer extends ReadAnswer {
  /** The lines that were asked for; the page may hold more, around them. */
  readonly ranges: readonly LineRange[];
}

export async function agentView(
  session: Session,
  { path, range, largest }: ViewGiven,
  ground: Ground,
): Promise<ViewAnswer> {
  let selector: Selector | null = null;
  const answer = await agentRead(session, path, ground, async (place) => {
    if (place.kind === "database") return refuseRows(place, range);
    refuseTwice(place.selector, range);
    if (range === null && !(place.selector !== null && selectsLines(place.selector))) {
      await refuseLarge(place, largest);
    }
    selector = selectorOf(place, range);
    return { ...place, selector };
  });
  const { page } = answer;
  if (page.kind !== "lines") return { ...answer, ranges: [] };
  if (range !== null && page.lineAt(range.first) === null) throw pastEnd(page.label, range, page.total());
  return { ...answer, ranges: wantedRanges(selector, () => page.total() ?? 0) };
}

/** Without any, a file would be shown as its outline. */
function selectorOf(place: Exclude<Found, { kind: "database" }>, range: LineRange | null): Selector | null {
  if (range !== null) return { raw: false, conflicts: false, ranges: [range], tail: null };
  if (place.selector !== null || (place.kind !== "file" && place.kind !== "resource")) return place.selector;
  return { raw: false, conflicts: false, ranges: [{ first: 1, last: null }], tail: null };
}

function refuseRows(place: Extract<Found, { kind: "database" }>, range: LineRange | null): Found {
  if (range === null) return place;
  throw new ToolError("INVALID_INPUT", `${place.path} is a database, which has no lines`, {
    hint: `Leave view_range out; ${place.path}:TABLE?limit=20&offset=20 pages through rows`,
  });
}

function refuseTwice(selector: Selector | null, range: LineRange | null): void {
  if (selector === null || range === null) return;
  throw new ToolError("INVALID_INPUT", "The path ends in a line selector, and view_range is given too", {
    hint: "Give one of them",
  });
}

async function refuseLarge(place: Found, largest: number): Promise<void> {
  const file =
    place.kind === "file"
      ? place.target
      : place.kind === "resource" && place.resource.kind === "file"
        ? { ...place.resource, label: place.resource.url }
        : null;
  if (file === null) return;
  const size = await fileSize(file);
  if (size <= largest) return;
  throw largerThan(file.label, size, largest, {
    what: "viewed whole",
    hint: "View some of it, such as view_range [1, 200], or look with grep for the lines that matter",
  });
}

function pastEnd(label: string, { first }: LineRange, total: number | null): ToolError {
  const lines = total ?? 0;
  const name = bounded(quoteName(label));
  if (lines === 0) return new ToolError("LINE_NOT_FOUND", `${name} is empty, so it has no line ${first}`);
  return new ToolError(
    "LINE_NOT_FOUND",
    `${name} has ${lines === 1 ? "1 line" : `${grouped(lines)} lines`}, so view_range cannot start at ${first}`,
    { hint: `Use view_range [${Math.max(1, lines - 99)}, ${lines}] for its end` },
  );
}
