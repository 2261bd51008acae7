import { isAbsolute, relative, sep } from "node:path";
import type { Guard } from "../engine/guard.ts";
import type { Ground } from "../engine/ground.ts";
import type { Search } from "../engine/search.ts";
import { searchTree } from "../engine/search-tree.ts";
import type { TextInput, TextSearcher } from "../engine/search-text.ts";
import { turns } from "../engine/turns.ts";
import { ToolError } from "../model/errors.ts";
import type { Found } from "../model/found.ts";
import { TAGGED_FILE, TEXT_IN_PROCESS } from "../model/limits.ts";
import type { FilePath, Match } from "../model/match.ts";
import type { Plan } from "../model/plan.ts";
import type { Query } from "../model/query.ts";
import { escapeGlob } from "../regex/glob.ts";
import { textMatcher } from "../regex/matcher.ts";
import type { Around } from "../shape/extracts.ts";
import { openFile, type Opened, readWhole } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import type { Session } from "../workspace/session.ts";
import { onDisk } from "../workspace/targets.ts";
import { textLines } from "../workspace/text-lines.ts";
import { type Held, heldFile, partsOf, readFound } from "./held-file.ts";
import { sketchedView } from "./sketched-view.ts";
import { agrees, type Candidate, lineAtIn, lineAtOf, take, versionOf, type View } from "./view.ts";

/**
 * The matching files of the folders of a scope, as ripgrep's walk finds them. A file is shown from its snapshot: it
 * is opened, checked on the descriptor, read, and searched again if it changed since the walk.
 */

export interface Walk extends AsyncIterable<Candidate> {
  readonly ledger: Search["ledger"];
  readonly excluded: Search["excluded"];
  readonly used: Search["used"];
  readonly confirm: (file: FilePath) => Promise<boolean>;
}

/** `matches` is how many are needed of a file. */
export interface WalkOptions {
  readonly session: Session;
  readonly ground: Ground;
  readonly query: Query;
  readonly plan: Plan;
  readonly searcher: TextSearcher;
  /** The same without the lines around a match, which are taken from the bytes where those are held. */
  readonly bareSearcher: TextSearcher;
  readonly matches: number;
  /** Lines shown with a match. */
  readonly around: Around;
  /** What is shown gets a tag, for an edit. */
  readonly tags: boolean;
}

export function walkCandidates(options: WalkOptions): Walk {
  const { session, ground, query, plan, searcher, bareSearcher, matches, around, tags } = options;
  const sketching = { session, searcher: bareSearcher, matches, around, tags };
  const started = Date.now();
  const scan = scanOf(query);
  const turn = turns(ground.signal);
  const found = searchTree(scan, plan, ground);
  /** What goes wrong in it is told as of any search. */
  const searched = async (input: TextInput, file: FilePath): Promise<readonly Match[]> => {
    // Across lines ripgrep may meet a NUL byte in what it shows around a match, and it decides.
    const bare = input.kind === "bytes" && !query.pattern.multiline;
    const search = (bare ? bareSearcher : searcher).search(input, file);
    const taken = await take(search, matches);
    found.ledger.record(search.outcome().report, () => true);
    return taken;
  };
  const countIn = async (input: TextInput, file: FilePath): Promise<number> => {
    const { lines, report } = await searcher.count(input, file);
    found.ledger.record(report, () => true);
    return lines;
  };
  /** The matching lines of a file, from its descriptor. */
  const counted = async (file: FilePath, indexed = false): Promise<number> => {
    const now = indexed ? readFound(session, file, TEXT_IN_PROCESS) : null;
    if (now !== null) return countIn({ kind: "bytes", bytes: now.bytes }, file);
    const opened = await openFound(session, file);
    if (opened === null) return 0;
    try {
      return await countIn(inputOf(opened, await readWhole(opened, TAGGED_FILE)), file);
    } finally {
      await opened.handle.close();
    }
  };
  /** The same by what the scan brought along, where the file still holds it: asking again would cost a process. */
  const believed = async (file: Found): Promise<number> => {
    const opened = await openFound(session, file.file);
    if (opened === null) return 0;
    try {
      const bytes = await readWhole(opened, TAGGED_FILE);
      const known = bytes === null ? [] : await take(flat(file), 1);
      const holds =
        bytes !== null &&
        known.length > 0 &&
        !mayHaveChanged(opened, started) &&
        agrees(known, lineAtIn(textLines(bytes)).lineAt);
      if (holds) return query.mode === "files" ? 1 : file.lines;
    } finally {
      await opened.handle.close();
    }
    return counted(file.file);
  };
  const view = async (file: Found): Promise<View | null> => {
    if (query.mode !== "content") {
      const lines = await (scan.mode === "content" ? believed(file) : counted(file.file, file.indexed));
      return lines === 0 ? null : { ...NO_TEXT, lines };
    }
    // A page of large files is more than the event loop can wait for.
    await turn();
    const sketched = file.indexed === true ? sketchedView(file, sketching) : null;
    if (sketched !== null) return sketched;
    const held = file.indexed === true ? heldFile(session, file.file) : null;
    if (held !== null) return viewOf(file, held);
    const opened = await openFound(session, file.file);
    if (opened === null) return null;
    try {
      const bytes = await readWhole(opened, TAGGED_FILE);
      if (bytes === null) {
        const large = await searched(inputOf(opened, bytes), file.file);
        return large.length === 0 ? null : { ...NO_TEXT, matches: large, lineAt: lineAtOf(large) };
      }
      return await viewOf(file, {
        text: textLines(bytes),
        stamp: null,
        unchanged: !mayHaveChanged(opened, started),
        snapshot: () =>
          opened.realPathBytes === undefined ? session.snapshots.record(opened.realPath, bytes) : null,
      });
    } finally {
      await opened.handle.close();
    }
  };
  const foundNow = ({ file, where }: Found, held: Held): readonly Match[] | null => {
    const { text } = held;
    const parts = partsOf(held, where);
    const found = bareSearcher.now(text, file, matches, parts);
    // It was changed while it was read.
    return parts !== null && found?.length === 0 ? bareSearcher.now(text, file, matches, null) : found;
  };
  const viewOf = async (file: Found, held: Held): Promise<View | null> => {
    const { text, unchanged, snapshot } = held;
    const { lineAt, sizeAt } = lineAtIn(text);
    const known = scan.mode === "content" ? await take(flat(file), matches) : [];
    // Across lines ripgrep looks at what it shows, so that it may meet a NUL byte around a match that the walk did not.
    const meetsNul = query.pattern.multiline && text.bytes.includes(0);
    const holds = known.length > 0 && !meetsNul && unchanged && agrees(known, lineAt);
    const shown = holds
      ? known
      : (foundNow(file, held) ?? (await searched({ kind: "bytes", bytes: text.bytes }, file.file)));
    if (shown.length === 0) return null;
    const recorded = tags ? snapshot() : null;
    const version = recorded === null ? null : versionOf(session.snapshots, recorded);
    return { ...NO_TEXT, matches: shown, lineAt, sizeAt, version };
  };
  return {
    ledger: found.ledger,
    excluded: found.excluded,
    used: found.used,
    confirm: async (file) => (await counted(file)) > 0,
    async *[Symbol.asyncIterator]() {
      for await (const file of found) {
        yield { file: file.file, selector: null, view: () => view(file) };
      }
    },
  };
}

