/** Quarry: code search for coding agents. What is exported here is the public interface of the library. */

import type { QuarryTools, ReadingTools, WritingTools } from "./dialects/quarry/tools.ts";
import { ToolError } from "./model/errors.ts";
import type { Session, Settings } from "./workspace/session.ts";
import type { Protocol } from "./workspace/urls.ts";

export { ToolError };
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
export { QUARRY_DEFINITIONS } from "./dialects/quarry/definitions.ts";
export type {
  EditInput,
  FindInput,
  ReadInput,
  SearchInput,
  ToolDefinition,
  ToolName,
  WriteInput,
} from "./dialects/quarry/definitions.ts";
export type { EditDetails, FileEdit } from "./dialects/quarry/edit.ts";
export type { FindDetails } from "./dialects/quarry/find.ts";
export type { ReadDetails } from "./dialects/quarry/read.ts";
export type { SearchDetails } from "./dialects/quarry/search.ts";
export type { QuarryTools, ReadingTools, WritingTools } from "./dialects/quarry/tools.ts";
export type { WriteDetails } from "./dialects/quarry/write.ts";
export type { Settings } from "./workspace/session.ts";
export type { Protocol, Resource } from "./workspace/urls.ts";

export interface WorkspaceOptions {
  /** The folder that paths are relative to. @default process.cwd() */
  readonly root?: string | undefined;
  /** Folders that may be touched, instead of the root. @default [root] */
  readonly allow?: readonly string[] | undefined;
  /** Globs of what may not be; they win over `allow`. @default [] */
  readonly deny?: readonly string[] | undefined;
  /** edit and write are left out, and nothing is changed. @default false */
  readonly readOnly?: boolean | undefined;
  /** Keeps tags, artifacts and scratch files under this name, in the cache folder. @default none: they go with `close` */
  readonly session?: string | undefined;
  /** Shares its artifacts and its `local://` folder. */
  readonly parent?: Workspace<ReadingTools> | undefined;
  /** Lines of context, limits. */
  readonly settings?: Partial<Settings> | undefined;
  /** Internal URLs of your own. */
  readonly protocols?: readonly Protocol[] | undefined;
  /** @default process.env */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** One session's ground and the tools that stand on it. */
export interface Workspace<Tools = QuarryTools> {
  readonly root: string;
  readonly readOnly: boolean;
  readonly tools: Tools;
  /** What was lost when a named session was taken up again, and what was done about writes that never ended. */
  readonly warnings: readonly string[];
  /** Removes what was temporary, saves what is named. Always call it. */
  close(): Promise<void>;
}

const sessions = new WeakMap<Workspace<ReadingTools>, Session>();

/** @throws ToolError when the root or an allowed folder is not there, or a glob does not parse */
export function createWorkspace(
  options?: WorkspaceOptions & { readonly readOnly?: false | undefined },
): Promise<Workspace>;
export function createWorkspace(
  options: WorkspaceOptions,
): Promise<Workspace<ReadingTools & Partial<WritingTools>>>;
export async function createWorkspace(
  options: WorkspaceOptions = {},
): Promise<Workspace<ReadingTools & Partial<WritingTools>>> {
  const env = options.env ?? process.env;
  // Loaded when needed: a program that only calls search() must not wait for it.
  const [{ openSession }, { compileGlobs }, { quarryTools, readingTools }] = await Promise.all([
    import("./workspace/session.ts"),
    import("./regex/glob.ts"),
    import("./dialects/quarry/tools.ts"),
  ]);
  const readOnly = options.readOnly ?? false;
  const recovered = readOnly ? [] : await (await import("./edit/commit/recover.ts")).recoverJournals(env);
  const session = await openSession({
    root: options.root ?? process.cwd(),
    allow: options.allow,
    deny: options.deny,
    globs: (globs) => {
      const set = compileGlobs(globs, "path");
      return (path, kind) => set.matches(path, kind);
    },
    env,
    name: options.session,
    parent: parentOf(options.parent),
    settings: options.settings,
    protocols: options.protocols,
  });
  const workspace = {
    root: session.root,
    readOnly,
    tools: readOnly ? readingTools(session, env) : quarryTools(session, env),
    warnings: [...recovered, ...session.warnings],
    close: () => session.close(),
  };
  sessions.set(workspace, session);
  return workspace;
}

function parentOf(parent: Workspace<ReadingTools> | undefined): Session | undefined {
  if (parent === undefined) return undefined;
  const session = sessions.get(parent);
  if (session !== undefined) return session;
  throw new ToolError("INVALID_INPUT", "parent is no workspace of this library", {
    hint: "Give the object that createWorkspace returned",
  });
}
