/** What the `glob` tools of Claude and Boris give back: the text and the details of a page of paths. */
import { globText } from "../format/glob-text.ts";
import type { FindPage } from "../model/agent-page.ts";
import type { Session } from "../workspace/session.ts";
import { type CommonDetails, commonDetails } from "./details.ts";
import { keepWhole, type Truncation } from "./kept.ts";
import { type ToolResult, textResult } from "./result.ts";

export interface GlobDetails
  extends Pick<
    CommonDetails,
    "scopePath" | "totalFiles" | "engine" | "engineWhy" | "skipped" | "partial" | "notices"
  > {
  readonly durationMs: number;
  /** Listed in the text. */
  readonly numFiles: number;
  /** Relative to the root, absolute outside it; folders end in a slash. */
  readonly filenames: readonly string[];
  /** There is more than was listed, or may be. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** What had to be cut to fit, kept whole as an artifact. */
  readonly meta: { readonly truncation?: Truncation };
}

/** `bytes`: the cap on its text. */
export async function globAnswer(
  session: Session,
  page: FindPage,
  bytes: number,
): Promise<ToolResult<GlobDetails>> {
  const printed = globText(page, bytes);
  const kept = printed.cut ? await keepWhole(session, printed.whole) : null;
  const entries = page.entries.slice(0, printed.entries);
  const filenames = entries.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
  const { scopePath, totalFiles, engine, engineWhy, elapsedMs, skipped, partial, notices } = commonDetails(
    page,
    filenames,
    null,
  );
  return textResult(printed.text(kept?.note ?? ""), {
    durationMs: elapsedMs,
    numFiles: filenames.length,
    filenames,
    truncated: page.more || page.partial || printed.cut,
    timedOut: notices.some(({ code }) => code === "TIMED_OUT"),
    scopePath,
    totalFiles,
    engine,
    engineWhy,
    skipped,
    partial,
    notices,
    meta: kept === null ? {} : { truncation: kept.truncation(printed.shown) },
  });
}