function inputOf({ handle }: Opened, bytes: Buffer | null): TextInput {
  return bytes === null ? { kind: "descriptor", fd: handle.fd } : { kind: "bytes", bytes };
}

const NO_TEXT: View = { matches: [], lineAt: () => null, sizeAt: () => null, version: null, lines: 0 };

/**
 * What is shown is looked for in the files of a page, in process, and all others need only be known to match. A
 * pattern that only ripgrep can decide brings its matches along: asking again for each file would cost a process.
 */
function scanOf(query: Query): Query {
  if (textMatcher(query.pattern).kind === "matcher") return { ...query, mode: "files" };
  if (query.mode === "content") return query;
  // One match proves the file; a count needs them all.
  const maxPerFile = query.mode === "files" ? 1 : null;
  return { ...query, mode: "content", page: { ...query.page, maxPerFile } };
}

/** null: it went away, or was swapped for something that may not be read. */
async function openFound(session: Session, { path, pathBytes }: FilePath): Promise<Opened | null> {
  try {
    return await openFile(session.policy, onDisk(session.root, path, pathBytes));
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}

/** The clock of a file system is coarse, so that a change may look this much older than it is. */
const COARSE = 20;

function mayHaveChanged({ stat }: Opened, started: number): boolean {
  return stat.ctimeMs >= started - COARSE;
}

async function* flat(file: Found): AsyncGenerator<Match> {
  for await (const chunk of file.chunks()) yield* chunk;
}

/** Globs that hold below a folder, said from the root; those that mean any depth mean it there too. */
function anchoredAt(folder: string, globs: readonly string[]): readonly string[] {
  if (folder === "") return globs;
  if (folder === ".." || folder.startsWith(`..${sep}`) || isAbsolute(folder)) return [];
  const start = `/${escapeGlob(folder.split(sep).join("/"))}/`;
  return globs.filter((glob) => /\/./.test(glob)).map((glob) => start + glob.replace(/^\//, ""));
}

/** The session's policy over a walk. */
export function guardOf({ root, policy }: { readonly root: string; readonly policy: Policy }): Guard {
  // No file of a walk is a link itself, so that its folder says where it is; a link is judged by where it leads.
  const sieve = policy.sieve("not followed");
  const linkSieve = policy.sieve("followed");
  return {
    open: policy.open,
    globs: policy.anchors.flatMap((anchor) => anchoredAt(relative(root, anchor), policy.deny)),
    terms: policy.terms,
    withholds: (file, kind) => sieve(onDisk(root, file.path, file.pathBytes), kind) !== "allowed",
    withholdsLink: (link) => linkSieve(onDisk(root, link.path, link.pathBytes), "folder") !== "allowed",
  };
}
