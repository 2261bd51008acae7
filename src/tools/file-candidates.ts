import type { FileHandle } from "node:fs/promises";
import { TAGGED_FILE } from "../model/limits.ts";
import type { FilePath } from "../model/match.ts";
import type { Selector } from "../model/selector.ts";
import { openFile, type Opened, readWhole } from "../workspace/open.ts";
import type { Policy } from "../workspace/policy.ts";
import { bytesCandidate, noteRange, searchText, type TextOptions } from "./text-source.ts";
import { type Candidate, lineAtOf, type Version, versionOf, within } from "./view.ts";

/** A file that was named by itself: opened, checked on its descriptor, and searched in what was read from that. */

export interface FileSource {
  readonly label: string;
  readonly path: string;
  readonly policy: Policy;
  readonly selector: Selector | null;
  /** What its snapshot is kept under: null for its real path, undefined for a file that cannot be edited. */
  readonly key: string | null | undefined;
}

export async function* fileCandidate(source: FileSource, options: TextOptions): AsyncGenerator<Candidate> {
  const { label, selector } = source;
  const { session, ledger, tags } = options;
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
    const { snapshots } = session;
    const editable = tags && source.key !== undefined && opened.realPathBytes === undefined;
    const version = (): Version | null =>
      editable ? versionOf(snapshots, snapshots.record(source.key ?? opened.realPath, bytes)) : null;
    yield* bytesCandidate({ file, bytes, selector, version }, options);
  } finally {
    await opened.handle.close();
  }
}

/** Too large to hold: ripgrep reads it from the descriptor, and gives the lines around the matches too. */
async function* largeCandidate(
  { handle }: Opened,
  file: FilePath,
  given: Selector | null,
  options: TextOptions,
): AsyncGenerator<Candidate> {
  const { wanted, selector } = await within(given, () => countLines(handle));
  const found = await searchText({ kind: "descriptor", fd: handle.fd }, file, wanted, options);
  if (found === null) {
    if (selector !== null) noteRange(file, selector, await countLines(handle), options);
    return;
  }
  const { lines, matches, nearby } = found;
  yield {
    file,
    selector,
    view: async () => ({ matches, lineAt: lineAtOf(nearby), sizeAt: () => null, version: null, lines }),
  };
}

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
