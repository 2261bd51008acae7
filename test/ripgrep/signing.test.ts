import { afterEach, describe, expect, it, vi } from "vitest";
import type { Binary } from "../../src/ripgrep/binary.ts";
import { createSigner, type Runner, type Signer } from "../../src/ripgrep/signing.ts";
import { searchIn } from "../support/query.ts";
import { rgPath, standIn } from "../support/ripgrep.ts";
import { tree } from "../support/tree.ts";

/** The binaries that a started child was signed for. */
const asked = vi.hoisted((): string[] => []);

vi.mock("../../src/ripgrep/signing.ts", async (original) => ({
  ...(await original<Record<string, unknown>>()),
  signRipgrep: async ({ mode, path }: Binary): Promise<void> => {
    asked.push(`${mode} ${path}`);
  },
}));

const BUILTIN: Binary = { mode: "builtin", command: "/pkg/rg", path: "/pkg/rg" };
const SYSTEM: Binary = { mode: "system", command: "rg", path: "/usr/local/bin/rg" };
const LINKER_SIGNED =
  "Executable=/pkg/rg\nCodeDirectory v=20400 flags=0x20002(adhoc,linker-signed) hashes=9\n";
const LOOK = "/usr/bin/codesign -vv -d /pkg/rg";
const SIGN =
  "/usr/bin/codesign --sign - --force --preserve-metadata=entitlements,requirements,flags,runtime /pkg/rg";
const UNMARK = "/usr/bin/xattr -d com.apple.quarantine /pkg/rg";

/** A runner that writes down what it is asked to start; `answer` says how each of them ends. */
function runner(
  answer: (line: string, signal: AbortSignal) => Promise<{ code: number | null; output: string }>,
): {
  readonly run: Runner;
  readonly started: string[];
} {
  const started: string[] = [];
  return {
    started,
    run: (program, argv, signal) => {
      const line = [program, ...argv].join(" ");
      started.push(line);
      return answer(line, signal);
    },
  };
}

async function says(output: string, code = 0): Promise<{ code: number | null; output: string }> {
  return { code, output };
}

const never = (): Promise<never> => new Promise(() => {});

describe("the bundled ripgrep on macOS", () => {
  it("is signed where only its linker signed it, and then has no mark of a download", async () => {
    const { run, started } = runner(() => says(LINKER_SIGNED));
    await createSigner("darwin", run)(BUILTIN);
    expect(started).toEqual([LOOK, SIGN, UNMARK]);
  });

  it("is left as it is where somebody signed it, or where it is not known", async () => {
    for (const seen of [says("flags=0x10000(runtime)\n"), says(""), says(LINKER_SIGNED, 1)]) {
      const { run, started } = runner(() => seen);
      await createSigner("darwin", run)(BUILTIN);
      expect(started).toEqual([LOOK]);
    }
  });

  it("is signed once for all that ask, and all wait until it is", async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { run, started } = runner(async () => {
      await held;
      return says(LINKER_SIGNED);
    });
    const sign = createSigner("darwin", run);
    let done = 0;
    const all = Array.from({ length: 20 }, async () => {
      await sign(BUILTIN);
      done += 1;
    });
    await new Promise(setImmediate);
    expect([started, done]).toEqual([[LOOK], 0]);
    release();
    await Promise.all(all);
    await sign(BUILTIN);
    expect([started, done]).toEqual([[LOOK, SIGN, UNMARK], 20]);
  });

  it("is searched with, whatever fails, and it is not tried again", async () => {
    const failures: readonly ((line: string) => Promise<{ code: number | null; output: string }>)[] = [
      () => Promise.reject(new Error("ENOENT")),
      () => {
        throw new Error("thrown at once");
      },
      (line) => (line === LOOK ? says(LINKER_SIGNED) : Promise.reject(new Error("read-only"))),
    ];
    for (const failure of failures) {
      const { run, started } = runner(failure);
      const sign = createSigner("darwin", run);
      await expect(sign(BUILTIN)).resolves.toBeUndefined();
      const before = started.length;
      await sign(BUILTIN);
      expect(started.length).toBe(before);
    }
    // A file without the mark makes xattr fail, and one that may not be written makes codesign fail.
    const { run, started } = runner((line) => (line === LOOK ? says(LINKER_SIGNED) : says("denied", 1)));
    await createSigner("darwin", run)(BUILTIN);
    expect(started).toEqual([LOOK, SIGN, UNMARK]);
  });

  it("does not wait for a program that hangs, and ends it", async () => {
    for (const hanging of [LOOK, SIGN, UNMARK]) {
      const signals: AbortSignal[] = [];
      const { run, started } = runner((line, signal) => {
        signals.push(signal);
        return line === hanging ? never() : says(LINKER_SIGNED);
      });
      await createSigner("darwin", run, 20)(BUILTIN);
      expect(started.at(-1)).toBe(hanging);
      expect(signals.every(({ aborted }) => aborted)).toBe(true);
    }
  });
});

describe("nothing is signed", () => {
  it("where the system's ripgrep is used, also after the bundled one was", async () => {
    const { run, started } = runner(() => says(LINKER_SIGNED));
    const sign = createSigner("darwin", run);
    await sign(SYSTEM);
    expect(started).toEqual([]);
    await sign(BUILTIN);
    await sign(SYSTEM);
    expect(started).toEqual([LOOK, SIGN, UNMARK]);
  });

  it.each(["linux", "win32", "freebsd"] as const)("on %s", async (platform) => {
    const { run, started } = runner(() => says(LINKER_SIGNED));
    await createSigner(platform, run)(BUILTIN);
    expect(started).toEqual([]);
  });
});

describe("a search", () => {
  const platform = process.platform;
  afterEach(() => {
    Object.defineProperty(process, "platform", { value: platform });
    asked.length = 0;
  });

  it("goes on where the programs that sign are not there", async () => {
    Object.defineProperty(process, "platform", { value: "darwin" });
    vi.resetModules();
    const { signRipgrep } = await vi.importActual<{ readonly signRipgrep: Signer }>(
      "../../src/ripgrep/signing.ts",
    );
    await expect(signRipgrep({ ...BUILTIN, path: "/nowhere/rg" })).resolves.toBeUndefined();
  });

  it("asks for the signature before ripgrep is started, on macOS alone", async () => {
    const root = tree({ a: "needle\n" });
    await searchIn({}, { root, pattern: "needle" });
    expect(asked).toEqual([]);
    Object.defineProperty(process, "platform", { value: "darwin" });
    const { matches } = await searchIn({}, { root, pattern: "needle" });
    expect([matches.length, asked]).toEqual([1, [`builtin ${rgPath}`]]);
    const system = standIn('exec "$RG" "$@"');
    await searchIn(system.env, { root, pattern: "needle" });
    expect(asked.slice(1)).toEqual([`system ${system.path}`]);
  });
});
