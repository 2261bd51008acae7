import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { planScope } from "../../src/engine/plan.ts";
import { searchFiles } from "../../src/engine/search.ts";
import { ToolError } from "../../src/model/errors.ts";
import { run } from "../../src/ripgrep/run.ts";
import { normaliseSearch } from "../../src/tools/normalise.ts";
import { search } from "../../src/quarry.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { findIn, searchIn } from "../support/query.ts";
import { rgPath, standIn } from "../support/ripgrep.ts";
import { runScript } from "../support/script.ts";
import { link, tree } from "../support/tree.ts";

const TWO = { a: "needle\n", b: "needle\n" };
const SOURCES = fileURLToPath(new URL("../../src", import.meta.url));
const PLATFORM = `@vscode/ripgrep-${process.platform}-${process.arch}`;
const AS_NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups";
const isRoot = process.getuid?.() === 0;

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("a ripgrep that does not start", () => {
  it.each([
    ["that is not installed", (): void => {}, "RIPGREP_MISSING"],
    [
      "that may not be executed",
      (modules: string): void => {
        mkdirSync(join(modules, PLATFORM, "bin"), { recursive: true });
        writeFileSync(join(modules, PLATFORM, "package.json"), "{}");
        writeFileSync(join(modules, PLATFORM, "bin/rg"), "", { mode: 0o644 });
      },
      "RIPGREP_NOT_EXECUTABLE",
    ],
  ])("%s with the package is named, with a remedy", async (_, install, code) => {
    const copy = tree({ "package.json": '{"type":"module"}', a: "needle\n" });
    cpSync(SOURCES, join(copy, "src"), { recursive: true });
    const modules = join(copy, "node_modules");
    cpSync(
      dirname(dirname(fileURLToPath(import.meta.resolve("@vscode/ripgrep")))),
      join(modules, "@vscode/ripgrep"),
      {
        recursive: true,
      },
    );
    cpSync(join(SOURCES, "../node_modules/rregex"), join(modules, "rregex"), {
      recursive: true,
      dereference: true,
    });
    install(modules);
    const said = await runScript(
      `const { search: ours } = await import(${JSON.stringify(join(copy, "src/quarry.ts"))});
       await ours({ root: ${JSON.stringify(copy)}, pattern: "needle" }).collect().then(
         () => console.log("null"),
         ({ code, message, hint }) => console.log(JSON.stringify({ code, message, hint })),
       );`,
    );
    const named = code === "RIPGREP_MISSING" ? process.arch : join(modules, PLATFORM, "bin/rg");
    expect(said).toEqual({
      code,
      message: expect.stringContaining(named) as string,
      hint: expect.stringContaining("USE_BUILTIN_RIPGREP=0") as string,
    });
  });

  it.each([
    ["that is gone", "nowhere", "RIPGREP_MISSING"],
    ["that may not be executed", "interpreter", "RIPGREP_NOT_EXECUTABLE"],
  ])("because of an interpreter %s is named, with a remedy", async (_, interpreter, code) => {
    const folder = tree({ interpreter: "" });
    writeFileSync(join(folder, "rg"), `#!${join(folder, interpreter)}\n`);
    chmodSync(join(folder, "rg"), 0o755);
    const env = { USE_BUILTIN_RIPGREP: "0", PATH: folder };
    const error = await failure(searchIn(env, { root: tree(TWO), pattern: "needle" }));
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ code, hint: expect.stringContaining("USE_BUILTIN_RIPGREP") as string });
    expect((error as ToolError).message).toContain(join(folder, "rg"));
  });

  it("was killed at start: its path and a remedy are named", async () => {
    const { path, env } = standIn("kill -9 $$");
    const error = await failure(searchIn(env, { root: tree(TWO), pattern: "needle" }));
    expect(error).toMatchObject({ code: "RIPGREP_NOT_EXECUTABLE", hint: expect.any(String) as string });
    expect((error as ToolError).message).toContain(path);
    expect((error as ToolError).message).toContain("SIGKILL");
  });

  it("is not blamed for a NUL, or for too much text", async () => {
    const root = tree(TWO);
    const nul = await failure(search({ root, pattern: "needle", types: "a\0" }).collect());
    const long = await failure(search({ root, pattern: "needle", exclude: ["x".repeat(200_000)] }).collect());
    expect(nul).toMatchObject({ code: "INVALID_INPUT" });
    expect(long).toMatchObject({ code: expect.stringMatching(/^INVALID_(INPUT|GLOB)$/) as string });
  });
});

