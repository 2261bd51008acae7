import { ToolError } from "../model/errors.ts";
import { FIND_TIME } from "../model/limits.ts";
import type { Notice } from "../model/notice.ts";
import type { FindQuery, Query, Scope } from "../model/query.ts";
import { DEFAULTS, type FindRequest, type SearchRequest } from "../model/request.ts";
import { compileGlobs, escapeGlob } from "../regex/glob.ts";
import { readPattern } from "../regex/read.ts";
import { searchTimeLimit } from "../ripgrep/time-limit.ts";
import { resolveRoot, resolveTargets } from "../workspace/targets.ts";
import { checkRequest, count, duration, instance, oneOf, type Shape, text, texts, yesNo } from "./check.ts";

/**
 * From what was typed to what was meant: checks a request, fills in the defaults, looks at its paths and
 * reads its pattern. The only place that knows what was given and what was not.
 */

export interface Normalised<Q> {
  readonly query: Q;
  readonly notices: readonly Notice[];
}

const SCOPE: Shape = {
  root: text,
  paths: texts,
  include: texts,
  exclude: texts,
  globsMatchNames: yesNo,
  types: texts,
  typeGlobs: texts,
  skipFolders: texts,
  ignore: oneOf("on", "everywhere", "off"),
  hidden: yesNo,
  follow: yesNo,
  maxFileSize: count(0),
  timeoutMs: duration,
  signal: instance,
  engine: oneOf("auto", "ripgrep"),
  order: oneOf("path", "mtime", "none"),
};

const SEARCH: Shape = {
  pattern: text,
  literal: yesNo,
  word: yesNo,
  case: oneOf("sensitive", "insensitive", "smart"),
  multiline: yesNo,
  dotAll: yesNo,
  before: count(0),
  after: count(0),
  mode: oneOf("content", "files", "count"),
  maxFiles: count(1),
  skipFiles: count(0),
  maxMatches: count(1),
  maxPerFile: count(1),
  binary: oneOf("ripgrep", "first-bytes"),
  reportBinary: yesNo,
  ...SCOPE,
};

const FIND: Shape = {
  kinds: oneOf("all", "files", "folders"),
  limit: count(1),
  skip: count(0),
  ...SCOPE,
};

export async function normaliseSearch(
  request: SearchRequest,
  env: NodeJS.ProcessEnv,
): Promise<Normalised<Query>> {
  checkRequest(request, SEARCH);
  if (request.pattern === undefined)
    throw new ToolError("INVALID_INPUT", "There is no pattern to search for");
  const defaults = DEFAULTS.search;
  const reading = readPattern({
    pattern: request.pattern,
    literal: request.literal ?? defaults.literal,
    word: request.word ?? defaults.word,
    case: request.case ?? defaults.case,
    multiline: request.multiline ?? defaults.multiline,
    dotAll: request.dotAll ?? defaults.dotAll,
  });
  const { scope, notices } = await normaliseScope(request);
  const query: Query = {
    ...scope,
    pattern: reading.pattern,
    mode: request.mode ?? defaults.mode,
    before: request.before ?? defaults.before,
    after: request.after ?? defaults.after,
    order: request.order ?? defaults.order,
    binary: request.binary ?? defaults.binary,
    reportBinary: request.reportBinary ?? defaults.reportBinary,
    page: {
      skipFiles: request.skipFiles ?? defaults.skipFiles,
      maxFiles: request.maxFiles ?? null,
      maxMatches: request.maxMatches ?? null,
      maxPerFile: request.maxPerFile ?? null,
    },
    timeoutMs: request.timeoutMs ?? searchTimeLimit(env),
  };
  return { query, notices: [...reading.notices, ...notices] };
}

export async function normaliseFind(request: FindRequest): Promise<Normalised<FindQuery>> {
  checkRequest(request, FIND);
  const defaults = DEFAULTS.find;
  const { scope, notices } = await normaliseScope(request);
  const query: FindQuery = {
    ...scope,
    kinds: request.kinds ?? defaults.kinds,
    order: request.order ?? defaults.order,
    limit: request.limit ?? null,
    skip: request.skip ?? defaults.skip,
    timeoutMs: request.timeoutMs ?? FIND_TIME,
  };
  return { query, notices };
}

async function normaliseScope(
  request: Omit<FindRequest, "kinds">,
): Promise<{ scope: Scope; notices: readonly Notice[] }> {
  const defaults = DEFAULTS.scope;
  const root = await resolveRoot(request.root ?? process.cwd());
  const { targets, notices } = await resolveTargets(root, list(request.paths ?? defaults.paths));
  const names = request.globsMatchNames ?? defaults.globsMatchNames;
  const scope: Scope = {
    root,
    targets,
    include: validGlobs(list(request.include)),
    includeNames: names,
    exclude: [
      ...DEFAULTS.vcsFolders,
      ...list(request.skipFolders).map((name) => `${escapeGlob(name)}/`),
      ...validGlobs(list(request.exclude)).filter((glob) => !names || !glob.includes("/")),
    ],
    types: list(request.types),
    typeGlobs: validTypeGlobs(list(request.typeGlobs)),
    ignore: request.ignore ?? defaults.ignore,
    hidden: request.hidden ?? defaults.hidden,
    links: (request.follow ?? defaults.follow) ? "follow" : "skip",
    maxFileSize: request.maxFileSize ?? null,
    engine: request.engine ?? defaults.engine,
  };
  validGlobs(targets.map((target) => target.glob).filter((glob) => glob !== null));
  const idle = names
    ? [...list(request.include), ...list(request.exclude)].filter((glob) => glob.includes("/"))
    : [];
  return { scope, notices: [...notices, ...idle.map(idleGlob)] };
}

function idleGlob(glob: string): Notice {
  return { code: "GLOB_IDLE", message: `The glob "${glob}" holds a slash, so no base name matches it` };
}

function list(given: string | readonly string[] | undefined): readonly string[] {
  if (given === undefined) return [];
  return typeof given === "string" ? [given] : given;
}

/** Compiling says what is wrong with a glob, before a program is started with it. */
function validGlobs(globs: readonly string[]): readonly string[] {
  if (globs.length > 0) compileGlobs(globs, "path");
  return globs;
}

function validTypeGlobs(globs: readonly string[]): readonly string[] {
  const colon = globs.find((glob) => glob.includes(":"));
  if (colon === undefined) return validGlobs(globs);
  throw new ToolError(
    "INVALID_GLOB",
    `The type glob "${colon}" holds a colon, which ripgrep's types cannot say`,
    {
      hint: "Give it as an include glob instead",
    },
  );
}
