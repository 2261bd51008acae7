import { describe, expect, test } from "vitest";
import { cannotCrash, crash, type Fault, type Outcome, type Recorded, record, type Thread } from "./crash.ts";

const why = cannotCrash();

/** Two at a time: a run waits more than it works. */
const TOGETHER = 2;

interface Ran extends Outcome {
  readonly fault: string;
}

function faults({ calls }: Recorded, inject: Fault["inject"], wanted: (call: string) => boolean): Fault[] {
  return (["main", "pool"] satisfies Thread[]).flatMap((thread) =>
    Object.entries(calls[thread])
      .filter(([call]) => wanted(call))
      .flatMap(([call, count]) =>
        Array.from({ length: count }, (_, index) => ({ thread, call, nth: index + 1, inject })),
      ),
  );
}

async function runAll(recorded: Recorded, list: readonly Fault[]): Promise<Ran[]> {
  const left = [...list];
  const ran: Ran[] = [];
  const work = async (): Promise<void> => {
    for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
      const name = `${fault.thread} ${fault.call} ${fault.nth} ${fault.inject}`;
      ran.push({ fault: name, ...(await crash(fault, recorded)) });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return ran;
}

function tally(ran: readonly Ran[]): string {
  const counts = new Map<string, number>();
  for (const { files, said } of ran) {
    const key = `${files}, ${said === null ? "died" : said.split(" ")[0]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return `${ran.length} runs: ${[...counts].map(([key, count]) => `${count} ${key}`).join("; ")}`;
}

/** Neither all old nor all new, something left over, or an answer that is not true. */
function wrong({ files, left, said }: Ran): boolean {
  if (left.length > 0 || !["all old", "all new"].includes(files)) return true;
  if (said === null) return false;
  return said === "done"
    ? files !== "all new"
    : files !== "all old" || !/^(?:WRITE_FAILED|CACHE_UNSAFE|FILE_CHANGED|PATH_[A-Z_]+) /.test(said);
}

describe.skipIf(why !== null)(`a commit of three files${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test("is all old or all new, killed at every system call", async () => {
    const recorded = await record();
    const ran = await runAll(
      recorded,
      faults(recorded, "signal=KILL", () => true),
    );
    console.log(tally(ran));
    expect(ran.filter(wrong)).toEqual([]);
  });

  const FAILING = new Set([
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "rename",
    "link",
    "unlink",
    "mkdir",
    "openat",
    "ftruncate",
    "fchmod",
    "fchown",
    "statx",
  ]);

  test.each(["error=ENOSPC", "error=EIO"] as const)(
    "is all old or all new when any call fails with %s",
    async (inject) => {
      const recorded = await record();
      const ran = await runAll(
        recorded,
        faults(recorded, inject, (call) => FAILING.has(call)),
      );
      console.log(tally(ran));
      expect(ran.filter(wrong)).toEqual([]);
    },
  );
});
