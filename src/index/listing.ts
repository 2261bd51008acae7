import type { Scope } from "../model/query.ts";
import { DEFAULTS } from "../model/request.ts";
import type { Fault, Ignored } from "../ripgrep/faults.ts";
import { listRun } from "../ripgrep/list.ts";
import { keyOfPath, type PathKey } from "./path-key.ts";

/**
 * Which files are in the tree: ripgrep's own walk decides, for all of it and for the places where a name is new.
 * Asked by `tree.ts`.
 */

/** What every index holds: the scope that a search has when nothing else is said. */
export function indexedScope(root: string): Scope {
  return {
    root,
    targets: [{ path: ".", kind: "folder", glob: null }],
    include: [],
    includeNames: false,
    exclude: DEFAULTS.vcsFolders,
    types: [],
    typeGlobs: [],
    ignore: "on",
    hidden: true,
    links: "skip",
    maxFileSize: null,
    engine: "ripgrep",
  };
}

export interface ListOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Folders below the one that is listed. @default all */
  readonly maxDepth?: number;
  /** Say what the ignore rules leave out. @default false */
  readonly explain?: boolean;
}

/** What went away meanwhile. */
function isGone(fault: Fault): boolean {
  return fault.kind === "unreadable" && fault.message.endsWith("(os error 2)");
}

/** What permissions close to us is told with every answer. Whatever else was not looked at may hold files. */
function isGrave(fault: Fault): boolean {
  return fault.kind !== "unreadable" || !fault.message.endsWith("(os error 13)");
}

export interface Listed {
  readonly files: ReadonlySet<PathKey>;
  /** What the ignore rules leave out, where that was asked. */
  readonly ignored: readonly Ignored[];
  /** Folders that may not be read. */
  readonly faults: readonly Fault[];
}

/** The files below a folder, "" for the root; null where ripgrep could not look everywhere. */
export async function listFiles(
  root: string,
  folder: PathKey,
  { env, signal, timeoutMs, maxDepth, explain = false }: ListOptions,
): Promise<Listed | null> {
  const run = listRun(indexedScope(root), {
    operands: [folder === "" ? "." : Buffer.from(folder, "latin1").toString("utf8")],
    nameGlobs: [],
    explain,
    maxDepth,
    env,
    timeoutMs,
    signal,
  });
  const found = new Set<PathKey>();
  for await (const files of run) for (const file of files) found.add(keyOfPath(file));
  const { timedOut, endedEarly, ignored, faults, unsaid } = run.report();
  const closed = faults.filter((fault) => !isGone(fault));
  const incomplete = timedOut || endedEarly !== null || unsaid > 0 || closed.some(isGrave);
  return incomplete ? null : { files: found, ignored, faults: closed };
}
