import { closeSync, openSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { searchArgv } from "../../src/ripgrep/argv.ts";
import { run } from "../../src/ripgrep/run.ts";
import { searchRun } from "../../src/ripgrep/search.ts";
import type { Stdin } from "../../src/ripgrep/stdin.ts";
import { children, descriptors, eventually } from "../support/processes.ts";
import { all, QUERY } from "../support/query.ts";
import { standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";

const HERE = { ...QUERY, root: process.cwd() };

const MATCHES = 10_000;
/** 30 MB: many times what a pipe holds, and records for more than one piece. */
const LARGE = Buffer.from(`a needle ${"x".repeat(2990)}\n`.repeat(MATCHES));

interface Asked {
  readonly env?: NodeJS.ProcessEnv;
  readonly maxPerFile?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function ask(stdin: Stdin, { env = {}, maxPerFile, timeoutMs = 20_000, signal }: Asked = {}) {
  const page = { ...QUERY.page, maxPerFile: maxPerFile ?? null };
  return searchRun(
    { ...HERE, page },
    { operands: { stdin }, nameGlobs: [], explain: false, env, timeoutMs, signal, wanted: () => true },
  );
}

/** Matching lines, as ripgrep counts them. */
async function lines(stdin: Stdin, asked: Asked = {}): Promise<number | undefined> {
  return (await all(ask(stdin, asked))).at(-1)?.lines;
}

function open(path: string): number {
  const fd = openSync(path, "r");
  onTestFinished(() => closeSync(fd));
  return fd;
}

async function nothingLeft(before: number): Promise<void> {
  expect(await eventually(() => children().length === 0, 2000)).toBe(true);
  expect(await eventually(() => descriptors() <= before, 2000)).toBe(true);
}

/** Everything that goes wrong behind our back. */
function unhandled(): unknown[] {
  const seen: unknown[] = [];
  const note = (error: unknown): number => seen.push(error);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  onTestFinished(() => {
    process.off("uncaughtException", note).off("unhandledRejection", note);
  });
  return seen;
}

describe("the arguments of a search of stdin", () => {
  it("are a lone dash, and nothing about a walk", () => {
    const query = { ...QUERY, types: ["ts"], maxFileSize: 1, exclude: [".git"], hidden: true, before: 2 };
    const invocation = {
      operands: "stdin",
      nameGlobs: ["*.ts"],
      singleThread: true,
      explain: false,
    } as const;
    expect(searchArgv(query, invocation)).toEqual([
      "--no-config",
      "--json",
      "--no-mmap",
      "--case-sensitive",
      "--before-context=2",
      "--threads=1",
      "-e",
      "needle",
      "--",
      "-",
    ]);
  });
});

describe("a buffer on stdin", () => {
  it("is searched to its end, however large", async () => {
    expect(await lines(LARGE)).toBe(MATCHES);
    expect(await lines(Buffer.alloc(0))).toBeUndefined();
  });

  it("is no error when ripgrep has enough before its end, and leaves nothing behind", async () => {
    const seen = unhandled();
    const before = descriptors();
    for (let at = 0; at < 10; at++) expect(await lines(LARGE, { maxPerFile: 0 })).toBe(1);
    await nothingLeft(before);
    expect(seen).toEqual([]);
  });

  it("is no error when its reader leaves, and leaves nothing behind", async () => {
    const seen = unhandled();
    const before = descriptors();
    for (let at = 0; at < 10; at++) {
      for await (const piece of ask(LARGE)) {
        expect(piece.last).toBe(false);
        break;
      }
    }
    await nothingLeft(before);
    expect(seen).toEqual([]);
  });

  it("is no error to a ripgrep that closes stdin unread", async () => {
    const seen = unhandled();
    const { env } = standIn(`exec "$RG" --version <&-`);
    await all(
      run<Buffer>({
        argv: () => [],
        cwd: process.cwd(),
        env,
        stdin: LARGE,
        timeoutMs: 20_000,
        signal: undefined,
        reader: (push) => ({ feed: (chunk) => push(chunk, chunk.length), complete: (code) => code === 0 }),
      }),
    );
    await sleep(50);
    expect(seen).toEqual([]);
  });

  it("that nobody reads ends with the clock and with a signal", async () => {
    const before = descriptors();
    const { env } = standIn("exec sleep 60");
    const late = ask(LARGE, { env, timeoutMs: 100 });
    expect(await all(late)).toEqual([]);
    expect(late.report().timedOut).toBe(true);
    const signal = AbortSignal.timeout(100);
    await expect(all(ask(LARGE, { env, signal }))).rejects.toMatchObject({ code: "ABORTED" });
    await nothingLeft(before);
  });

  it("is let go of at once, even where ripgrep does not end when it is told to", async () => {
    const before = descriptors();
    const { env } = standIn(`trap '' TERM; echo $$ > "$MARK/pids"; while :; do sleep 1; done`);
    const asked = all(ask(LARGE, { env, signal: AbortSignal.timeout(300) }));
    await expect(asked).rejects.toMatchObject({ code: "ABORTED" });
    expect(await eventually(() => descriptors() <= before, 2000)).toBe(true);
    expect(children()).toHaveLength(1);
  });
});

describe("a descriptor on stdin", () => {
  it("is the file that was opened, whatever became of its name", async () => {
    const root = tree({ moved: "needle\n", gone: "needle\nneedle\n" });
    const moved = open(join(root, "moved"));
    const gone = open(join(root, "gone"));
    renameSync(join(root, "moved"), join(root, "elsewhere"));
    writeFileSync(join(root, "moved"), "something else\n");
    rmSync(join(root, "gone"));
    expect([await lines(moved), await lines(gone)]).toEqual([1, 2]);
  });

  it("is read from its start, whoever read of it before, and as often as asked", async () => {
    const fd = open(join(tree({ f: LARGE }), "f"));
    readSync(fd, Buffer.alloc(1000));
    expect(await Promise.all([lines(fd), lines(fd)])).toEqual([MATCHES, MATCHES]);
    expect(await lines(fd, { maxPerFile: 0 })).toBe(1);
    expect(await lines(fd)).toBe(MATCHES);
  });

  it("stays open, and nothing else does, when its reader leaves", async () => {
    const seen = unhandled();
    const fd = open(join(tree({ f: LARGE }), "f"));
    const before = descriptors();
    for (let at = 0; at < 10; at++) {
      for await (const piece of ask(fd)) {
        expect(piece.last).toBe(false);
        break;
      }
    }
    await nothingLeft(before);
    expect(readSync(fd, Buffer.alloc(6), 0, 6, 2)).toBe(6);
    expect(seen).toEqual([]);
  });

  it("that cannot be read is an error, not an end of the text", async () => {
    const before = descriptors();
    const folder = open(tree());
    await expect(all(ask(folder))).rejects.toMatchObject({
      code: "PATH_UNREADABLE",
      message: expect.stringContaining("EISDIR") as string,
    });
    await nothingLeft(before + 1);
  });
});

describe("a run that is done again with one thread", () => {
  const said = 'echo "rg: failed to spawn: Resource temporarily unavailable (os error 11)" >&2';

  it.each([
    ["without reading", ""],
    ["after it read everything", "cat > /dev/null"],
    ["after it read a little", "head -c 100000 > /dev/null"],
  ])("gets the whole text where the first ended %s", async (_, first) => {
    const { env } = standIn(
      `case "$*" in *--threads=1*) exec "$RG" "$@";; esac\n${first}\n${said}\nexec sleep 60`,
    );
    const fd = open(join(tree({ f: LARGE }), "f"));
    for (const stdin of [LARGE, fd]) {
      const again = ask(stdin, { env });
      expect((await all(again)).at(-1)?.lines).toBe(MATCHES);
      expect(again.report().singleThread).toBe(true);
    }
  });
});
