/** Quarry: code search for coding agents. What is exported here is the public interface of the library. */

import type { BorisCompatTools, BorisReadingTools, BorisWritingTools } from "./dialects/boris/tools.ts";
import type { ClaudeTools } from "./dialects/claude/tools.ts";
import type { ToolDefinition } from "./dialects/definition.ts";
import { type DialectName, toolDefinitions } from "./dialects/dialects.ts";
import type { AnyTools } from "./dialects/open.ts";
import type { QuarryTools, ReadingTools, WritingTools } from "./dialects/quarry/tools.ts";
import { ToolError } from "./model/errors.ts";
import type { IndexUse } from "./index/settings.ts";
import type { WorkspaceIndexStatus } from "./index/status.ts";
import type { NamedRoot } from "./workspace/root-folder.ts";
import type { Resources } from "./workspace/resources.ts";
import type { Session, Settings } from "./workspace/session.ts";
import type { Protocol } from "./workspace/urls.ts";

export { ToolError };
export type { IndexUse } from "./index/settings.ts";
export type { Fallback, IndexStatus, WorkspaceIndexStatus } from "./index/status.ts";
export type { ErrorCode } from "./model/errors.ts";
export type { CountHit, Entry, FileHit, FilePath, Line, Match } from "./model/match.ts";
export type { Notice, NoticeCode } from "./model/notice.ts";
export type { BinaryTest, Case, IgnoreRules, Mode, Order } from "./model/query.ts";
export { DEFAULTS } from "./model/request.ts";
export type { FindRequest, SearchRequest } from "./model/request.ts";
export type { EngineName, FindSummary, SearchSummary, Skipped } from "./model/summary.ts";
export { fileTypes } from "./ripgrep/version.ts";
export { explainAbsence } from "./tools/absence.ts";
export { find } from "./tools/find.ts";
export type { FindResult } from "./tools/find.ts";
export { search } from "./tools/search.ts";
export type { Hit, SearchResult } from "./tools/search.ts";
export type { Failure, CallOptions, Tool, ToolResult } from "./dialects/result.ts";
export { aiSdkTools } from "./adapters/ai-sdk.ts";
export type { AiSdkTool } from "./adapters/ai-sdk.ts";
export { anthropicTools } from "./adapters/anthropic.ts";
export type { AnthropicAdapter, AnthropicTool, AnthropicToolResult } from "./adapters/anthropic.ts";
export { openaiTools } from "./adapters/openai.ts";
export type { OpenaiAdapter } from "./adapters/openai.ts";
export type { ToolDefinition } from "./dialects/definition.ts";
export { DIALECTS, toolDefinitions } from "./dialects/dialects.ts";
export type { DialectName, DialectOptions } from "./dialects/dialects.ts";
export type { AnyTools } from "./dialects/open.ts";
export type { BorisCompatTools, BorisReadingTools, BorisWritingTools } from "./dialects/boris/tools.ts";
export type { ClaudeTools } from "./dialects/claude/tools.ts";
export type {
  EditInput,
  FindInput,
  ReadInput,
  SearchInput,
  WriteInput,
} from "./dialects/quarry/definitions.ts";
export type { EditDetails, FileEdit } from "./dialects/quarry/edit.ts";
export type { FindDetails } from "./dialects/quarry/find.ts";
export type { ReadDetails } from "./dialects/quarry/read.ts";
export type { SearchDetails } from "./dialects/quarry/search.ts";
export type { QuarryTools, ReadingTools, WritingTools } from "./dialects/quarry/tools.ts";
export type { WriteDetails } from "./dialects/quarry/write.ts";
export type { NamedRoot } from "./workspace/root-folder.ts";
export type { ResourceEntry, Resources } from "./workspace/resources.ts";
export type { Settings } from "./workspace/session.ts";
export type { Protocol, Resource } from "./workspace/urls.ts";