describe("a ripgrep that is refused its threads", () => {
  const said = 'echo "rg: failed to spawn: Resource temporarily unavailable (os error 11)" >&2';

  it.each([
    ["ends", "exit 2"],
    ["hangs", "sleep 60"],
  ])("and %s runs again with one, and says so", async (_, then) => {
    const { env } = standIn(`case "$*" in *--threads=1*) exec "$RG" "$@";; esac\n${said}\n${then}`);
    const root = tree(TWO);
    const searched = await searchIn(env, { root, pattern: "needle" });
    expect(searched.matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(searched.codes).toEqual(["SINGLE_THREAD"]);
    const found = await findIn(env, { root, order: "path" });
    expect(found.entries.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(found.codes).toEqual(["SINGLE_THREAD"]);
  });

  it("runs again once only", async () => {
    const { folder, env } = standIn(`echo x >> "$MARK/calls"\n${said}\nexit 2`);
    const error = await failure(searchIn(env, { root: tree(TWO), pattern: "needle" }));
    expect(error).toMatchObject({ code: "RIPGREP_FAILED" });
    expect(readFileSync(join(folder, "calls"), "utf8")).toBe("x\nx\n");
  });

  it("gives no file twice, however slowly what came before is read", async () => {
    const script = `case "$*" in *--threads=1*) exec "$RG" "$@";; esac\n"$RG" "$@"\n${said}\nexit 2`;
    const { env } = standIn(script);
    const root = tree({ ...TWO, c: "needle\n" });
    const { query } = await normaliseSearch({ root, pattern: "needle", order: "none" }, env);
    const paths: string[] = [];
    for await (const { file } of searchFiles(query, planScope(query), { env, signal: undefined })) {
      paths.push(file.path);
      // Slower than the second run.
      if (paths.length === 1) await sleep(400);
    }
    expect(paths.sort()).toEqual(["a", "b", "c"]);
  });

  it("is not seen in names, patterns and other errors that look like it", async () => {
    const root = tree({
      ...TWO,
      ".ignore": "ignored*\n",
      "ignored (os error 11)": "",
      "ignored Resource temporarily unavailable/x": "",
      "link os error 11": link("nowhere"),
    });
    const { codes } = await findIn({}, { root, follow: true });
    expect(codes).toEqual(["UNREADABLE"]);
    const stale = standIn('"$RG" "$@"; echo "rg: ./x: Stale file handle (os error 116)" >&2; exit 2');
    expect((await searchIn(stale.env, { root, pattern: "needle" })).codes).toEqual(["UNREADABLE"]);
  });

  test.runIf(isRoot)("by the system itself runs again with one (run as root, to become nobody)", async () => {
    const folder = tree();
    chmodSync(folder, 0o755);
    copyFileSync(rgPath, join(folder, "real"));
    chmodSync(join(folder, "real"), 0o755);
    const root = tree(TWO);
    chmodSync(root, 0o755);
    const { env } = standIn(`exec ${AS_NOBODY} prlimit --nproc=1 '${folder}/real' "$@"`);
    const searched = await searchIn(env, { root, pattern: "needle" });
    expect(searched.matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(searched.codes).toEqual(["SINGLE_THREAD"]);
    const found = await findIn(env, { root, order: "path" });
    expect(found.entries.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(found.codes).toEqual(["SINGLE_THREAD"]);
  });
});

describe("a ripgrep that goes wrong", () => {
  it("on some paths gives the matches and the errors", async () => {
    const root = tree({ ...TWO, gone: link("nowhere") });
    const { matches, ledger } = await searchIn({}, { root, pattern: "needle", follow: true });
    expect(matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(ledger).toMatchObject({
      complete: true,
      skipped: { unreadable: 1, denied: 0 },
      notices: [{ code: "UNREADABLE", path: "gone" }],
    });
  });

  test.runIf(isRoot)("on files it may not read counts them (run as root, to become nobody)", async () => {
    const root = tree({ ...TWO, secret: "needle\n", "closed/x": "needle\n" });
    chmodSync(root, 0o755);
    chmodSync(join(root, "secret"), 0o000);
    chmodSync(join(root, "closed"), 0o000);
    const folder = tree();
    chmodSync(folder, 0o755);
    copyFileSync(rgPath, join(folder, "real"));
    chmodSync(join(folder, "real"), 0o755);
    const { env } = standIn(`exec ${AS_NOBODY} '${folder}/real' "$@"`);
    const { matches, ledger } = await searchIn(env, { root, pattern: "needle" });
    expect(matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(ledger.skipped.unreadable).toBe(2);
    expect(ledger.notices.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      "UNREADABLE closed",
      "UNREADABLE secret",
    ]);
    expect(ledger.complete).toBe(true);
  });

  it("with a fault in an ignore file beside an unreadable path is still complete", async () => {
    const root = tree({ ...TWO, ".ignore": "{a\n", gone: link("nowhere") });
    const { codes, ledger } = await findIn({}, { root, follow: true });
    expect(codes.sort()).toEqual(["RIPGREP_WARNING", "UNREADABLE"]);
    expect([ledger.partial, ledger.complete]).toEqual([false, true]);
  });

  it.each([
    ["no JSON", "echo this is not JSON"],
    ["JSON of another shape", `echo '{"type":"begin","data":{}}'`],
    [
      "a broken record of a file",
      `echo '{"type":"begin","data":{"path":{"text":"a"}}}'; echo '{"type":"match","da'; echo '{"type":"end","data":{"path":{"text":"a"},"binary_offset":null,"stats":{"matched_lines":1}}}'`,
    ],
    ["nothing, and no error", "exit 0"],
  ])("and prints %s is an error", async (_, script) => {
    const { env } = standIn(script);
    const error = await failure(searchIn(env, { root: tree(TWO), pattern: "needle" }));
    expect(error).toMatchObject({ name: "ToolError", code: "RIPGREP_FAILED" });
  });

  it("and is killed midway leaves what it found, and says that this is not all", async () => {
    const { env } = standIn('"$RG" "$@" | grep -v summary; kill -9 $$');
    const { matches, ledger, codes } = await searchIn(env, { root: tree(TWO), pattern: "needle" });
    expect(matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect(codes).toEqual(["ENDED_EARLY"]);
    expect([ledger.partial, ledger.complete]).toEqual([true, false]);
  });

  it("on a pattern that only it can judge says so", async () => {
    const error = await failure(search({ root: tree(TWO), pattern: "(?<=a+)b" }).collect());
    expect(error).toMatchObject({ code: "INVALID_PATTERN" });
  });
});

describe("a run that has to end", () => {
  /** Starts, writes down its own and its children's ids, and stays. */
  const pids = (folder: string): number[] =>
    readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
  const started = (folder: string, count: number): Promise<boolean> =>
    eventually(() => {
      try {
        return pids(folder).length >= count;
      } catch {
        return false;
      }
    }, 5000);

  it("by its time leaves what it found, says so, and leaves no process", async () => {
    const { folder, env } = standIn('echo $$ > "$MARK/pids"; "$RG" "$@" | grep -v summary; sleep 60');
    const { matches, codes, ledger } = await searchIn(env, {
      root: tree(TWO),
      pattern: "needle",
      timeoutMs: 1500,
    });
    expect(matches.map(({ path }) => path)).toEqual(["a", "b"]);
    expect([codes, ledger.partial, ledger.complete]).toEqual([["TIMED_OUT"], true, false]);
    expect(await eventually(() => pids(folder).every((pid) => !isAlive(pid)), 1000)).toBe(true);
  });

  it("by an abort ends everything that it started", async () => {
    const { folder, env } = standIn('sleep 60 & echo $! > "$MARK/pids"; echo $$ >> "$MARK/pids"; wait');
    const abort = new AbortController();
    const asked = failure(searchIn(env, { root: tree(TWO), pattern: "needle", signal: abort.signal }));
    expect(await started(folder, 2)).toBe(true);
    abort.abort();
    expect(await asked).toMatchObject({ code: "ABORTED" });
    expect(await eventually(() => pids(folder).every((pid) => !isAlive(pid)), 1000)).toBe(true);
  });

  it.each([
    ["its time", 700, 20_000, null],
    ["an abort", 20_000, 300, "ABORTED"],
  ])("by %s ends even when only what it started is left", async (_, timeoutMs, abortMs, code) => {
    const { folder, env } = standIn('sleep 60 & echo $! > "$MARK/pids"; exit 0');
    const signal = AbortSignal.timeout(abortMs);
    const error = await failure(searchIn(env, { root: tree(TWO), pattern: "needle", timeoutMs, signal }));
    expect(error instanceof ToolError ? error.code : error).toBe(code);
    expect(await eventually(() => pids(folder).every((pid) => !isAlive(pid)), 1000)).toBe(true);
  });

  it("is killed after a while when it does not listen, and so is what it started", async () => {
    const deaf = `trap '' TERM; (trap '' TERM; echo $(exec sh -c 'echo $PPID') >> "$MARK/pids"; while :; do sleep 1; done) &`;
    const { folder, env } = standIn(`${deaf}\necho $$ >> "$MARK/pids"; while :; do sleep 1; done`);
    const abort = new AbortController();
    const asked = failure(searchIn(env, { root: tree(TWO), pattern: "needle", signal: abort.signal }));
    expect(await started(folder, 2)).toBe(true);
    abort.abort();
    expect(await asked).toMatchObject({ code: "ABORTED" });
    expect(pids(folder).every(isAlive)).toBe(true);
    expect(await eventually(() => pids(folder).every((pid) => !isAlive(pid)), 7000)).toBe(true);
  });

  it("leaves nothing that outlives a leader that does listen", async () => {
    const { folder, env } = standIn(
      `(trap '' TERM; echo $(exec sh -c 'echo $PPID') > "$MARK/pids"; while :; do sleep 1; done) & wait`,
    );
    const abort = new AbortController();
    const asked = failure(searchIn(env, { root: tree(TWO), pattern: "needle", signal: abort.signal }));
    expect(await started(folder, 1)).toBe(true);
    abort.abort();
    expect(await asked).toMatchObject({ code: "ABORTED" });
    expect(await eventually(() => pids(folder).every((pid) => !isAlive(pid)), 7000)).toBe(true);
  });

  it("does not start when it was aborted before", async () => {
    const { folder, env } = standIn('echo $$ > "$MARK/pids"');
    const asked = failure(searchIn(env, { root: tree(TWO), pattern: "needle", signal: AbortSignal.abort() }));
    expect(await asked).toMatchObject({ code: "ABORTED" });
    expect(() => pids(folder)).toThrow(/ENOENT/);
  });
});

it("holds ripgrep back while nobody reads, and loses nothing", async () => {
  const size = 60 << 20;
  const { folder, env } = standIn(`head -c ${size} /dev/zero; echo done > "$MARK/done"`);
  const bytes = run<Buffer>({
    argv: () => [],
    cwd: folder,
    env,
    timeoutMs: 20_000,
    signal: undefined,
    reader: (push) => ({ feed: (chunk) => push(chunk, chunk.length), complete: (code) => code === 0 }),
  });
  let read = 0;
  let wroteAll = false;
  for await (const chunk of bytes) {
    if (read === 0) {
      // Long enough to write everything, had anybody taken it.
      await sleep(500);
      wroteAll = existsSync(join(folder, "done"));
    }
    read += chunk.length;
  }
  expect([wroteAll, read]).toEqual([false, size]);
});

it("survives files that are cut short while they are searched", async () => {
  const line = "needle in a line that is long enough\n".repeat(4000);
  const root = tree(Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`f${at}`, line])));
  const stop = new AbortController();
  const cutting = (async () => {
    for (let at = 0; !stop.signal.aborted; at++) {
      const file = join(root, `f${at % 8}`);
      truncateSync(file, 10);
      await setImmediate();
      writeFileSync(file, line);
      await setImmediate();
    }
  })();
  try {
    for (let at = 0; at < 40; at++) {
      const { summary } = await search({ root, pattern: "needle", mode: "count" }).collect();
      expect(summary.partial).toBe(false);
    }
  } finally {
    stop.abort();
    await cutting;
  }
});
