import type { FileHandle } from "node:fs/promises";
import type { Ledger } from "../engine/ledger.ts";
import { comparePaths } from "../engine/order.ts";
import type { Ground } from "../engine/ground.ts";
import type { TextInput, TextSearcher } from "../engine/search-text.ts";
import { type MatchingText, matchingTexts, type NamedText } from "../engine/search-texts.ts";
import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import type { Selector } from "../model/selector.ts";
import { lastLine } from "../shape/extracts.ts";
import type { TextSkip } from "../sources/archive.ts";
import type { Member } from "../sources/member.ts";
import { textOf } from "../sources/text.ts";
import { openFile, type Opened, readWhole } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import { chooseMembers, type OpenArchives } from "./open-archives.ts";
import type { Place } from "./places.ts";
import { type Candidate, lineAtIn, lineAtOf, type View, within } from "./view.ts";

/**
 * Files that were named by themselves, members of archives and resources behind URLs, each searched as one text:
 * what is searched is what was opened and checked, and what is shown is what was searched.
 */

export interface TextOptions {
  readonly session: Session;
  readonly archives: OpenArchives;
  readonly searcher: TextSearcher;
  readonly ledger: Ledger;
  readonly query: Query;
  readonly ground: Ground;
  /** How many matches are needed of a file. */
  readonly matches: number;
  readonly wantsType: (path: string) => boolean;
  /** There is nothing else in the scope: what cannot be searched is an error. */
  readonly alone: boolean;
}

type TextPlace = Exclude<Place, { kind: "folder" }>;

export async function* textCandidates(
  places: readonly TextPlace[],
  options: TextOptions,
): AsyncGenerator<Candidate> {
  for (const place of places) {
    try {
      yield* candidatesOf(place, options);
    } catch (cause) {
      if (!(cause instanceof ToolError) || options.alone || cause.code === "ABORTED") throw cause;
      options.ledger.notice({ code: "SOURCE_SKIPPED", message: cause.message });
      options.ledger.unreadable(1);
    }
  }
}

async function* candidatesOf(place: TextPlace, options: TextOptions): AsyncGenerator<Candidate> {
  const { session } = options;
  const { label, selector } = place;
  if (place.kind === "archive") {
    yield* memberCandidates(place, options);
  } else if (place.kind === "file") {
    yield* fileCandidate({ label, path: label, policy: session.policy, selector, key: null }, options);
  } else if (place.resource.kind === "file") {
    const { path, policy, immutable, url } = place.resource;
    yield* fileCandidate({ label, path, policy, selector, key: immutable ? undefined : url }, options);
  } else {
    yield* bytesCandidate(
      { file: { path: label }, bytes: Buffer.from(place.resource.text), selector },
      options,
    );
  }
}

interface FileSource {
  readonly label: string;
  readonly path: string;
  readonly policy: Policy;
  readonly selector: Selector | null;
  /** What its snapshot is kept under: null for its real path, undefined for a file that cannot be edited. */
  readonly key: string | null | undefined;
}

async function* fileCandidate(source: FileSource, options: TextOptions): AsyncGenerator<Candidate> {
  const { label, selector } = source;
  const { session, ledger } = options;
  const { maxFileSize } = options.query;
  const opened = await openFile(source.policy, source.path);
  const file = { path: label };
  try {
    ledger.searched(1);
    if (maxFileSize !== null && opened.stat.size > maxFileSize) {
      ledger.tooLarge(1);
      return;
    }
    const bytes = await readWhole(opened, TAGGED_FILE);
    if (bytes === null) {
      yield* largeCandidate(opened, file, selector, options);
      return;
    }
    const snapshot = (): Snapshot | null =>
      source.key === undefined || opened.realPathBytes !== undefined
        ? null
        : session.snapshots.record(source.key ?? opened.realPath, bytes);
    yield* bytesCandidate({ file, bytes, selector, snapshot }, options);
  } finally {
    await opened.handle.close();
  }
}

/** Too large to hold: ripgrep reads it from the descriptor, and gives the lines around the matches too. */
async function* largeCandidate(
  { handle }: Opened,
  file: FilePath,
  selector: Selector | null,
  options: TextOptions,
): AsyncGenerator<Candidate> {
  const wanted = await within(selector, () => countLines(handle));
  const found = await search({ kind: "descriptor", fd: handle.fd }, file, wanted, options);
  if (found === null) return;
  const { lines, matches } = found;
  yield { file, lines, selector, view: async () => ({ matches, lineAt: lineAtOf(matches), snapshot: null }) };
}

interface BytesSource {
  readonly file: FilePath;
  readonly bytes: Buffer;
  readonly selector: Selector | null;
  readonly snapshot?: () => Snapshot | null;
}

