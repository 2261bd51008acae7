/**
 * What the details of each tool hold, as JSON schemas for clients that want them as structured content. The types of
 * the details stand beside the tools; the compiler holds these schemas to them. Called by `mcp/tool-list.ts`, and
 * light to load.
 */
import type { ErrorCode } from "../model/errors.ts";
import type { Notice, NoticeCode } from "../model/notice.ts";
import type { LineSpan } from "../model/selector.ts";
import type { Skipped } from "../model/summary.ts";
import type { CreateFileDetails } from "./boris/create-file.ts";
import type { GrepDetails as BorisGrepDetails } from "./boris/grep.ts";
import type { StrReplaceDetails } from "./boris/str-replace.ts";
import type { ViewDetails } from "./boris/view.ts";
import type { GrepDetails as ClaudeGrepDetails } from "./claude/grep.ts";
import type { CommonDetails, PageDetails } from "./details.ts";
import type { DialectName } from "./dialects.ts";
import type { GlobDetails } from "./glob-answer.ts";
import type { Truncation } from "./kept.ts";
import type { EditDetails, FileEdit } from "./quarry/edit.ts";
import type { FindDetails } from "./quarry/find.ts";
import type { ReadDetails } from "./quarry/read.ts";
import type { SearchDetails } from "./quarry/search.ts";
import type { WriteDetails } from "./quarry/write.ts";
import type { PlaceDetails } from "./read-place.ts";
import type { Failure } from "./result.ts";
import {
  choice,
  either,
  fields,
  list,
  type Needed,
  NULL,
  orNull,
  type Schema,
  TEXT,
  TRUTH,
  WHOLE,
  word,
} from "./schema.ts";

export interface OutputSchema {
  readonly type: "object";
  readonly anyOf: readonly object[];
}

/** By the names of the tools. Every one may fail, and its details are what went wrong then. */
export function outputSchemas(
  dialect: DialectName,
  { anthropicCompat = false }: { readonly anthropicCompat?: boolean } = {},
): ReadonlyMap<string, OutputSchema> {
  const tools = Object.entries(OUTPUTS[anthropicCompat ? "compat" : dialect]);
  return new Map(tools.map(([name, kinds]) => [name, { type: "object", anyOf: [...kinds, FAILURE] }]));
}

const FAILURE: Schema<Failure> = fields<Failure>({ code: word<ErrorCode>(), message: TEXT }, { hint: TEXT });

const TRUNCATION: Schema<Truncation> = fields<Truncation>({
  direction: choice("head"),
  truncatedBy: choice("bytes"),
  totalLines: WHOLE,
  shownLines: WHOLE,
  totalBytes: WHOLE,
  shownBytes: WHOLE,
  shownRange: span(),
  artifactId: orNull(TEXT),
});

const CUT: Schema<{ readonly truncation?: Truncation }> = fields<{ readonly truncation?: Truncation }>(
  {},
  { truncation: TRUNCATION },
);

const SOURCE: Schema<{ readonly source: string }> = fields<{ readonly source: string }>({ source: TEXT });

const PAGE: Needed<PageDetails> = {
  scopePath: TEXT,
  totalFiles: orNull(WHOLE),
  missingPaths: list(TEXT),
  engine: choice("index", "ripgrep", "mixed"),
  engineWhy: TEXT,
  elapsedMs: WHOLE,
  skipped: fields<Skipped>({ binary: WHOLE, tooLarge: WHOLE, unreadable: WHOLE, denied: WHOLE }),
  partial: TRUTH,
  notices: list(fields<Notice>({ code: word<NoticeCode>(), message: TEXT }, { path: TEXT })),
};

/** The text once more, for a person's screen, is not sent. */
type Sent<Details> = Omit<Details, "displayContent">;

/** Where the answer is from an index. */
const INDEXED = { generation: WHOLE };

