/**
 * The law: what Quarry answers is what ripgrep answers. One function a command, each comparing everything a caller
 * can see: paths and their bytes, lines, text, offsets, context, counts, order, and what the summary says of it.
 */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import {
  type CountHit,
  type Entry,
  type FileHit,
  find,
  type FindSummary,
  type Match,
  search,
  type SearchSummary,
} from "../../src/quarry.ts";
import type { FindCase } from "./cases.ts";
import { expectedFind } from "./find-oracle.ts";
import { type ExpectedFile, type Expected, expectedSearch, modified, type SearchCase } from "./oracle.ts";

export type Hit = Match | FileHit | CountHit;
export interface Answer<H, S> {
  readonly hits: readonly H[];
  readonly summary: S;
}

/** Returns how many hits there were. */
export async function searchLaw(
  searched: SearchCase,
  ask: (searched: SearchCase) => Promise<Answer<Hit, SearchSummary>> = askLibrary,
): Promise<number> {
  const [answer, expected] = await Promise.all([ask(searched), expectedSearch(searched)]);
  const { request } = searched;
  const page = expectedPage(request, expected);
  const hits = answer.hits.map(seenHit);
  expectSame(inAnyOrder(request, hits), inAnyOrder(request, page.hits));
  expect(answer.summary).toMatchObject({ partial: false, more: page.more, files: page.files });
  if (request.order !== "none") {
    const lines = expected.files.reduce((sum, file) => sum + file.lines, 0);
    expect(answer.summary.totalFiles).toBe(expected.files.length);
    if (answer.summary.totalLines !== null) expect(answer.summary.totalLines).toBe(lines);
  }
  if (request.reportBinary === true) expect(answer.summary.skipped.binary).toBe(expected.binary);
  return hits.length;
}

export async function findLaw(
  sought: FindCase,
  ask: (sought: FindCase) => Promise<Answer<Entry, FindSummary>> = findInLibrary,
): Promise<number> {
  const [answer, expected] = await Promise.all([ask(sought), expectedFind(sought)]);
  const { root, order, skip = 0, limit = Number.POSITIVE_INFINITY } = sought.request;
  const all = expected.map(({ path, kind }) => ({
    kind,
    ...shown(path),
    mtimeMs: modified(root, path),
  }));
  const seen = answer.hits.map(({ kind, mtimeMs, ...file }) => ({ kind, ...file, mtimeMs }));
  const wanted = all.slice(skip, skip + limit);
  expectSame(inAnyOrder({ order }, seen), inAnyOrder({ order }, wanted));
  expect(answer.summary).toMatchObject({ partial: false, more: skip + limit < all.length });
  return wanted.length;
}

function askLibrary({ request, places }: SearchCase): Promise<Answer<Hit, SearchSummary>> {
  return search({ ...request, paths: places.map(({ given }) => given) }).collect();
}

function findInLibrary({ request, places }: FindCase): Promise<Answer<Entry, FindSummary>> {
  return find({ ...request, paths: places.map(({ given }) => given) }).collect();
}

interface ExpectedPage {
  readonly hits: readonly object[];
  readonly files: number;
  /** Something was held back at the end. */
  readonly more: boolean;
}

/** The part of everything that the request asks for. */
function expectedPage(request: SearchCase["request"], { files }: Expected): ExpectedPage {
  const { mode = "content", maxFiles = Number.POSITIVE_INFINITY, maxPerFile, maxMatches } = request;
  const rest = files.slice(request.skipFiles ?? 0);
  const hits: object[] = [];
  let [shownFiles, matches, more] = [0, 0, false];
  for (const file of rest) {
    if (shownFiles >= maxFiles || matches >= (maxMatches ?? Number.POSITIVE_INFINITY)) {
      more = true;
      break;
    }
    shownFiles++;
    if (mode === "content") {
      const room = Math.min(
        maxPerFile ?? Number.POSITIVE_INFINITY,
        (maxMatches ?? Number.POSITIVE_INFINITY) - matches,
      );
      const given = matchesOf(file).slice(0, room);
      more ||= given.length < file.matches.length;
      matches += given.length;
      hits.push(...given);
    } else {
      matches += mode === "count" ? file.lines : 1;
      hits.push(mode === "count" ? { ...shown(file.path), count: file.lines } : shown(file.path));
    }
  }
  return { hits, files: shownFiles, more };
}

function matchesOf(file: ExpectedFile): object[] {
  return file.matches.map(({ invalid, ...match }) => ({
    ...shown(file.path),
    ...match,
    ...(invalid ? { invalidUtf8: true } : {}),
  }));
}

/** A path of one character a byte, as an answer shows it. */
function shown(path: string): FileHit {
  const bytes = Buffer.from(path, "latin1");
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes)
    ? { path: text }
    : { path: text, pathBytes: bytes.toString("base64") };
}

function seenHit(hit: Hit): object {
  return { ...hit };
}

/** The runner's own comparison shows the difference well and takes its time, so it comes only when there is one. */
function expectSame(seen: readonly object[], wanted: readonly object[]): void {
  if (!isDeepStrictEqual(seen, wanted)) expect(seen).toEqual(wanted);
}

/** In one order on both sides. */
const KEYS = ["path", "pathBytes", "kind", "mtimeMs", "line", "text", "count", "submatches"];

/** Without an order asked for, hits are compared in one of our own. */
function inAnyOrder<T extends object>(
  { order }: { readonly order?: unknown },
  hits: readonly T[],
): readonly T[] {
  if (order !== "none") return hits;
  const key = (hit: T): string => JSON.stringify(hit, KEYS);
  return hits.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