export interface WorkspaceOptions {
  /** The folder that paths are relative to. @default process.cwd() */
  readonly root?: string | undefined;
  /** Several roots instead of the one: paths are shown and understood with the name of theirs in front. */
  readonly roots?: readonly NamedRoot[] | undefined;
  /** Folders that may be touched, instead of the root. @default [root] */
  readonly allow?: readonly string[] | undefined;
  /** Folders, links resolved, that those of `allow` must lie in when the workspace is opened. @default anywhere */
  readonly within?: readonly string[] | undefined;
  /** Globs of what may not be; they win over `allow`. @default [] */
  readonly deny?: readonly string[] | undefined;
  /** Folders, absolute, that `deny` is relative to besides the root and `allow`. @default [] */
  readonly denyFrom?: readonly string[] | undefined;
  /** The names, fields and layouts that a family of agents knows. @default "quarry" */
  readonly dialect?: DialectName | undefined;
  /** Boris's dialect with the names that Claude was trained on. @default false */
  readonly anthropicCompat?: boolean | undefined;
  /** The tools that change files are left out, and nothing is changed. @default false */
  readonly readOnly?: boolean | undefined;
  /** Keeps tags, artifacts and scratch files under this name, in the cache folder. @default none: they go with `close` */
  readonly session?: string | undefined;
  /** Shares its artifacts and its `local://` folder. */
  readonly parent?: Workspace<object> | undefined;
  /** Lines of context, limits. */
  readonly settings?: Partial<Settings> | undefined;
  /** Internal URLs of your own. */
  readonly protocols?: readonly Protocol[] | undefined;
  /**
   * The index of the root: `auto` builds one behind the answers once a search has met many files, `now` at once, `off`
   * leaves everything to ripgrep. The answers are the same. @default QUARRY_INDEX, else "auto"
   */
  readonly index?: IndexUse | undefined;
  /** A tree of more files is left to ripgrep. @default QUARRY_INDEX_MAX_FILES, else 500,000 */
  readonly maxIndexedFiles?: number | undefined;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** The tools that a workspace with these options has; those that write may be missing where that is not known. */
export type ToolsOf<O extends WorkspaceOptions> = [Option<O, "dialect">] extends ["quarry" | undefined]
  ? ReadingTools & Written<O, WritingTools>
  : [Option<O, "dialect">] extends ["claude"]
    ? ClaudeTools
    : [Option<O, "dialect">] extends ["boris"]
      ? BorisToolsOf<O>
      : AnyTools;

type BorisToolsOf<O extends WorkspaceOptions> = [Option<O, "anthropicCompat">] extends [true]
  ? BorisCompatTools
  : [Option<O, "anthropicCompat">] extends [false | undefined]
    ? BorisReadingTools & Written<O, BorisWritingTools>
    : AnyTools;

type Written<O extends WorkspaceOptions, Tools> = [Option<O, "readOnly">] extends [false | undefined]
  ? Tools
  : Partial<Tools>;

type Option<O extends WorkspaceOptions, Name extends keyof WorkspaceOptions> = Name extends keyof O
  ? O[Name]
  : undefined;

/** One session's ground and the tools that stand on it. */
export interface Workspace<Tools = QuarryTools> {
  readonly root: string;
  readonly readOnly: boolean;
  readonly tools: Tools;
  /** What a model is told of the tools: name, description and JSON schema of each. */
  readonly definitions: readonly ToolDefinition[];
  /** What stands behind internal URLs such as `docs://` and `artifact://`, whole. */
  readonly resources: Resources;
  /** What was lost when a named session was taken up again, and what was done about writes that never ended. */
  readonly warnings: readonly string[];
  /** How far the index of the root is; null where there is none. */
  indexStatus(): Promise<WorkspaceIndexStatus | null>;
  /** Removes what was temporary, saves what is named. Always call it. */
  close(): Promise<void>;
}

const sessions = new WeakMap<Workspace<object>, Session>();

/** @throws ToolError when the root or an allowed folder is not there, or a glob does not parse */
export async function createWorkspace<const O extends WorkspaceOptions = { readonly dialect: "quarry" }>(
  given?: O,
): Promise<Workspace<ToolsOf<O>>> {
  const options: WorkspaceOptions = given ?? {};
  const { dialect = "quarry", readOnly = false, anthropicCompat = false, env = process.env } = options;
  // Loaded when needed: a program that only calls search() must not wait for it.
  const [
    { openSession },
    { resourcesOf },
    { pathMatcher },
    { openTools },
    { indexSource },
    { indexSettings },
  ] = await Promise.all([
    import("./workspace/session.ts"),
    import("./workspace/resources.ts"),
    import("./regex/glob.ts"),
    import("./dialects/open.ts"),
    import("./index/open-indexes.ts"),
    import("./index/settings.ts"),
  ]);
  const definitions = toolDefinitions(dialect, { readOnly, anthropicCompat });
  // Before there is a session that would have to be closed.
  const indexing = indexSettings({ use: options.index, maxFiles: options.maxIndexedFiles }, env);
  const recovered = readOnly ? [] : await (await import("./edit/commit/recover.ts")).recoverJournals(env);
  const session = await openSession({
    root: options.root ?? options.roots?.[0]?.path ?? process.cwd(),
    roots: options.roots,
    allow: options.allow,
    within: options.within,
    deny: options.deny,
    denyFrom: options.denyFrom,
    globs: pathMatcher,
    env,
    name: options.session,
    parent: parentOf(options.parent),
    settings: options.settings,
    protocols: options.protocols,
  });
  const index = indexSource(
    session.root,
    session.roots.length > 0 ? { ...indexing, use: "off" } : indexing,
    env,
  );
  const tools = await openTools(dialect, session, { env, index, readOnly, anthropicCompat });
  const workspace = {
    root: session.root,
    readOnly,
    // What the options say of the dialect, `openTools` does.
    tools: tools as AnyTools & ToolsOf<O>,
    definitions,
    resources: resourcesOf(session.router),
    warnings: [...recovered, ...session.warnings],
    indexStatus: async () => {
      const status = await index.current()?.status();
      return status === undefined ? null : { ...status, fallbacks: index.fallbacks() };
    },
    close: async () => {
      await index.release();
      await session.close();
    },
  };
  sessions.set(workspace, session);
  return workspace;
}

function parentOf(parent: Workspace<object> | undefined): Session | undefined {
  if (parent === undefined) return undefined;
  const session = sessions.get(parent);
  if (session !== undefined) return session;
  throw new ToolError("INVALID_INPUT", "parent is no workspace of this library", {
    hint: "Give the object that createWorkspace returned",
  });
}
