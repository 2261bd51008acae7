/** `Grep` as Claude Code knows it: what a model sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { missingNote, noticeLines, skippedText } from "../../format/agent-notes.ts";
import { fitted } from "../../format/fitted.ts";
import { grepLines, withinColumns } from "../../format/grep-text.ts";
import type { GrepPage } from "../../model/grep-page.ts";
import { AGENT_CONTEXT, CLAUDE_COLUMNS, CLAUDE_ROWS, CLAUDE_TEXT } from "../../model/limits.ts";
import type { Mode, Order } from "../../model/query.ts";
import { DEFAULTS } from "../../model/request.ts";
import { agentGrep } from "../../tools/agent-grep.ts";
import type { Session } from "../../workspace/session.ts";
import { pageDetails, type PageDetails } from "../details.ts";
import { type InputOf, readFields } from "../fields.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { wholeNumber } from "../numbers.ts";
import { type ToolResult, textResult } from "../result.ts";
import { GREP_FIELDS } from "./grep-definition.ts";
import { splitGlobs } from "./split-globs.ts";

export interface GrepDetails extends PageDetails {
  readonly mode: "content" | "files_with_matches" | "count";
  /** In the modes that list files. */
  readonly filenames: readonly string[];
  readonly numFiles: number;
  /** The lines of the answer, in the modes that have some. */
  readonly content?: string;
  readonly numLines?: number;
  /** The sum of the counts listed. */
  readonly numMatches?: number;
  /** Only when something was cut. */
  readonly appliedLimit?: number;
  readonly appliedOffset?: number;
  readonly meta: { readonly truncation?: Truncation };
}

const MODES = { content: "content", files_with_matches: "files", count: "count" } as const;

export async function claudeGrep(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<GrepDetails>> {
  const input = readFields(GREP_FIELDS, given);
  const outputMode = input.output_mode ?? "files_with_matches";
  const mode = MODES[outputMode];
  const limit = wholeNumber("head_limit", input.head_limit ?? CLAUDE_ROWS, 0);
  const globs = splitGlobs(input.glob ?? "");
  const page = await agentGrep(
    session,
    {
      pattern: input.pattern,
      insensitive: input["-i"] ?? false,
      multiline: input.multiline ?? false,
      path: input.path,
      scope: {
        include: globs.include,
        exclude: [...DEFAULTS.vcsFolders, ...globs.exclude],
        types: input.type === undefined || input.type === "" ? [] : [input.type],
        maxFileSize: session.settings.maxFileSize,
      },
      mode,
      order: orderOf(mode, ground.env),
      binary: "ripgrep",
      rows: {
        around: mode === "content" ? aroundOf(input) : { before: 0, after: 0 },
        gaps: "with context",
        counted: "rows",
        offset: wholeNumber("offset", input.offset ?? 0, 0),
        limit: limit === 0 ? null : limit,
      },
    },
    ground,
  );
  const layout = { lineNumbers: input["-n"] ?? true, text: withinColumns(CLAUDE_COLUMNS) };
  const lines = grepLines(page, layout);
  const applied: Applied = { limit: page.more ? lines.length : null, offset: page.skip };
  const printed = fitted(lines.length, CLAUDE_TEXT, {
    body: (shown) => [...heading(page, lines), ...lines.slice(0, shown)].join("\n"),
    closing: (_, kept) => closing(page, applied, kept),
    between: "\n\n",
  });
  const kept = printed.cut ? await keepWhole(session, printed.whole) : null;
  const shown = lines.slice(0, printed.entries);
  return textResult(printed.text(kept?.note ?? ""), {
    ...pageDetails(page),
    mode: outputMode,
    ...listed(page, shown),
    ...(applied.limit === null ? {} : { appliedLimit: applied.limit }),
    ...(applied.offset === 0 ? {} : { appliedOffset: applied.offset }),
    meta: kept === null ? {} : { truncation: kept.truncation(shown.join("\n")) },
  });
}

/** Newest first; by name in a test run, where times would make the answer another one each time. */
function orderOf(mode: Mode, env: NodeJS.ProcessEnv): Order {
  return mode === "files" && env["NODE_ENV"] !== "test" ? "mtime" : "path";
}

function aroundOf(input: InputOf<typeof GREP_FIELDS>): { readonly before: number; readonly after: number } {
  const lines = (name: "-A" | "-B" | "-C" | "context"): number | undefined => {
    const given = input[name];
    return given === undefined ? undefined : Math.min(wholeNumber(name, given, 0), AGENT_CONTEXT);
  };
  const both = lines("context") ?? lines("-C");
  return { before: both ?? lines("-B") ?? 0, after: both ?? lines("-A") ?? 0 };
}

function heading({ mode }: GrepPage, lines: readonly string[]): readonly string[] {
  if (mode === "files")
    return [lines.length === 0 ? "No files found" : `Found ${many(lines.length, "file")}`];
  return lines.length === 0 ? ["No matches found"] : [];
}

function totals({ files }: GrepPage): string {
  return `Found ${many(sum(files), "total occurrence")} across ${many(files.length, "file")}.`;
}

/** Plain digits, as programs read them that know this text. */
function many(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

function sum(files: GrepPage["files"]): number {
  return files.reduce((all, { lines }) => all + lines, 0);
}

/** `kept`: where all lines are, if not all of them fit. */
function closing(page: GrepPage, applied: Applied, kept: string | null): string {
  const nothing = page.rows.length === 0 && page.files.length === 0;
  const skipped = nothing ? skippedText(page.skipped) : null;
  const pagination = [
    ...(applied.limit === null ? [] : [`limit: ${applied.limit}`]),
    ...(applied.offset === 0 ? [] : [`offset: ${applied.offset}`]),
  ];
  const notes = [
    ...(pagination.length === 0 ? [] : [`Showing results with pagination = ${pagination.join(", ")}`]),
    ...(kept === null ? [] : [`Cut to fit: ${kept}`]),
    ...(nothing && (page.totalFiles ?? 0) > 0
      ? [`${many(page.totalFiles ?? 0, "file")} matched, and offset ${page.skip} is past ${PAST[page.mode]}`]
      : []),
    ...(skipped === null ? [] : [`Skipped: ${skipped}`]),
    ...missingNote(page.missing),
    ...noticeLines(page.notices, nothing ? "nothing" : "something"),
    ...(page.partial ? ["Not everything was searched; narrow path or glob"] : []),
  ];
  const said = notes.map((note) => `[${note}]`).join("\n");
  return page.mode === "count" ? [totals(page), ...(said === "" ? [] : [said])].join("\n\n") : said;
}

/** What an offset counts. */
const PAST = { content: "their last line", files: "them", count: "them" } as const;

interface Applied {
  /** null: nothing was cut. */
  readonly limit: number | null;
  readonly offset: number;
}

function listed(
  { mode, files }: GrepPage,
  shown: readonly string[],
): Pick<GrepDetails, "filenames" | "numFiles" | "content" | "numLines" | "numMatches"> {
  if (mode === "content") {
    return { filenames: [], numFiles: 0, content: shown.join("\n"), numLines: shown.length };
  }
  const names = files.slice(0, shown.length);
  const filenames = mode === "files" ? names.map(({ file }) => file.path) : [];
  if (mode === "files") return { filenames, numFiles: names.length };
  return { filenames, numFiles: names.length, content: shown.join("\n"), numMatches: sum(names) };
}
