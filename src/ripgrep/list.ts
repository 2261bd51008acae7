import type { FilePath } from "../model/match.ts";
import type { Scope } from "../model/query.ts";
import { listArgv } from "./argv.ts";
import { pathFromBytes } from "./paths.ts";
import { type Run, run } from "./run.ts";

/**
 * Lists files with ripgrep's own walk, as they are met, in handfuls; with `explain`, also what it leaves out
 * and why.
 */

export interface ListOptions {
  readonly operands: readonly string[];
  readonly nameGlobs: readonly string[];
  readonly explain: boolean;
  /** 1: only what lies in the operands themselves. @default all depths */
  readonly maxDepth?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export function listRun(scope: Scope, options: ListOptions): Run<readonly FilePath[]> {
  const { operands, nameGlobs, explain, maxDepth } = options;
  return run<readonly FilePath[]>({
    argv: (singleThread) => listArgv(scope, { operands, nameGlobs, explain, maxDepth, singleThread }),
    cwd: scope.root,
    env: options.env,
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    reader: (push) => ({
      feed: nameReader((names, bytes) => push(names.map(pathFromBytes), bytes)),
      // 2 stands for paths that could not be read as well as for a command that could not be run at all.
      complete: (code, said) =>
        code === 0 || code === 1 || (code === 2 && said.faults.some((fault) => fault.kind !== "other")),
    }),
  });
}

/** Names ended by NUL, in any chunking. */
function nameReader(onNames: (names: readonly Buffer[], bytes: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const names: Buffer[] = [];
    let from = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
      names.push(bytes.subarray(from, end));
      from = end + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    if (names.length > 0) onNames(names, from);
  };
}