const COMMON: Needed<CommonDetails> = {
  ...PAGE,
  fileCount: WHOLE,
  files: list(TEXT),
  nextSkip: orNull(WHOLE),
};

const SEARCH: Schema<Sent<SearchDetails>> = fields<Sent<SearchDetails>>(
  {
    ...COMMON,
    matchCount: WHOLE,
    fileMatches: list(counted()),
    fileLimitReached: TRUTH,
    perFileLimitReached: TRUTH,
    linesTruncated: TRUTH,
    truncated: TRUTH,
    meta: CUT,
  },
  INDEXED,
);

const FIND: Schema<FindDetails> = fields<FindDetails>(
  {
    ...COMMON,
    truncated: TRUTH,
    resultLimitReached: TRUTH,
    timedOut: TRUTH,
    meta: fields<FindDetails["meta"]>(
      { limits: fields<FindDetails["meta"]["limits"]>({ results: WHOLE }) },
      { truncation: TRUNCATION },
    ),
  },
  INDEXED,
);

const PLACE: Needed<PlaceDetails> = {
  kind: choice("lines", "folder", "archive", "database", "urls", "conflicts"),
  path: TEXT,
  resolvedPath: orNull(TEXT),
  isDirectory: TRUTH,
};

const RESOLVED: Schema<NonNullable<PlaceDetails["suffixResolution"]>> = fields<
  NonNullable<PlaceDetails["suffixResolution"]>
>({ from: TEXT, to: TEXT });

type Lines = NonNullable<ReadDetails["lines"]>;

const LINES: Schema<Lines | null> = orNull(
  fields<Lines>({ first: WHOLE, last: WHOLE, total: orNull(WHOLE) }),
);

type ReadCut = Exclude<NonNullable<ReadDetails["meta"]["truncation"]>, Truncation>;

const READ: Schema<Sent<ReadDetails>> = fields<Sent<ReadDetails>>(
  {
    ...PLACE,
    tag: orNull(TEXT),
    lines: LINES,
    nextSelector: orNull(TEXT),
    truncated: TRUTH,
    meta: fields<ReadDetails["meta"]>(
      { source: TEXT },
      {
        truncation: either(
          TRUNCATION,
          fields<ReadCut>({
            direction: choice("head"),
            truncatedBy: choice("lines", "bytes"),
            totalLines: orNull(WHOLE),
            shownLines: WHOLE,
            shownRange: orNull(span()),
            nextSelector: orNull(TEXT),
            artifactId: NULL,
          }),
        ),
      },
    ),
  },
  {
    suffixResolution: RESOLVED,
    summary: fields<NonNullable<ReadDetails["summary"]>>({
      lines: WHOLE,
      elidedSpans: list(span()),
      elidedLines: WHOLE,
    }),
  },
);

const EDIT: Schema<EditDetails> = fields<EditDetails>({
  op: choice("update"),
  diff: TEXT,
  firstChangedLine: orNull(WHOLE),
  warnings: list(TEXT),
  perFileResults: list(
    fields<FileEdit>({
      path: TEXT,
      tag: TEXT,
      op: choice("update"),
      diff: TEXT,
      firstChangedLine: orNull(WHOLE),
      merged: TRUTH,
      moves: list(fields<FileEdit["moves"][number]>({ first: WHOLE, last: orNull(WHOLE), by: WHOLE })),
      warnings: list(TEXT),
    }),
  ),
  meta: fields<EditDetails["meta"]>({ source: list(TEXT) }),
});

const STRIPPED: Schema<WriteDetails["stripped"]> = choice("nothing", "header", "prefixes", "both");

const WRITE: Schema<WriteDetails> = fields<WriteDetails>({
  kind: choice("file", "archive", "database", "conflicts"),
  path: TEXT,
  resolvedPath: orNull(TEXT),
  created: TRUTH,
  madeExecutable: TRUTH,
  stripped: STRIPPED,
  snapshots: list(fields<WriteDetails["snapshots"][number]>({ path: TEXT, tag: TEXT })),
  warnings: list(TEXT),
  meta: SOURCE,
});

