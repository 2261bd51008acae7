/**
 * Compares an open index with the disk and with ripgrep: which files there are, whether what is saved can be read to
 * its end, and the answers to random patterns. `quarry index verify` shows what differs. Where something does, both are
 * asked again, since the tree may be changing.
 */
import { planScope } from "../engine/plan.ts";
import { type Search, searchFiles } from "../engine/search.ts";
import { searchTree } from "../engine/search-tree.ts";
import { damagedSegments } from "../index/damage.ts";
import { holds, savedIndex } from "../index/inspect.ts";
import { listFiles } from "../index/listing.ts";
import type { OpenedIndex } from "../index/open-indexes.ts";
import { keyOfPath, keyOnDisk, type PathKey, pathOfKey } from "../index/path-key.ts";
import { indexFolder } from "../index/places.ts";
import type { Fallback } from "../index/status.ts";
import type { Doc } from "../index/store/docs.ts";
import { openFallbacks } from "../index/fallbacks.ts";
import { ToolError } from "../model/errors.ts";
import { INDEX_LIST_TIME, VERIFY_ATTEMPTS, VERIFY_PATHS } from "../model/limits.ts";
import type { Query } from "../model/query.ts";
import { fileKey } from "../workspace/targets.ts";
import { normaliseSearch } from "./normalise.ts";
import { type RandomPattern, randomNumbers, randomPattern } from "./random-patterns.ts";

