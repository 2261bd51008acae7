/** `search` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { type SearchText, searchText } from "../../format/search-text.ts";
import type { SearchPage } from "../../model/agent-page.ts";
import type { Excerpt } from "../../model/excerpt.ts";
import {
  AGENT_CONTEXT,
  AGENT_PAGE_FILES,
  AGENT_TEXT,
  LINE_CHARACTERS,
  PAGE_FILES,
} from "../../model/limits.ts";
import { agentSearch } from "../../tools/agent-search.ts";
import type { Session } from "../../workspace/session.ts";
import { type CommonDetails, commonDetails } from "../details.ts";
import { readFields } from "../fields.ts";
import { SEARCH_FIELDS } from "./definitions.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { wholeNumber } from "../numbers.ts";
import { type ToolResult, textResult } from "../result.ts";

export interface SearchDetails extends CommonDetails {
  /** On this page; in mode files, the files. */
  readonly matchCount: number;
  readonly fileMatches: readonly { readonly path: string; readonly count: number }[];
  readonly fileLimitReached: boolean;
  readonly perFileLimitReached: boolean;
  readonly linesTruncated: boolean;
  readonly truncated: boolean;
  /** For a person's screen, with `│` gutters; only in mode content. */
  readonly displayContent?: string;
  readonly meta: { readonly truncation?: Truncation };
}

export async function quarrySearch(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<SearchDetails>> {
  const input = readFields(SEARCH_FIELDS, given);
  const page = await agentSearch(
    session,
    {
      pattern: input.pattern,
      paths: input.paths,
      literal: input.literal ?? false,
      insensitive: input.i ?? false,
      multiline: input.multiline ?? false,
      gitignore: input.gitignore ?? true,
      types: list(input.type),
      mode: input.mode ?? "content",
      context:
        input.context === undefined
          ? undefined
          : Math.min(wholeNumber("context", input.context, 0), AGENT_CONTEXT),
      skip: wholeNumber("skip", input.skip ?? 0, 0),
      limit: Math.min(wholeNumber("limit", input.limit ?? PAGE_FILES, 1), AGENT_PAGE_FILES),
    },
    ground,
  );
  const printed = searchText(page, { bytes: AGENT_TEXT, lineCharacters: LINE_CHARACTERS });
  const kept = printed.cut ? await keepWhole(session, printed.whole) : null;
  const text = printed.text(kept?.note ?? "");
  const shown = page.excerpts.slice(0, printed.files);
  for (const [at, excerpt] of shown.entries()) recordShown(excerpt, printed, at);
  return textResult(
    text,
    details(page, printed, shown, kept === null ? undefined : kept.truncation(printed.shown())),
  );
}

/** Rows come by rising lines, of which those that stand together are one span. */
function recordShown(excerpt: Excerpt, { rows }: SearchText, at: number): void {
  const spans: { readonly first: number; last: number }[] = [];
  for (const { line, whole } of rows[at] ?? []) {
    if (!whole || line === null) continue;
    const before = spans.at(-1);
    if (before !== undefined && before.last + 1 === line) before.last = line;
    else spans.push({ first: line, last: line });
  }
  excerpt.show(spans);
}

function details(
  page: SearchPage,
  printed: SearchText,
  shown: readonly Excerpt[],
  truncation: Truncation | undefined,
): SearchDetails {
  const content = page.mode === "content";
  const matches = shown.map((excerpt, at) =>
    content ? (printed.rows[at] ?? []).filter(({ begins }) => begins).length : excerpt.matches,
  );
  const files = shown.map(({ file }) => file.path);
  const told: SearchDetails = {
    ...commonDetails(page, files, printed.nextSkip),
    matchCount: matches.reduce((sum, count) => sum + count, 0),
    fileMatches: files.map((path, at) => ({ path, count: matches[at] ?? 0 })),
    fileLimitReached: printed.nextSkip !== null,
    perFileLimitReached: shown.some(({ rest }) => rest !== null),
    linesTruncated: printed.rows.some((rows) => rows.some((row) => !row.whole)),
    truncated: printed.cut,
    meta: truncation === undefined ? {} : { truncation },
  };
  return content ? withDisplay(told, printed.display) : told;
}

/** Made where somebody has a screen, and once; beside the details, which may be frozen. */
function withDisplay(told: SearchDetails, make: () => string): SearchDetails {
  DISPLAYS.set(told, make);
  return Object.defineProperty(told, "displayContent", DISPLAY_CONTENT);
}

const DISPLAYS = new WeakMap<SearchDetails, string | (() => string)>();

/** The same for every answer: with a getter of its own, each would be an object of its own shape, and stay for long. */
const DISPLAY_CONTENT: PropertyDescriptor & ThisType<SearchDetails> = {
  get() {
    const made = DISPLAYS.get(this);
    const text = typeof made === "function" ? made() : made;
    if (text !== undefined) DISPLAYS.set(this, text);
    return text;
  },
  enumerable: true,
  configurable: true,
};

/** Names of types hold neither commas nor blanks. */
function list(given: string | readonly string[] = []): readonly string[] {
  return [given].flat().flatMap((names) => names.split(/[,\s]+/).filter((name) => name !== ""));
}