const MODE: Schema<ClaudeGrepDetails["mode"]> = choice("content", "files_with_matches", "count");

const CLAUDE_GREP: Schema<ClaudeGrepDetails> = fields<ClaudeGrepDetails>(
  { ...PAGE, mode: MODE, filenames: list(TEXT), numFiles: WHOLE, meta: CUT },
  {
    content: TEXT,
    numLines: WHOLE,
    numMatches: WHOLE,
    appliedLimit: WHOLE,
    appliedOffset: WHOLE,
    ...INDEXED,
  },
);

const BORIS_GREP: Schema<BorisGrepDetails> = fields<BorisGrepDetails>(
  {
    ...PAGE,
    mode: MODE,
    files: list(counted()),
    matchingLines: WHOLE,
    nextOffset: orNull(WHOLE),
    meta: CUT,
  },
  INDEXED,
);

const GLOB: Schema<GlobDetails> = fields<GlobDetails>({
  scopePath: PAGE.scopePath,
  totalFiles: PAGE.totalFiles,
  engine: PAGE.engine,
  engineWhy: PAGE.engineWhy,
  skipped: PAGE.skipped,
  partial: PAGE.partial,
  notices: PAGE.notices,
  durationMs: WHOLE,
  numFiles: WHOLE,
  filenames: list(TEXT),
  truncated: TRUTH,
  timedOut: TRUTH,
  meta: CUT,
});

const VIEW: Schema<ViewDetails> = fields<ViewDetails>(
  {
    ...PLACE,
    lines: LINES,
    nextViewRange: orNull(pair()),
    truncated: TRUTH,
    truncatedBy: orNull(choice("lines", "bytes")),
    meta: fields<ViewDetails["meta"]>({ source: TEXT }, { truncation: TRUNCATION }),
  },
  { suffixResolution: RESOLVED },
);

const STR_REPLACE: Schema<StrReplaceDetails> = fields<StrReplaceDetails>({
  path: TEXT,
  diff: TEXT,
  firstChangedLine: orNull(WHOLE),
  linesRemoved: WHOLE,
  linesAdded: WHOLE,
  warnings: list(TEXT),
  meta: SOURCE,
});

const CREATE_FILE: Schema<CreateFileDetails> = fields<CreateFileDetails>({
  path: TEXT,
  resolvedPath: orNull(TEXT),
  created: TRUTH,
  bytes: WHOLE,
  lines: WHOLE,
  madeExecutable: TRUTH,
  stripped: STRIPPED,
  warnings: list(TEXT),
  meta: SOURCE,
});

/** What the details of a tool may be when it did what it was asked. */
const OUTPUTS: Readonly<Record<DialectName | "compat", Readonly<Record<string, readonly object[]>>>> = {
  quarry: { search: [SEARCH], find: [FIND], read: [READ], edit: [EDIT], write: [WRITE] },
  claude: { Grep: [CLAUDE_GREP], Glob: [GLOB] },
  boris: {
    grep: [BORIS_GREP],
    glob: [GLOB],
    view: [VIEW],
    str_replace: [STR_REPLACE],
    create_file: [CREATE_FILE],
  },
  compat: { grep: [BORIS_GREP], glob: [GLOB], str_replace_editor: [VIEW, STR_REPLACE, CREATE_FILE] },
};

function span(): Schema<LineSpan> {
  return fields<LineSpan>({ first: WHOLE, last: WHOLE });
}

function counted(): Schema<{ readonly path: string; readonly count: number }> {
  return fields<{ readonly path: string; readonly count: number }>({ path: TEXT, count: WHOLE });
}

/** Two lines, the last of which may be -1. */
function pair(): Schema<readonly [start: number, end: number]> {
  return { type: "array", items: WHOLE, minItems: 2, maxItems: 2 };
}