export interface Difference {
  /** What was compared: a sentence, or the pattern. */
  readonly what: string;
  /** As a request, where it was a search. */
  readonly request: RandomPattern | null;
  /** Only ripgrep or the disk has these, and only the index has these; the first few of them. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export interface Verification {
  readonly files: number;
  readonly patterns: number;
  /** Searches that the index answered, and why it did not answer the others. */
  readonly byIndex: number;
  readonly fallbacks: readonly Fallback[];
  /** Saved segments that cannot be read to their end. */
  readonly damaged: number;
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly root: string;
  readonly patterns: number;
  readonly seed: number;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export async function verifyIndex(opened: OpenedIndex, options: VerifyOptions): Promise<Verification> {
  options.onProgress(0, options.patterns);
  const files = await listed(options);
  const damaged = await damagedSegments(indexFolder(options.root, options.env), options.root, options.signal);
  options.signal.throwIfAborted();
  const differences = [
    ...damaged.map(({ name, why }) => difference(`${name} cannot be read: ${why}`)),
    ...notWhole(options),
    ...(await filesDiffer(opened, options)),
  ];
  const fallbacks = openFallbacks();
  const requests = requestsOf(files, options);
  let byIndex = 0;
  for (const [done, request] of requests.entries()) {
    options.onProgress(done, requests.length);
    const { used, difference } = await compare(request, opened, options);
    if (used.engine === "index") byIndex += 1;
    else fallbacks.add(used.engineWhy);
    if (difference !== null) differences.push(difference);
  }
  return {
    files: files.length,
    patterns: requests.length,
    byIndex,
    fallbacks: fallbacks.list(),
    damaged: damaged.length,
    differences,
  };
}

/** In an order that is always the same. */
async function listed({ root, env, signal }: VerifyOptions): Promise<readonly PathKey[]> {
  const listing = await listFiles(root, "", { env, signal, timeoutMs: INDEX_LIST_TIME });
  signal.throwIfAborted();
  if (listing === null)
    throw new ToolError("PATH_UNREADABLE", `${root} could not be listed to its end`, {
      hint: "quarry find says what cannot be read",
    });
  return Array.from(listing.files).toSorted();
}

/** Files of which less is saved than there is. */
function notWhole({ root, env }: VerifyOptions): Difference[] {
  const docs = Array.from(savedIndex(root, env)?.docs.values() ?? []);
  const odd = docs.filter((doc) => !isWhole(doc) && holds(root, doc)).map(({ key }) => nameOf(key));
  return odd.length === 0 ? [] : [difference("Files are not indexed to their end", odd)];
}

/** The blocks of a file are all of it, but for one that has a NUL byte or is not indexed. */
function isWhole({ kind, size, blocks }: Doc): boolean {
  return kind === "opaque" || kind === "binary" || blocks.reduce((sum, length) => sum + length, 0) === size;
}

/** The index must have the files that ripgrep lists. */
async function filesDiffer({ index }: OpenedIndex, options: VerifyOptions): Promise<Difference[]> {
  const scope = {
    targets: WHOLE,
    include: [],
    includeNames: false,
    exclude: [],
    names: [],
    maxFileSize: null,
  };
  let found: Difference[] = [];
  for (let attempt = 0; attempt < VERIFY_ATTEMPTS; attempt++) {
    const answer = await index.list({ scope, kinds: "files", order: "path", limit: null });
    const expected = await listed(options);
    const held = answer.kind === "able" ? answer.entries.map(keyOfPath) : [];
    const missing = without(expected, new Set(held));
    const extra = without(held, new Set(expected));
    if (answer.kind === "able" && missing.length + extra.length === 0) return [];
    const what =
      answer.kind === "able"
        ? `The index has ${held.length} files, ripgrep lists ${expected.length}`
        : `The index did not answer: ${answer.why}`;
    found = [difference(what, missing.map(nameOf), extra.map(nameOf))];
  }
  return found;
}

const WHOLE = [{ path: ".", kind: "folder", glob: null }] as const;

async function compare(
  request: RandomPattern,
  { source }: OpenedIndex,
  options: VerifyOptions,
): Promise<{ readonly used: ReturnType<Search["used"]>; readonly difference: Difference | null }> {
  const query = await queryOf(request, options);
  const ground = { env: options.env, signal: options.signal };
  for (let attempt = 1; ; attempt++) {
    const asked = searchTree(query, planScope(query), { ...ground, index: source });
    const found = await filesOf(asked);
    const expected = await filesOf(searchFiles(query, planScope(query), ground));
    const same = found.length === expected.length && found.every((file, at) => file === expected[at]);
    if (same) return { used: asked.used(), difference: null };
    if (attempt < VERIFY_ATTEMPTS) continue;
    const missing = without(expected, new Set(found));
    const extra = without(found, new Set(expected));
    const what = missing.length + extra.length === 0 ? "The order differs" : "The answers differ";
    return { used: asked.used(), difference: { ...difference(what, missing, extra), request } };
  }
}

async function queryOf(request: RandomPattern, { root, env, signal }: VerifyOptions): Promise<Query> {
  const { query } = await normaliseSearch(
    { ...request, root, mode: "files", order: "path", timeoutMs: INDEX_LIST_TIME, signal },
    env,
  );
  return { ...query, binary: "ripgrep", reportBinary: false };
}

async function filesOf(search: Search): Promise<string[]> {
  const files: string[] = [];
  for await (const { file } of search) files.push(fileKey(file));
  return files;
}

/** As many as were asked for, as far as the files have something to make them of. */
function requestsOf(
  files: readonly PathKey[],
  { root, patterns, seed }: VerifyOptions,
): readonly RandomPattern[] {
  const random = randomNumbers(seed);
  const requests: RandomPattern[] = [];
  for (let tries = 0; requests.length < patterns && tries < patterns * 20 && files.length > 0; tries++) {
    const key = files[Math.floor(random() * files.length)] ?? "";
    const made = randomPattern(keyOnDisk(root, key), random);
    if (made !== null) requests.push(made);
  }
  return requests;
}

function without(all: readonly string[], others: ReadonlySet<string>): string[] {
  return all.filter((one) => !others.has(one));
}

function difference(
  what: string,
  missing: readonly string[] = [],
  extra: readonly string[] = [],
): Difference {
  return {
    what,
    request: null,
    missing: missing.slice(0, VERIFY_PATHS),
    extra: extra.slice(0, VERIFY_PATHS),
  };
}

function nameOf(key: PathKey): string {
  return fileKey(pathOfKey(key));
}
