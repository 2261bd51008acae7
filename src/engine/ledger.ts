import type { Notice } from "../model/notice.ts";
import type { Skipped } from "../model/summary.ts";
import type { Fault } from "../ripgrep/faults.ts";
import type { RunReport } from "../ripgrep/run.ts";

/** What is written down while a query runs: what was skipped and why, what went wrong, how far it got. */

export interface Ledger {
  readonly notice: (notice: Notice) => void;
  /** What ripgrep had to say at the end of a run, of the paths that concern us. */
  readonly record: (report: RunReport, concerns: (path: string) => boolean) => void;
  readonly faults: (faults: readonly Fault[], concerns: (path: string) => boolean) => void;
  /** Another engine looks at everything from the beginning: what was counted is counted again. */
  readonly startOver: () => void;
  readonly timedOut: () => void;
  readonly searched: (files: number | null) => void;
  readonly found: (lines: number, maxPerFile: number | null) => void;
  readonly foundEntries: (count: number) => void;
  readonly binary: (path: string, holdsPattern: boolean) => void;
  readonly tooLarge: (files: number) => void;
  readonly unreadable: (files: number) => void;
  readonly denied: (paths: number) => void;
  /** Everything was looked at. */
  readonly complete: () => void;
  readonly read: () => LedgerEntries;
}

export interface LedgerEntries {
  readonly notices: readonly Notice[];
  readonly skipped: Skipped;
  readonly searched: number | null;
  /** Something ended the work early. */
  readonly partial: boolean;
  /** Files and matching lines found, as far as it got. */
  readonly files: number;
  readonly lines: number;
  /** A file had more matching lines than it may show, so `lines` is less than there are. */
  readonly cut: boolean;
  readonly complete: boolean;
}

/** So many notices of one kind name their path; the rest are counted. */
const NAMED = 10;

export function openLedger(): Ledger {
  const notices = new Map<Notice["code"], Map<string, Notice>>();
  const skipped = { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 };
  const binaryMatches: string[] = [];
  let searched: number | null = 0;
  let partial = false;
  let files = 0;
  let lines = 0;
  let cut = false;
  let complete = false;

  const notice = (entry: Notice): void => {
    const same = notices.get(entry.code) ?? new Map<string, Notice>();
    notices.set(entry.code, same.set(`${entry.path ?? ""}\0${entry.message}`, entry));
  };

  const record = (fault: Fault): void => {
    if (fault.kind === "other") {
      notice({ code: "RIPGREP_WARNING", message: fault.message });
      return;
    }
    const { kind, path, message } = fault;
    notice({ code: kind === "loop" ? "LOOP_CUT" : "UNREADABLE", message, path });
    if (kind !== "loop") skipped.unreadable++;
    // What could not be read is not there for us; what could, and was not searched to its end, may hold matches.
    if (kind === "unsearched") partial = true;
  };

  const timedOut = (): void => {
    partial = true;
    notice({ code: "TIMED_OUT", message: "The time was up; this is what was found by then" });
  };

  const recordAll: Ledger["faults"] = (faults, concerns) => {
    for (const fault of faults) if (fault.kind === "other" || concerns(fault.path)) record(fault);
  };

  return {
    notice,
    timedOut,
    faults: recordAll,
    startOver: () => {
      Object.assign(skipped, { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 });
      notices.delete("UNREADABLE");
      binaryMatches.length = 0;
      files = 0;
      lines = 0;
      cut = false;
    },
    record: (report, concerns) => {
      recordAll(report.faults, concerns);
      skipped.unreadable += report.unsaid;
      skipped.tooLarge += report.ignored.filter(
        ({ path, reason }) => reason.kind === "size" && concerns(path),
      ).length;
      if (report.singleThread) {
        notice({ code: "SINGLE_THREAD", message: "The system refused ripgrep its threads; it ran with one" });
      }
      if (report.timedOut) timedOut();
      if (report.endedEarly !== null) {
        partial = true;
        notice({ code: "ENDED_EARLY", message: report.endedEarly });
      }
    },
    searched: (count) => {
      searched = searched === null || count === null ? null : searched + count;
    },
    found: (count, maxPerFile) => {
      files++;
      lines += count;
      if (maxPerFile !== null && count > maxPerFile) cut = true;
    },
    foundEntries: (count) => {
      files += count;
    },
    binary: (path, holdsPattern) => {
      skipped.binary++;
      if (holdsPattern) binaryMatches.push(path);
    },
    tooLarge: (count) => {
      skipped.tooLarge += count;
    },
    unreadable: (count) => {
      skipped.unreadable += count;
    },
    denied: (count) => {
      skipped.denied += count;
    },
    complete: () => {
      complete = true;
    },
    read: () => ({
      notices: [...[...notices.values()].flatMap(shorten), ...binaryNotice(binaryMatches)],
      skipped: { ...skipped },
      searched,
      partial,
      files,
      lines,
      cut,
      complete: complete && !partial,
    }),
  };
}

function shorten(entries: ReadonlyMap<string, Notice>): Notice[] {
  const same = [...entries.values()];
  const [first] = same;
  if (first === undefined || same.length <= NAMED) return [...same];
  return [
    ...same.slice(0, NAMED),
    { code: first.code, message: `And ${same.length - NAMED} more like this` },
  ];
}

function binaryNotice(paths: readonly string[]): Notice[] {
  if (paths.length === 0) return [];
  const rest = paths.length - NAMED;
  const names = paths.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  const what = paths.length === 1 ? "A binary file holds" : `${paths.length} binary files hold`;
  return [{ code: "BINARY_MATCHES", message: `${what} the pattern: ${names}` }];
}
