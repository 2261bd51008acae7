import type { Ground } from "../engine/ground.ts";
import { descriptorHoldsLateNul } from "../engine/late-nul.ts";
import type { Ledger } from "../engine/ledger.ts";
import type { TextInput, TextSearcher } from "../engine/search-text.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Query } from "../model/query.ts";
import type { Selector } from "../model/selector.ts";
import { type Around, lastLine } from "../shape/extracts.ts";
import type { Session } from "../workspace/session.ts";
import { textLines } from "../workspace/text-lines.ts";
import type { OpenArchives } from "./open-archives.ts";
import { type Candidate, lineAtIn, type Version, within } from "./view.ts";

/** One text, searched: what files named by themselves, members of archives and resources have in common. */

export interface TextOptions {
  readonly session: Session;
  readonly archives: OpenArchives;
  readonly searcher: TextSearcher;
  readonly ledger: Ledger;
  readonly query: Query;
  readonly ground: Ground;
  readonly around: Around;
  /** How many matches are needed of a file. */
  readonly matches: number;
  readonly tags: boolean;
  /** Of the members of an archive. */
  readonly wants: (path: string) => boolean;
}

export interface BytesSource {
  readonly file: FilePath;
  readonly bytes: Buffer;
  readonly selector: Selector | null;
  readonly version?: () => Version | null;
}

export async function* bytesCandidate(source: BytesSource, options: TextOptions): AsyncGenerator<Candidate> {
  const { file, bytes, selector: given, version = () => null } = source;
  const text = textLines(bytes);
  const { lineAt, sizeAt } = lineAtIn(text);
  const { wanted, selector } = await within(given, text.count);
  const found = await searchText({ kind: "bytes", bytes }, file, wanted, options);
  if (found === null) {
    noteRange(file, selector, text.count(), options);
    return;
  }
  const { lines, matches } = found;
  yield { file, selector, view: async () => ({ matches, lineAt, sizeAt, version: version(), lines }) };
}

/** "No matches" must not be said of lines that are not there. */
export function noteRange(
  { path }: FilePath,
  selector: Selector | null,
  lines: number,
  { ledger }: TextOptions,
): void {
  if (selector === null || selector.ranges.some(({ first }) => first <= lines)) return;
  ledger.notice({ code: "RANGE_EMPTY", message: `ends at line ${lines}, before the lines asked for`, path });
}

export interface FoundInText {
  readonly matches: readonly Match[];
  readonly lines: number;
  /** The matches and those that are not wanted but may stand in their context. */
  readonly nearby: readonly Match[];
}

/** null: nothing of it matches. */
export async function searchText(
  input: TextInput,
  file: FilePath,
  wanted: (match: Match) => boolean,
  { searcher, ledger, query: { mode, pattern }, matches, around }: TextOptions,
): Promise<FoundInText | null> {
  const run = searcher.search(input, file);
  const kept: Match[] = [];
  const nearby: Match[] = [];
  let before: Match[] = [];
  let lines = 0;
  let stopped = false;
  for await (const match of run) {
    const last = kept.at(-1);
    if (!wanted(match)) {
      // Of bytes every line is at hand.
      if (input.kind === "bytes") continue;
      const reached = last !== undefined && match.line <= lastLine(last) + around.after;
      if (reached) nearby.push(match);
      else before = [...before.filter((one) => lastLine(one) >= match.line - around.before), match];
      continue;
    }
    lines += lastLine(match) - match.line + 1;
    if (mode === "content") {
      kept.push(match);
      nearby.push(...before, match);
      before = [];
    }
    if (mode === "files" || kept.length >= matches) {
      stopped = true;
      break;
    }
  }
  const { binary: told, elided, report } = run.outcome();
  // What was not read to its end may still be binary, as it is for who reads on.
  const unread = stopped && input.kind === "descriptor" && !pattern.multiline;
  const binary = told || (unread && (await descriptorHoldsLateNul(input.fd)));
  ledger.record(report, () => true);
  if (elided) ledger.notice({ code: "TEXT_ELIDED", message: ELIDED, path: file.path });
  if (binary) {
    ledger.binary(file.path, false);
    return null;
  }
  return lines === 0 ? null : { matches: kept, lines, nearby };
}

const ELIDED = "has a line too long to hold, shown without its text";
