/** `grep` as Boris knows it: what a model sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { fitted } from "../../format/fitted.ts";
import { aroundMatch, grepLines } from "../../format/grep-text.ts";
import { ToolError } from "../../model/errors.ts";
import { AGENT_CONTEXT, AGENT_TEXT, BORIS_FILE, VIEW_CHARACTERS } from "../../model/limits.ts";
import { type AgentGrep, agentGrep } from "../../tools/agent-grep.ts";
import type { Session } from "../../workspace/session.ts";
import { pageDetails, type PageDetails } from "../details.ts";
import { type InputOf, readFields } from "../fields.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { wholeNumber } from "../numbers.ts";
import { type ToolResult, textResult } from "../result.ts";
import { GREP_COMPAT, GREP_FIELDS } from "./grep-definition.ts";
import { grepNotes } from "./grep-notes.ts";
import { inOwnWords } from "./own-words.ts";
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
  const request: AgentGrep = {
    pattern: input.pattern,
    insensitive: input.case_insensitive ?? false,
    multiline: input.multiline ?? false,
    path: input.path === "" ? undefined : input.path,
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
      around: mode === "content" ? aroundOf(input, given) : { before: 0, after: 0 },
      gaps: "always",
      counted: "matching lines",
      offset: wholeNumber("offset", input.offset ?? 0, 0),
      limit: limit === 0 ? null : limit,
    },
  };
  const page = await inOwnWords(() => agentGrep(session, request, ground));
  const lines = grepLines(page, {
    lineNumbers: input.line_numbers ?? true,
    text: aroundMatch(VIEW_CHARACTERS),
  });
  const handedOut = mode === "content" ? page.rows.filter((row) => row?.hit === true) : page.files;
  const nextOffset = page.more ? page.skip + handedOut.length : null;
  const noted = {
    page,
    include: request.scope.include?.[0] ?? null,
    includeField: anthropicCompat ? GREP_COMPAT.include : "include",
    nextOffset,
  };
  const nothing = mode === "files" ? "No files found" : "No matches found";
  const printed = fitted(lines.length, AGENT_TEXT, {
    body: (shown) => (lines.length === 0 ? nothing : lines.slice(0, shown).join("\n")),
    closing: (_, kept) => grepNotes(noted, kept),
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

/** One side by itself wins over both. `given`: the same as it was sent. */
function aroundOf(
  input: InputOf<typeof GREP_FIELDS>,
  given: unknown,
): { readonly before: number; readonly after: number } {
  const lines = (name: "context_before" | "context_after" | "context"): number | undefined => {
    const asked = input[name];
    if (asked === undefined) return undefined;
    return Math.min(wholeNumber(sentAs(name, given), asked, 0), AGENT_CONTEXT);
  };
  const both = lines("context") ?? 0;
  return { before: lines("context_before") ?? both, after: lines("context_after") ?? both };
}

/** The name that a field was sent by. */
function sentAs(name: keyof typeof GREP_COMPAT, given: unknown): string {
  const sent = new Map(Object.entries(Object(given)));
  return [name, ...GREP_FIELDS[name].aliases].find((as) => (sent.get(as) ?? null) !== null) ?? name;
}
