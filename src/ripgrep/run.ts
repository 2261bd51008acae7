import { UNREAD_OUTPUT } from "../model/limits.ts";
import { ToolError } from "../model/errors.ts";
import { channel } from "./channel.ts";
import { aborted, type Child, type Ending, killedError, startChild } from "./child.ts";
import { type FaultReader, type FaultReport, fatalError, faultReader } from "./faults.ts";
import type { Stdin } from "./stdin.ts";

/**
 * One question put to ripgrep: its output as a lazy stream of items, and what there is to say about the
 * run when the stream has ended. Whoever stops iterating ends the process. When the system refuses
 * threads, the run is done again with one.
 */

export interface RunOptions<T> {
  readonly argv: (singleThread: boolean) => readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The text to read, from its start in a run that is done again too. @default none, stdin is closed */
  readonly stdin?: Stdin | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Reads the output; made anew when the run is done again. */
  readonly reader: (push: (item: T, weight: number) => void) => OutputReader;
}

export interface OutputReader {
  readonly feed: (chunk: Buffer) => void;
  /** Whether ripgrep got to the end of its work, given how it ended. */
  readonly complete: (code: number | null, said: FaultReport) => boolean;
}

export interface RunReport extends FaultReport {
  readonly timedOut: boolean;
  /** Why it ended before its work was done, if it did so by itself. */
  readonly endedEarly: string | null;
  readonly singleThread: boolean;
  /** The time ripgrep took, without the time it was held back. */
  readonly spentMs: number;
}

export interface Run<T> extends AsyncIterable<T> {
  /** Complete once the iteration has ended. */
  readonly report: () => RunReport;
}

/** Of a run that has nothing to say. */
export const QUIET: RunReport = {
  faults: [],
  text: "",
  unsaid: 0,
  ignored: [],
  timedOut: false,
  endedEarly: null,
  singleThread: false,
  spentMs: 0,
};

export function run<T>(options: RunOptions<T>): Run<T> {
  let child: Child | null = null;
  let over = false;
  let report = QUIET;

  const items = channel<T>({
    bound: UNREAD_OUTPUT,
    onFull: () => child?.pause(),
    onRoom: () => child?.resume(),
    onDone: () => {
      over = true;
      child?.stop("enough");
    },
  });
  const clock = deadline(options.timeoutMs);

  const attempt = async (singleThread: boolean): Promise<void> => {
    let pushed = false;
    let broken: unknown = null;
    const said = faultReader();
    const reader = options.reader((item, weight) => {
      pushed = true;
      items.push(item, weight);
    });
    child = await startChild({
      argv: options.argv(singleThread),
      cwd: options.cwd,
      env: options.env,
      stdin: options.stdin,
      timeoutMs: clock(),
      signal: options.signal,
      onOutput: (chunk) => {
        try {
          reader.feed(chunk);
        } catch (error) {
          broken = error;
          child?.stop("enough");
        }
      },
      onError: (chunk) => {
        said.feed(chunk);
        // ripgrep may hang when only some of its threads could be started, so it is not waited for.
        if (!singleThread && said.shortage()) child?.stop("enough");
      },
    });
    if (over) child.stop("enough");
    const ending = await child.ended;
    if (ending.stopped === "abort") throw aborted(options.signal);
    if (!singleThread && !over && said.shortage()) return attempt(true);
    if (broken !== null) {
      throw new ToolError("RIPGREP_FAILED", `ripgrep at ${child.binary.path} printed what it should not`, {
        hint: "Run `quarry doctor` to see which ripgrep is used",
        cause: broken,
      });
    }
    const spentMs = child.spent();
    report = { ...conclude(child, ending, said, reader, pushed), singleThread, spentMs };
  };

  return {
    report: () => report,
    async *[Symbol.asyncIterator]() {
      attempt(false).then(
        () => items.close(),
        (error: unknown) => items.close(error),
      );
      yield* items;
    },
  };
}

function conclude(
  child: Child,
  ending: Ending,
  said: FaultReader,
  reader: OutputReader,
  pushed: boolean,
): Omit<RunReport, "singleThread" | "spentMs"> {
  const report = said.finish(ending.stopped !== null);
  const timedOut = ending.stopped === "timeout";
  if (ending.stopped !== null || reader.complete(ending.code, report)) {
    return { ...report, timedOut, endedEarly: null };
  }
  if (pushed) {
    const how = ending.signal === null ? `with code ${ending.code}` : `by ${ending.signal}`;
    return { ...report, timedOut, endedEarly: `ripgrep ended early, ${how}` };
  }
  if (ending.signal !== null) throw killedError(child.binary, ending.signal);
  throw fatalError(report.text, ending.code);
}

/** The time that is left, counted from now. */
function deadline(timeoutMs: number): () => number {
  const end = performance.now() + timeoutMs;
  return () => Math.max(1, end - performance.now());
}
