/** `grep` as Boris knows it: what a model sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { missingNote, noticeLines, skippedText } from "../../format/agent-notes.ts";
import { fitted } from "../../format/fitted.ts";
import { count, grouped } from "../../format/count.ts";
import { aroundMatch, grepLines } from "../../format/grep-text.ts";
import { ToolError } from "../../model/errors.ts";
import type { GrepPage } from "../../model/grep-page.ts";
import { AGENT_CONTEXT, AGENT_TEXT, BORIS_FILE, VIEW_CHARACTERS } from "../../model/limits.ts";
import { agentGrep } from "../../tools/agent-grep.ts";
import type { Session } from "../../workspace/session.ts";
import { pageDetails, type PageDetails } from "../details.ts";
import { type InputOf, readFields } from "../fields.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { wholeNumber } from "../numbers.ts";
import { type ToolResult, textResult } from "../result.ts";
import { GREP_COMPAT, GREP_FIELDS } from "./grep-definition.ts";
import { BORIS_SCOPE } from "./scope.ts";
import { typeGlobs } from "./types.ts";

export interface GrepDetails extends PageDetails {
  readonly mode: "content" | "files_with_matches" | "count";
  readonly files: readonly { readonly path: string; readonly count: number }[];
  /** Lines that match, in the answer's text. */
  readonly matchingLines: number;
  /** `offset` of the next page; null when there is none. */
  readonly nextOffset: number | null;
  readonly meta: { readonly truncation?: Truncation };
}

const MODES = { content: "content", files_with_matches: "files", count: "count" } as const;

export async function borisGrep(
  session: Session,
  given: unknown,
  ground: Ground,
  { anthropicCompat }: { readonly anthropicCompat: boolean },
): Promise<ToolResult<GrepDetails>> {
  const input = readFields(GREP_FIELDS, given, anthropicCompat ? GREP_COMPAT : {});
  if (input.pattern === "") throw new ToolError("INVALID_INPUT", "pattern is empty");
  const outputMode = input.output_mode ?? "files_with_matches";
  const mode = MODES[outputMode];
  const limit = wholeNumber("head_limit", input.head_limit ?? 0, 0);
  const page = await agentGrep(
    session,
    {
      pattern: input.pattern,
      insensitive: input.case_insensitive ?? false,
      multiline: input.multiline ?? false,
      path: input.path,
      scope: {
        ...BORIS_SCOPE,
        include: input.include === undefined || input.include === "" ? [] : [input.include],
        includeNames: true,
        typeGlobs: input.type === undefined || input.type === "" ? [] : typeGlobs(input.type),
        maxFileSize: session.settings.maxFileSize ?? BORIS_FILE,
      },
      mode,
      order: mode === "files" ? "mtime" : "path",
      binary: "first-bytes",
      rows: {
        around: mode === "content" ? aroundOf(input) : { before: 0, after: 0 },
        gaps: "always",
        counted: "matching lines",
        offset: wholeNumber("offset", input.offset ?? 0, 0),
        limit: limit === 0 ? null : limit,
      },
    },
    ground,
  );
  const lines = grepLines(page, {
    lineNumbers: input.line_numbers ?? true,
    text: aroundMatch(VIEW_CHARACTERS),
  });
  const handedOut = mode === "content" ? page.rows.filter((row) => row?.hit === true) : page.files;
  const nextOffset = page.more ? page.skip + handedOut.length : null;
  const nothing = mode === "files" ? "No files found" : "No matches found";
  const printed = fitted(lines.length, AGENT_TEXT, {
    body: (shown) => (lines.length === 0 ? nothing : lines.slice(0, shown).join("\n")),
    closing: (_, kept) => closing(page, nextOffset, kept),
    between: "\n\n",
  });
  const kept = printed.cut ? await keepWhole(session, printed.whole) : null;
  const shown = page.rows.slice(0, printed.entries);
  return textResult(printed.text(kept?.note ?? ""), {
    ...pageDetails(page),
    mode: outputMode,
    files: page.files
      .slice(0, printed.entries)
      .map(({ file, lines: own }) => ({ path: file.path, count: own })),
    matchingLines: shown.filter((row) => row?.hit === true).length,
    nextOffset,
    meta: kept === null ? {} : { truncation: kept.truncation(printed.shown) },
  });
}

/** One side by itself wins over both. */
function aroundOf(input: InputOf<typeof GREP_FIELDS>): { readonly before: number; readonly after: number } {
  const lines = (name: "context_before" | "context_after" | "context"): number | undefined => {
    const given = input[name];
    return given === undefined ? undefined : Math.min(wholeNumber(name, given, 0), AGENT_CONTEXT);
  };
  const both = lines("context") ?? 0;
  return { before: lines("context_before") ?? both, after: lines("context_after") ?? both };
}

/** `kept`: where all lines are, if not all of them fit. */
function closing(page: GrepPage, nextOffset: number | null, kept: string | null): string {
  const nothing = page.rows.length === 0 && page.files.length === 0;
  const skipped = nothing ? skippedText({ ...page.skipped, denied: 0 }) : null;
  const past = nothing && (page.totalFiles ?? 0) > 0;
  const notes = [
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(past
      ? [`${count(page.totalFiles ?? 0, "file")} match, and offset ${grouped(page.skip)} is past them`]
      : []),
    ...(skipped === null ? [] : [`Skipped: ${skipped}`]),
    ...missingNote(page.missing),
    ...noticeLines(page.notices, nothing ? "nothing" : "something"),
    ...(page.partial ? ["Not everything was searched; narrow path or include"] : []),
    ...(nextOffset === null ? [] : [`There is more. Use offset=${nextOffset} for the next page`]),
  ];
  return notes.map((note) => `[${note}]`).join("\n");
}