async function* bytesCandidate(source: BytesSource, options: TextOptions): AsyncGenerator<Candidate> {
  const { file, bytes, selector, snapshot = () => null } = source;
  const { lineAt, lineCount } = lineAtIn(bytes);
  const wanted = await within(selector, lineCount);
  const found = await search({ kind: "bytes", bytes }, file, wanted, options);
  if (found === null) return;
  const { lines, matches } = found;
  yield { file, lines, selector, view: async () => ({ matches, lineAt, snapshot: snapshot() }) };
}

/** null: nothing of it matches. */
async function search(
  input: TextInput,
  file: FilePath,
  wanted: (match: Match) => boolean,
  { searcher, ledger, query: { mode }, matches }: TextOptions,
): Promise<{ readonly matches: readonly Match[]; readonly lines: number } | null> {
  const run = searcher.search(input, file);
  const kept: Match[] = [];
  let lines = 0;
  for await (const match of run) {
    if (!wanted(match)) continue;
    lines += lastLine(match) - match.line + 1;
    if (mode === "content") kept.push(match);
    if (mode === "files" || kept.length >= matches) break;
  }
  const { binary, elided, report } = run.outcome();
  ledger.record(report, () => true);
  if (elided) ledger.notice({ code: "TEXT_ELIDED", message: ELIDED, path: file.path });
  if (binary) {
    ledger.binary(file.path, false);
    return null;
  }
  return lines === 0 ? null : { matches: kept, lines };
}

const ELIDED = "has a line too long to hold, shown without its text";

async function countLines(handle: FileHandle): Promise<number> {
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let lines = 0;
  let last = 0x0a;
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return last === 0x0a ? lines : lines + 1;
    const read = chunk.subarray(0, bytesRead);
    for (let at = read.indexOf(0x0a); at !== -1; at = read.indexOf(0x0a, at + 1)) lines += 1;
    last = read.at(-1) ?? last;
    position += bytesRead;
  }
}

async function* memberCandidates(
  place: Extract<Place, { kind: "archive" }>,
  options: TextOptions,
): AsyncGenerator<Candidate> {
  const { archives, ledger, wantsType } = options;
  const archive = await archives.open(place.archive);
  const chosen = chooseMembers(archive, place.member);
  if (chosen === null) return;
  const named = (path: string): FilePath => ({ path: `${place.archive}:${path}` });
  if (chosen.kind === "one") {
    const bytes = await archive.read(chosen.member.path);
    const text = textOf(bytes);
    if ("skipped" in text) throw unsearchable(place.label, text.skipped);
    ledger.searched(1);
    yield* bytesCandidate({ file: named(chosen.member.path), bytes, selector: place.selector }, options);
    return;
  }
  if (!archive.complete) {
    const message = "ends without its end mark, so that members may be missing";
    ledger.notice({ code: "ARCHIVE_CUT", message, path: place.archive });
  }
  async function* texts(wants: (member: Member) => boolean): AsyncGenerator<NamedText> {
    for await (const text of archive.texts((member) => wants(member) && wantsType(member.path))) {
      const file = named(text.member.path);
      if ("skipped" in text) skip(ledger, file, text.skipped);
      else {
        ledger.searched(1);
        yield { file, bytes: text.bytes };
      }
    }
  }
  const matching: MatchingText[] = [];
  for await (const text of matchingTexts(texts(chosen.wants), options)) matching.push(text);
  matching.sort((one, other) => comparePaths(one.file.path, other.file.path));
  for (const { file, bytes, lines } of matching) {
    const view = async (): Promise<View | null> => {
      const found = await search({ kind: "bytes", bytes }, file, () => true, options);
      return found === null
        ? null
        : { matches: found.matches, lineAt: lineAtIn(bytes).lineAt, snapshot: null };
    };
    yield { file, lines, selector: null, view };
  }
}

function unsearchable(label: string, why: TextSkip): ToolError {
  return new ToolError("MEMBER_UNREADABLE", `${label} cannot be searched: ${SKIP_TEXT[why]}`, {
    hint: "Only members that are UTF-8 text are searched",
  });
}

const SKIP_TEXT: Readonly<Record<TextSkip, string>> = {
  "unsafe-path": "its name leads out of the archive",
  link: "it is a link",
  encrypted: "it is encrypted",
  unsupported: "its compression or kind is not supported",
  "too-large": "it is too large",
  replaced: "a later member replaced it",
  binary: "it is binary",
  "not-utf8": "it is not UTF-8",
  damaged: "it is damaged",
  "over-budget": "the archive unpacks to more than is searched in one call",
};

function skip(ledger: Ledger, { path }: FilePath, why: TextSkip): void {
  // What a later member replaced is searched there.
  if (why === "replaced") return;
  if (why === "binary") ledger.binary(path, false);
  else if (why === "too-large" || why === "over-budget") ledger.tooLarge(1);
  else ledger.unreadable(1);
  ledger.notice({ code: "SOURCE_SKIPPED", message: `is skipped: ${SKIP_TEXT[why]}`, path });
}
