/**
 * seeds/claude-code-glob-and-grep.md, chapters 2, 5 and 6: the ripgrep behind Grep and Glob. What is true of every
 * search is held to in `test/ripgrep/`; here is that Claude's tools have it.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { KILL_GRACE, SEARCH_TIME, SEARCH_TIME_WSL } from "../../src/model/limits.ts";
import { eventually, isAlive } from "../support/processes.ts";
import { standIn, systemRipgrep } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";
import { claude } from "./claude.ts";

const CONTENT = { pattern: "hit", output_mode: "content" } as const;
const FILES = { "a.ts": "hit\n", "b.ts": "miss\n" };
/** What ripgrep says then, and how it ends. */
const REFUSED = `echo "thread 'main' panicked at src/walk.rs:1:1:" >&2
echo 'failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }' >&2
exit 101`;

/** The lines that a stand-in left, one a run. */
function runs(folder: string): readonly string[] {
  const file = join(folder, "runs");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

describe("the program", () => {
  it("is the same for Grep and for Glob, which lists files with it", async () => {
    const { env, folder } = standIn('echo " $* " >> "$MARK/runs"; exec "$RG" "$@"');
    const { text, glob } = await claude(FILES, { env });
    expect(await text(CONTENT)).toBe("a.ts:1:hit");
    expect(await glob({ pattern: "a.*" })).toBe("a.ts");
    const [grep = "", list = "", ...more] = runs(folder);
    expect(more).toEqual([]);
    expect([grep.includes(" --files "), list.includes(" --files ")]).toEqual([false, true]);
  });

  it("is asked once in each mode, and only which files match: lines are taken from the files themselves", async () => {
    const { env, folder } = standIn('echo " $* " >> "$MARK/runs"; exec "$RG" "$@"');
    const { text } = await claude(FILES, { env });
    for (const output_mode of ["files_with_matches", "content", "count"] as const) {
      await text({ pattern: "hit", output_mode });
    }
    expect(runs(folder).map((argv) => argv.includes(" --max-count=1 "))).toEqual([true, true, true]);
  });

  it("is the system's where the injected USE_BUILTIN_RIPGREP says so, and else the bundled one", async () => {
    const { env, folder } = standIn('echo run >> "$MARK/runs"; exec "$RG" "$@"');
    for (const word of ["1", "true", ""]) {
      const { text } = await claude(FILES, { env: { ...env, USE_BUILTIN_RIPGREP: word } });
      expect(await text(CONTENT)).toBe("a.ts:1:hit");
    }
    expect(runs(folder)).toEqual([]);
    for (const word of ["0", "false", "no", "off"]) {
      const { text } = await claude(FILES, { env: { ...env, USE_BUILTIN_RIPGREP: word } });
      expect(await text(CONTENT)).toBe("a.ts:1:hit");
    }
    expect(runs(folder)).toEqual(["run", "run", "run", "run"]);
  });

  it("is the bundled one where PATH has none", async () => {
    const { text } = await claude(FILES, { env: systemRipgrep(tree()) });
    expect(await text(CONTENT)).toBe("a.ts:1:hit");
  });

  it("is not one that lies in the folder that is searched", async () => {
    const { env, folder, path } = standIn('echo run >> "$MARK/runs"; exec "$RG" "$@"');
    const { workspace } = await claude({}, { root: dirname(path), env });
    await expect(workspace.tools.Grep({ pattern: "MARK" })).rejects.toMatchObject({
      code: "RIPGREP_MISSING",
    });
    await expect(workspace.tools.Glob({ pattern: "*" })).rejects.toMatchObject({ code: "RIPGREP_MISSING" });
    expect(runs(folder)).toEqual([]);
  });
});

it.each(["files_with_matches", "content", "count"] as const)(
  "a file that is gone since ripgrep found it is left out of %s",
  async (output_mode) => {
    const { env } = standIn('"$RG" "$@" > "$MARK/out"; rm -f a.ts; cat "$MARK/out"');
    const { details } = await claude({ "a.ts": "hit\n", "b.ts": "hit\n" }, { env });
    const { filenames, content } = await details({ pattern: "hit", output_mode });
    const listed = { files_with_matches: "b.ts", content: "b.ts:1:hit", count: "b.ts:1" };
    expect(content ?? filenames.join("\n")).toBe(listed[output_mode]);
  },
);

describe("threads that the system refuses", () => {
  it("make one more run with one thread, for that call alone", async () => {
    const { env, folder } = standIn(
      `case "$*" in *--threads=1*) echo one >> "$MARK/runs"; exec "$RG" "$@";; esac\n` +
        `echo many >> "$MARK/runs"; ${REFUSED}`,
    );
    const { text, details, glob } = await claude(FILES, { env });
    expect(await text(CONTENT)).toBe("a.ts:1:hit");
    expect(await text(CONTENT)).toBe("a.ts:1:hit");
    expect(await glob({ pattern: "a.*" })).toBe("a.ts");
    expect(runs(folder)).toEqual(["many", "one", "many", "one", "many", "one"]);
    const { notices } = await details(CONTENT);
    expect(notices.map(({ code }) => code)).toEqual(["SINGLE_THREAD"]);
  });

  it("are tried for once only", async () => {
    const { env, folder } = standIn(`echo run >> "$MARK/runs"; ${REFUSED}`);
    const { workspace } = await claude(FILES, { env });
    await expect(workspace.tools.Grep(CONTENT)).rejects.toMatchObject({ code: "RIPGREP_FAILED" });
    expect(runs(folder)).toEqual(["run", "run"]);
    await expect(workspace.tools.Glob({ pattern: "*" })).rejects.toMatchObject({ code: "RIPGREP_FAILED" });
    expect(runs(folder)).toEqual(["run", "run", "run", "run"]);
  });
});

describe("the time of a call", () => {
  it("is 20 s, 60 s on WSL, and 5 s from SIGTERM to SIGKILL", () => {
    expect([SEARCH_TIME, SEARCH_TIME_WSL, KILL_GRACE]).toEqual([20_000, 60_000, 5_000]);
  });

  it("is what CLAUDE_CODE_GLOB_TIMEOUT_SECONDS says, and then Grep has what was found and says so", async () => {
    const { env } = standIn('"$RG" "$@" | grep -v summary; sleep 60');
    const { text, details } = await claude(FILES, {
      env: { ...env, CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "1.5" },
    });
    const answer = await text(CONTENT);
    expect(answer.split("\n")).toEqual([
      "a.ts:1:hit",
      "",
      "[The time was up; this is what was found by then]",
      "[Not everything was searched; narrow path or glob]",
    ]);
    expect(await details(CONTENT)).toMatchObject({ partial: true, totalFiles: null });
  });

  it("that is no number of seconds is an error that names the variable", async () => {
    const { error } = await claude(FILES, { env: { CLAUDE_CODE_GLOB_TIMEOUT_SECONDS: "soon" } });
    expect(await error(CONTENT)).toMatch(/^\[INVALID_INPUT\] CLAUDE_CODE_GLOB_TIMEOUT_SECONDS is "soon"/);
  });

  it("ends with its signal, and so does a ripgrep that does not listen to SIGTERM", async () => {
    const { env, folder } = standIn(`trap '' TERM; echo $$ >> "$MARK/pids"; while :; do sleep 1; done`);
    const { workspace } = await claude(FILES, { env });
    const abort = new AbortController();
    const asked = workspace.tools.Grep(CONTENT, { signal: abort.signal }).catch((error: unknown) => error);
    const pids = join(folder, "pids");
    expect(await eventually(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n"), 5_000)).toBe(
      true,
    );
    abort.abort();
    expect(await asked).toMatchObject({ code: "ABORTED" });
    const pid = Number(readFileSync(pids, "utf8"));
    expect(isAlive(pid)).toBe(true);
    expect(await eventually(() => !isAlive(pid), 8_000)).toBe(true);
  });
});
