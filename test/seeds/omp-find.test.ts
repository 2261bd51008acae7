/**
 * `find` beside its seed, oh-my-pi's find: the headings are the seed's, in its order, and under each there is one test
 * for every sentence about what goes in and what comes out. Where the issue or docs/deviations.md says otherwise, the
 * test says so. What has no test is listed at the end.
 */
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type CallOptions,
  createWorkspace,
  type Failure,
  type FindDetails,
  type FindInput,
  toolDefinitions,
  type WorkspaceOptions,
} from "../../src/quarry.ts";
import { gzip, tar, zip } from "../sources/build.ts";
import { eventually } from "../support/processes.ts";
import { standIn } from "../support/ripgrep.ts";
import { type Files, FOLDER, link, plant, rawPath, touch, tree } from "../support/tree.ts";

interface Found {
  readonly text: string;
  readonly details: FindDetails;
}

interface Refused {
  readonly text: string;
  readonly details: Failure;
}

interface Ground {
  readonly root: string;
  readonly cache: string;
  /** A call that finds, or finds nothing; an error fails the test. */
  readonly find: (input: FindInput, options?: CallOptions) => Promise<Found>;
  /** A call that is refused. */
  readonly refused: (input: unknown) => Promise<Refused>;
}

/** A workspace over these files, all of one age, so that paths break the tie. */
async function over(
  files: Files,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Ground> {
  const root = options.root ?? tree(files);
  if (options.root === undefined) sameAge(root);
  return open(root, options);
}

async function open(
  root: string,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat">,
): Promise<Ground> {
  const cache = join(tree(), "cache");
  const env = { HOME: tree(), QUARRY_CACHE_DIR: cache, ...options.env };
  const workspace = await createWorkspace({ ...options, root, env });
  onTestFinished(() => workspace.close());
  const { find } = workspace.tools;
  return {
    root,
    cache,
    find: async (input, called) => {
      const { content, details, isError } = await find(input, called);
      const [{ text }] = content;
      expect(isError, `said ${text}`).toBe(undefined);
      return { text, details: details as FindDetails };
    },
    refused: async (input) => {
      const { content, details, isError } = await find(input as FindInput);
      const [{ text }] = content;
      expect(isError, `said ${text}`).toBe(true);
      return { text, details: details as Failure };
    },
  };
}

const AGE = 1_000_000;

function sameAge(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, encoding: "buffer" })) {
    const path = rawPath(folder, [...entry.name]);
    if (entry.isDirectory()) sameAge(path.toString());
    lutimesSync(path, AGE, AGE);
  }
}

/** The paths of a page as its text says them, in the order printed. */
function printed(text: string): string[] {
  const paths: string[] = [];
  let folder = "";
  for (const line of text.split("\n")) {
    if (line === "" || /^\[.*\]$/.test(line)) continue;
    if (line.startsWith("# ")) folder = line.slice(2);
    else paths.push(folder + line);
  }
  return paths;
}

/** Every page, from the first to the last. */
async function pages(ground: Ground, input: FindInput): Promise<Found[]> {
  const all: Found[] = [];
  for (let skip: number | null = 0; skip !== null; skip = all.at(-1)?.details.nextSkip ?? null) {
    all.push(await ground.find({ ...input, skip }));
  }
  return all;
}

const numbered = (count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${String(at).padStart(3, "0")}`, ""]));

const REPOSITORY: Files = { ".git": FOLDER, ".gitignore": "dist/\n*.log\n" };

describe("find", () => {
  it("looks at paths only, never at what is in a file", async () => {
    const { find } = await over({ "needle.txt": "hay", "hay.txt": "needle" });
    expect((await find({ paths: "*needle*" })).text).toBe("needle.txt");
  });

  it("is told to a model as the tool for names, with every field it takes", () => {
    const definition = toolDefinitions().find(({ name }) => name === "find");
    expect(definition?.description).toBe("Find files and folders by glob, newest first, grouped by folder.");
    expect(Object.keys(definition?.inputSchema.properties ?? {})).toEqual([
      "paths",
      "hidden",
      "gitignore",
      "limit",
      "skip",
      "timeout",
    ]);
  });
});

describe("Inputs", () => {
  describe("paths", () => {
    it("takes globs, files and folders in one call", async () => {
      const { find } = await over({
        "a.ts": "",
        "b.md": "",
        "docs/c.md": "",
        "src/d.ts": "",
        "src/e.js": "",
      });
      const { text, details } = await find({ paths: ["src/*.ts", "b.md", "docs"] });
      expect(text).toBe("b.md\n\n# docs/\nc.md\n\n# src/\nd.ts");
      expect(details.files).toEqual(["b.md", "docs/c.md", "src/d.ts"]);
      expect(details.scopePath).toBe("src/*.ts, b.md, docs");
    });

    it("takes one entry without a list", async () => {
      const { find } = await over({ "a.ts": "", "b.md": "" });
      expect((await find({ paths: "*.ts" })).text).toBe("a.ts");
      expect((await find({ paths: '["*.ts"]' })).text).toBe("a.ts");
    });

    it("may be left out, and then means everything (the seed requires it)", async () => {
      const { find } = await over({ "a.ts": "", "src/b.ts": "" });
      expect((await find({})).text).toBe("a.ts\nsrc/\n\n# src/\nb.ts");
    });

    it.each([[""], ["  "], [[""]], [["a.ts", ""]], [[]], ['""']])("refuses %j as empty", async (paths) => {
      const { refused } = await over({ "a.ts": "" });
      expect(await refused({ paths })).toEqual({
        text: '[INVALID_INPUT] `paths` holds an empty entry. Name files, folders or globs; "." is the root.',
        details: {
          code: "INVALID_INPUT",
          message: "`paths` holds an empty entry",
          hint: 'Name files, folders or globs; "." is the root',
        },
      });
    });

    it("takes entries apart that were joined by comma, semicolon or blanks", async () => {
      const { find } = await over({ "a.ts": "", "b.ts": "", "c.ts": "" });
      for (const paths of ["a.ts,b.ts", "a.ts, b.ts", "a.ts;b.ts", "a.ts b.ts", "'a.ts', \"b.ts\""]) {
        expect((await find({ paths })).text, `of ${paths}`).toBe("a.ts\nb.ts");
      }
    });

    it("takes joined globs apart where their folders are there", async () => {
      const { find } = await over({ "src/a.ts": "", "docs/b.md": "", "docs/c.ts": "" });
      for (const paths of ["src/*.ts, docs/*.md", "src/*.ts docs/*.md"]) {
        expect((await find({ paths })).details.files, `of ${paths}`).toEqual(["docs/b.md", "src/a.ts"]);
      }
    });

    it("leaves a name with a comma, a semicolon or a blank in it alone where that name is there", async () => {
      const { find } = await over({ "a,b": "", "a;b": "", "a b": "", a: "", b: "" });
      for (const name of ["a,b", "a;b", "a b"]) {
        const { text, details } = await find({ paths: name });
        expect([text, details.files]).toEqual([name, [name]]);
      }
    });

    it("does not cut a glob at the comma in its braces", async () => {
      const { find } = await over({ "a.ts": "", "a.js": "", "a.md": "" });
      expect((await find({ paths: "*.{ts,js}" })).text).toBe("a.js\na.ts");
    });

    it("gives what several entries lead to once", async () => {
      const { find } = await over({ "src/a.ts": "", "src/in/b.ts": "" });
      const { details } = await find({ paths: ["src", "src/**/*.ts", "src/a.ts", "./src/a.ts", "src"] });
      expect(details.files).toEqual(["src/a.ts", "src/in/", "src/in/b.ts"]);
    });
  });

  describe("hidden", () => {
    const files = { ".env": "", ".config/x.json": "", "a.ts": "" };

    it("is true when it is not given", async () => {
      const { find } = await over(files);
      const everything = ".config/\n.env\na.ts\n\n# .config/\nx.json";
      expect((await find({})).text).toBe(everything);
      expect((await find({ hidden: true })).text).toBe(everything);
    });

    it("leaves out hidden files and folders when it is false", async () => {
      const { find } = await over(files);
      expect((await find({ hidden: false })).text).toBe("a.ts");
      expect((await find({ hidden: false, paths: ".e*" })).text).toBe("No files found");
    });

    it("does not hide what is named by itself", async () => {
      const { find } = await over(files);
      expect((await find({ hidden: false, paths: ".env" })).text).toBe(".env");
    });
  });

  describe("gitignore", () => {
    const files = { ...REPOSITORY, "dist/x.js": "", "a.log": "", "a.ts": "" };

    it("is true when it is not given", async () => {
      const { find } = await over(files);
      expect((await find({})).text).toBe(".gitignore\na.ts");
      expect((await find({ gitignore: true })).text).toBe(".gitignore\na.ts");
    });

    it("brings back what ignore files leave out when it is false", async () => {
      const { find } = await over({ ...files, ".ignore": "a.ts\n" });
      const { details } = await find({ gitignore: false });
      expect(details.files).toEqual([".gitignore", ".ignore", "a.log", "a.ts", "dist/", "dist/x.js"]);
    });

    it("leaves the folders of version control out all the same, unless they are named (deviations.md)", async () => {
      const { find } = await over({ ".git/config": "", "a.ts": "" });
      expect((await find({ gitignore: false })).text).toBe("a.ts");
      expect((await find({ paths: ".git" })).text).toBe("# .git/\nconfig");
    });
  });

  describe("limit", () => {
    it("is 200 when it is not given", async () => {
      const { find } = await over(numbered(201));
      const { details } = await find({});
      expect(details).toMatchObject({ fileCount: 200, totalFiles: 201, meta: { limits: { results: 200 } } });
    });

    it("is floored", async () => {
      const { find } = await over(numbered(4));
      const { details } = await find({ limit: 2.9 });
      expect(details).toMatchObject({ files: ["f000", "f001"], meta: { limits: { results: 2 } } });
    });

    it("is 200 at most", async () => {
      const { find } = await over(numbered(201));
      const { details } = await find({ limit: 100_000 });
      expect(details).toMatchObject({ fileCount: 200, meta: { limits: { results: 200 } } });
    });

    it("is 1 at least, also when it is a positive number below 1", async () => {
      const { find } = await over(numbered(3));
      const { details } = await find({ limit: 0.5 });
      expect(details).toMatchObject({ files: ["f000"], meta: { limits: { results: 1 } } });
    });
  });

  describe("timeout", () => {
    /** Timers that were set by a call. */
    async function timers(input: FindInput): Promise<number[]> {
      const { find } = await over({ "a.ts": "" });
      const spy = vi.spyOn(globalThis, "setTimeout");
      onTestFinished(() => spy.mockRestore());
      await find(input);
      const delays = spy.mock.calls.map(([, delay]) => delay ?? 0);
      spy.mockRestore();
      return delays;
    }

    it("is 5 seconds when it is not given", async () => {
      const longest = Math.max(...(await timers({})));
      expect(longest).toBeGreaterThan(1_000);
      expect(longest).toBeLessThanOrEqual(5_000);
    });

    it("is 60 seconds at most", async () => {
      const longest = Math.max(...(await timers({ timeout: 86_400 })));
      expect(longest).toBeGreaterThan(50_000);
      expect(longest).toBeLessThanOrEqual(60_000);
    });

    it.each([0, -3, 0.1])("is half a second at least: %d", async (timeout) => {
      const { env } = standIn("exec sleep 60");
      const { find } = await over({ "a.ts": "" }, { env });
      expect((await find({ timeout })).text).toBe(
        "No files found, but not everything was looked at\n[find timed out after 0.5s with 0 paths; raise timeout or narrow paths]",
      );
    });

    it("gives what was found until then, and says so", async () => {
      const { env } = standIn('"$RG" "$@"; exec sleep 60');
      const { find } = await over({ "a.ts": "", "src/b.ts": "" }, { env });
      const { text, details } = await find({ timeout: 3 });
      expect(text).toBe(
        "a.ts\n\n# src/\nb.ts\n\n[find timed out after 3s with 2 paths; raise timeout or narrow paths]",
      );
      expect(details).toMatchObject({
        files: ["a.ts", "src/b.ts"],
        fileCount: 2,
        truncated: true,
        timedOut: true,
        partial: true,
        totalFiles: null,
      });
    });
  });

  describe("skip (the issue; the seed has none)", () => {
    it("passes over paths and says what is behind the page", async () => {
      const { find } = await over(numbered(5));
      const first = await find({ limit: 2 });
      expect(first.text).toBe("f000\nf001\n\n[Paths 1-2 of 5. Use skip=2 for the next page]");
      expect(first.details).toMatchObject({ nextSkip: 2, truncated: true, resultLimitReached: true });
      const second = await find({ limit: 2, skip: 2.7 });
      expect(second.text).toBe("f002\nf003\n\n[Paths 3-4 of 5. Use skip=4 for the next page]");
      const last = await find({ limit: 2, skip: 4 });
      expect(last.text).toBe("f004");
      expect(last.details).toMatchObject({ nextSkip: null, truncated: false, resultLimitReached: false });
    });

    it("says when it is past everything", async () => {
      const { find } = await over(numbered(5));
      const { text, details } = await find({ skip: 5 });
      expect(text).toBe("No files on this page: there are 5 paths, and skip=5 is past them");
      expect(details).toMatchObject({ files: [], totalFiles: 5, nextSkip: null, truncated: false });
    });

    it("says only that nothing was found where there is nothing to pass over", async () => {
      const { find } = await over(numbered(5));
      expect((await find({ paths: "*.zig", skip: 5 })).text).toBe("No files found");
    });

    it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("refuses %d", async (skip) => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ skip })).text).toBe(
        `[INVALID_INPUT] skip must be a non-negative number, not ${skip}.`,
      );
    });
  });

  it("refuses a field that is not there, and names those that are", async () => {
    const { refused } = await over({ "a.ts": "" });
    expect((await refused({ pattern: "*.ts" })).text).toBe(
      '[INVALID_INPUT] There is no field "pattern". The fields are paths, hidden, gitignore, limit, skip, timeout.',
    );
  });

  it("refuses a value of the wrong type, and names the field", async () => {
    const { refused } = await over({ "a.ts": "" });
    const text = async (input: unknown): Promise<string> => (await refused(input)).text;
    expect(await text({ paths: 5 })).toBe(
      "[INVALID_INPUT] paths must be a string or a list of strings, not 5.",
    );
    expect(await text({ hidden: "maybe" })).toBe(
      '[INVALID_INPUT] hidden must be true or false, not "maybe".',
    );
    expect(await text({ limit: "many" })).toBe('[INVALID_INPUT] limit must be a number, not "many".');
    expect(await text({ timeout: Number.NaN })).toBe("[INVALID_INPUT] timeout must be a number, not NaN.");
    expect(await text("*.ts")).toBe("[INVALID_INPUT] The input must be an object of fields.");
  });

  it("takes a number or a truth value that was sent as text, and null for nothing", async () => {
    const { find } = await over({ ".env": "", "a.ts": "", "b.ts": "" });
    const input = { limit: "1", hidden: "false", skip: null, paths: null };
    expect((await find(input as unknown as FindInput)).details.files).toEqual(["a.ts"]);
  });
});

describe("Outputs", () => {
  it("are one block of text and the details", async () => {
    const root = tree({ "a.ts": "" });
    const env = { QUARRY_CACHE_DIR: join(tree(), "cache") };
    const workspace = await createWorkspace({ root, env });
    onTestFinished(() => workspace.close());
    const result = await workspace.tools.find({ paths: "*.ts" });
    expect(Object.keys(result)).toEqual(["content", "details"]);
    expect(result.content).toEqual([{ type: "text", text: "a.ts" }]);
  });

  describe("the text", () => {
    it("groups paths by folder, those of the root first and without a heading", async () => {
      const { find } = await over({ "src/in/c.ts": "", "src/b.ts": "", "z.ts": "" });
      expect((await find({ paths: "*.ts" })).text).toBe("z.ts\n\n# src/\nb.ts\n\n# src/in/\nc.ts");
    });

    it("has the root's paths first also when others are newer", async () => {
      const { root, find } = await over({ "a.ts": "", "src/b.ts": "" });
      touch(root, "src/b.ts", AGE + 10);
      const { text, details } = await find({ paths: "*.ts" });
      expect(text).toBe("a.ts\n\n# src/\nb.ts");
      expect(details.files).toEqual(["src/b.ts", "a.ts"]);
    });

    it("prints a folder once, though its paths are not neighbours in age", async () => {
      const { root, find } = await over({ "one/a": "", "two/b": "", "one/c": "" });
      touch(root, "one/a", AGE + 30);
      touch(root, "two/b", AGE + 20);
      touch(root, "one/c", AGE + 10);
      expect((await find({ paths: ["one", "two"] })).text).toBe("# one/\na\nc\n\n# two/\nb");
    });

    it("ends folders in a slash, empty ones too", async () => {
      const { find } = await over({ "src/in": FOLDER, "src/file": "" });
      const { text, details } = await find({ paths: "src" });
      expect(text).toBe("# src/\nfile\nin/");
      expect(details.files).toEqual(["src/file", "src/in/"]);
    });

    it("is a file's path on one line when that file was named", async () => {
      const { find } = await over({ "src/in/a.ts": "" });
      const { text, details } = await find({ paths: "src/in/a.ts" });
      expect(text).toBe("src/in/a.ts");
      expect(details).toMatchObject({ scopePath: "src/in/a.ts", files: ["src/in/a.ts"], fileCount: 1 });
    });

    it("groups several files that were named", async () => {
      const { find } = await over({ "a.ts": "", "src/b.ts": "" });
      expect((await find({ paths: ["src/b.ts", "a.ts"] })).text).toBe("a.ts\n\n# src/\nb.ts");
    });

    it("says so when nothing was found, in our words", async () => {
      const { find } = await over({ "a.ts": "" });
      const { text, details } = await find({ paths: "*.zig" });
      expect(text).toBe("No files found");
      expect(details).toMatchObject({ files: [], fileCount: 0, totalFiles: 0, truncated: false });
    });

    it("names what is missing below an answer without paths", async () => {
      const { find } = await over({ "a.ts": "" });
      expect((await find({ paths: ["*.zig", "gone"] })).text).toBe(
        "No files found\n[Skipped missing paths: gone]",
      );
    });

    it("names what is missing below the paths", async () => {
      const { find } = await over({ "a.ts": "" });
      const { text, details } = await find({ paths: ["gone", "*.ts", "lost/*.js"] });
      expect(text).toBe("a.ts\n\n[Skipped missing paths: gone, lost/*.js]");
      expect(details.missingPaths).toEqual(["gone", "lost/*.js"]);
    });

    it("names eight missing paths at most, and counts the others", async () => {
      const { find } = await over({ "a.ts": "" });
      const gone = Array.from({ length: 10 }, (_, at) => `gone${at}`);
      const { text, details } = await find({ paths: ["a.ts", ...gone] });
      expect(text).toBe(`a.ts\n\n[Skipped missing paths: ${gone.slice(0, 8).join(", ")} and 2 more]`);
      expect(details.missingPaths).toEqual(gone);
    });
  });

  describe("the details", () => {
    it("have all that the seed has, and what became of the work", async () => {
      const { find } = await over({ "a.ts": "", "src/b.ts": "" });
      const { elapsedMs, ...details } = (await find({ paths: "*.ts" })).details;
      expect(elapsedMs).toBeGreaterThanOrEqual(0);
      expect(details).toEqual({
        scopePath: "*.ts",
        fileCount: 2,
        files: ["a.ts", "src/b.ts"],
        totalFiles: 2,
        nextSkip: null,
        truncated: false,
        resultLimitReached: false,
        timedOut: false,
        missingPaths: [],
        engine: "ripgrep",
        engineWhy: "there is no index yet",
        skipped: { binary: 0, tooLarge: 0, unreadable: 0, denied: 0 },
        partial: false,
        notices: [],
        meta: { limits: { results: 200 } },
      });
    });

    it("count and list what is on the page, and not what is behind it", async () => {
      const { find } = await over(numbered(3));
      const { details } = await find({ limit: 2 });
      expect(details).toMatchObject({ fileCount: 2, files: ["f000", "f001"], totalFiles: 3 });
    });

    it("say that the limit was reached only when something is behind it", async () => {
      const { find } = await over(numbered(3));
      expect((await find({ limit: 3 })).details).toMatchObject({
        truncated: false,
        resultLimitReached: false,
      });
      expect((await find({ limit: 2 })).details).toMatchObject({ truncated: true, resultLimitReached: true });
    });

    it("name the scope by all its entries", async () => {
      const { find } = await over({ "a.ts": "", "src/b.ts": "", "docs/c.md": "" });
      expect((await find({ paths: ["src", "docs/*.md"] })).details.scopePath).toBe("src, docs/*.md");
      expect((await find({})).details.scopePath).toBe(".");
    });
  });

  describe("updates", () => {
    /** Twenty names at a time, with pauses longer than that between two updates. */
    const slowly = `"$RG" "$@" | sort -z > "$MARK/all"
sleep 0.6; head -z -n 20 "$MARK/all"
sleep 0.6; head -z -n 40 "$MARK/all" | tail -z -n 20
sleep 0.6; tail -z -n 20 "$MARK/all"`;

    it("are lists of paths that grow, far fewer than there are paths", async () => {
      const { env } = standIn(slowly);
      const names = Array.from({ length: 60 }, (_, at) => `src/f${String(at).padStart(2, "0")}`);
      const { find } = await over(Object.fromEntries(names.map((name) => [name, ""])), { env });
      const updates: string[] = [];
      const { details } = await find(
        { paths: "src" },
        { onUpdate: ({ content: [{ text }] }) => updates.push(text) },
      );
      expect(details.fileCount).toBe(60);
      expect(updates.length).toBeGreaterThan(0);
      expect(updates.length).toBeLessThan(20);
      let before = 0;
      for (const update of updates) {
        const lines = update.split("\n");
        expect(lines).toEqual(names.slice(0, lines.length));
        expect(lines.length).toBeGreaterThan(before);
        before = lines.length;
      }
    });

    it("do not come when there is nothing yet to tell", async () => {
      const { env } = standIn('sleep 0.6; exec "$RG" "$@"');
      const { find } = await over({ "a.ts": "" }, { env });
      const onUpdate = vi.fn<() => void>();
      await find({ paths: "*.zig" }, { onUpdate });
      expect(onUpdate).not.toHaveBeenCalled();
    });

    it("keep a name on one line, whatever is in it", async () => {
      const { env } = standIn('sleep 0.6; exec "$RG" "$@"');
      const { find } = await over({ "new\nline": "" }, { env });
      const updates: string[] = [];
      await find({}, { onUpdate: ({ content: [{ text }] }) => updates.push(text) });
      expect(updates).toEqual(['"new\\nline"']);
    });
  });
});

describe("Flow", () => {
  describe("1. taking joined entries apart", () => {
    it("is done at commas and semicolons when one part is there, and the others are missing", async () => {
      const { find } = await over({ "a.ts": "" });
      for (const mark of [",", ";"]) {
        const { text, details } = await find({ paths: `a.ts${mark}gone.ts` });
        expect(text).toBe("a.ts\n\n[Skipped missing paths: gone.ts]");
        expect(details.missingPaths).toEqual(["gone.ts"]);
      }
    });

    it("is not done at commas when no part is there", async () => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: "gone.ts,lost.ts" })).details.message).toBe(
        "Path not found: gone.ts,lost.ts",
      );
    });

    it("is done at blanks only when every part is there", async () => {
      const { find, refused } = await over({ "a.ts": "", "b.ts": "" });
      expect((await find({ paths: "a.ts b.ts" })).text).toBe("a.ts\nb.ts");
      expect((await refused({ paths: "a.ts gone.ts" })).details.message).toBe("Path not found: a.ts gone.ts");
    });
  });

  describe("2. making an entry plain", () => {
    it("drops blanks and quotes around it", async () => {
      const { find } = await over({ "src/a.ts": "" });
      for (const paths of [" src/a.ts ", '"src/a.ts"', "'src/a.ts'", "`src/a.ts`"]) {
        expect((await find({ paths })).text).toBe("src/a.ts");
      }
    });

    it("expands ~ and file:// before the policy looks (the issue)", async () => {
      const home = tree({ "a.ts": "" });
      sameAge(home);
      const inside = await over({}, { root: home, env: { HOME: home } });
      expect((await inside.find({ paths: "~/a.ts" })).text).toBe("a.ts");
      expect((await inside.find({ paths: `file://${home}/a.ts` })).text).toBe("a.ts");
      const outside = await over({ "b.ts": "" }, { env: { HOME: home } });
      for (const paths of ["~", "~/a.ts", `file://${home}/a.ts`]) {
        expect((await outside.refused({ paths })).details.code).toBe("PATH_OUTSIDE");
      }
    });

    it("reads a backslash as a slash", async () => {
      const { find } = await over({ "src/in/a.ts": "" });
      expect((await find({ paths: "src\\in\\a.ts" })).text).toBe("src/in/a.ts");
    });

    it("leaves a backslash alone in a name that is there", async () => {
      const { find } = await over({ "a\\b": "", "a/b": "" });
      expect((await find({ paths: "a\\b" })).text).toBe("a\\b");
    });

    it("refuses a NUL", async () => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: "a\0.ts" })).text).toBe(
        '[INVALID_INPUT] The path "a\\u0000.ts" holds a NUL.',
      );
    });
  });

  describe("3. what is missing", () => {
    it("is skipped among others", async () => {
      const { find } = await over({ "a.ts": "" });
      const { text, details } = await find({ paths: ["gone.ts", "a.ts"] });
      expect(text).toBe("a.ts\n\n[Skipped missing paths: gone.ts]");
      expect(details).toMatchObject({ files: ["a.ts"], missingPaths: ["gone.ts"] });
    });

    it("is an error when all of it is, and names them all", async () => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: ["gone.ts", "lost/*.ts"] })).text).toBe(
        "[PATH_NOT_FOUND] Path not found: gone.ts, lost/*.ts. Check the spelling; find looks for names.",
      );
    });

    it("is an error by itself, with a way out that the agent has", async () => {
      const { refused } = await over({ "a.ts": "" });
      for (const paths of ["gone.ts", "gone/*.ts"]) {
        expect((await refused({ paths })).text).toBe(
          `[PATH_NOT_FOUND] Path not found: ${paths}. Check the spelling; find looks for names.`,
        );
      }
    });

    it("is not told of a glob that merely matches nothing", async () => {
      const { find } = await over({ "a.ts": "", "src/b.ts": "" });
      const { text, details } = await find({ paths: ["src/*.zig", "a.ts"] });
      expect(text).toBe("a.ts");
      expect(details.missingPaths).toEqual([]);
    });
  });

  describe("4. several entries", () => {
    it("are one answer, in one order of age", async () => {
      const { root, find } = await over({ "one/a.ts": "", "two/b.ts": "", "c.ts": "" });
      touch(root, "two/b.ts", AGE + 20);
      touch(root, "c.ts", AGE + 10);
      const { details } = await find({ paths: ["one/*.ts", "c.ts", "two"] });
      expect(details.files).toEqual(["two/b.ts", "c.ts", "one/a.ts"]);
    });
  });

  describe("5. what an entry means", () => {
    const files = { "a.ts": "", "src/b.ts": "", "src/in/c.ts": "", "x/src/d.ts": "" };

    it("is everything below it when it has no glob", async () => {
      const { find } = await over(files);
      expect((await find({ paths: "src" })).details.files).toEqual(["src/b.ts", "src/in/", "src/in/c.ts"]);
      expect((await find({ paths: "src/" })).details.files).toEqual(["src/b.ts", "src/in/", "src/in/c.ts"]);
    });

    it.each(["*.ts", "**/*.ts", "?.ts", "[a-d].ts", "{a,b,c,d}.ts"])(
      "is any depth when it begins with a glob: %s",
      async (paths) => {
        const { find } = await over(files);
        expect((await find({ paths })).details.files).toEqual([
          "a.ts",
          "src/b.ts",
          "src/in/c.ts",
          "x/src/d.ts",
        ]);
      },
    );

    it("starts at the root when a slash stands behind its first part, as in a shell (deviations.md)", async () => {
      const { find } = await over(files);
      expect((await find({ paths: "s*/*.ts" })).details.files).toEqual(["src/b.ts"]);
      expect((await find({ paths: "**/s*/*.ts" })).details.files).toEqual(["src/b.ts", "x/src/d.ts"]);
    });

    it("is cut before the first part with a glob", async () => {
      const { find } = await over(files);
      expect((await find({ paths: "src/*.ts" })).details.files).toEqual(["src/b.ts"]);
      expect((await find({ paths: "src/*/c.ts" })).details.files).toEqual(["src/in/c.ts"]);
      expect((await find({ paths: "x/src/[a-e].ts" })).details.files).toEqual(["x/src/d.ts"]);
    });

    it("is the path itself where there is one with such characters", async () => {
      const { find } = await over({ "[id].ts": "", "i.ts": "", "pages/[slug]/x.ts": "", "pages/s/y.ts": "" });
      expect((await find({ paths: "[id].ts" })).text).toBe("[id].ts");
      expect((await find({ paths: "pages/[slug]" })).text).toBe("# pages/[slug]/\nx.ts");
      expect((await find({ paths: "pages/[slug]/*.ts" })).text).toBe("# pages/[slug]/\nx.ts");
    });
  });

  describe("6. where a path leads", () => {
    it("is below the root when it is relative", async () => {
      const { root, find } = await over({ "src/a.ts": "" });
      expect((await find({ paths: "./src/../src/a.ts" })).text).toBe("src/a.ts");
      expect((await find({ paths: join(root, "src/a.ts") })).text).toBe("src/a.ts");
      expect((await find({ paths: `${root}/src/*.ts` })).text).toBe("# src/\na.ts");
    });

    it("is never the root of the file system", async () => {
      const refusal = "[ROOT_REFUSED] Searching from / is not allowed. Name the folder to look in.";
      const { refused } = await over({ "a.ts": "", up: link("/") });
      expect((await refused({ paths: "/" })).text).toBe(refusal);
      expect((await refused({ paths: ["a.ts", "/"] })).text).toBe(refusal);
      expect((await refused({ paths: "up" })).text).toBe(refusal);
    });

    it("is not the root of the file system where that is allowed, either, nor with a glob", async () => {
      const { refused } = await over({ "a.ts": "" }, { allow: ["/"] });
      for (const paths of ["/", "//", "/*", "/*.ts", "/**/*.ts"]) {
        expect((await refused({ paths })).details.code, `of ${paths}`).toBe("ROOT_REFUSED");
      }
    });
  });

  describe("7. numbers", () => {
    it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
      "refuse %d as a limit",
      async (limit) => {
        const { refused } = await over({ "a.ts": "" });
        expect(await refused({ limit })).toEqual({
          text: `[INVALID_INPUT] limit must be a positive number, not ${limit}.`,
          details: { code: "INVALID_INPUT", message: `limit must be a positive number, not ${limit}` },
        });
      },
    );
  });

  describe("8. the walk", () => {
    it("is not made for a file that was named, ignored or not", async () => {
      const { env, folder } = standIn('touch "$MARK/called"; exec "$RG" "$@"');
      const { find } = await over({ ...REPOSITORY, "a.log": "" }, { env });
      expect((await find({ paths: "a.log" })).text).toBe("a.log");
      expect(existsSync(join(folder, "called"))).toBe(false);
      await find({ paths: "*.log" });
      expect(existsSync(join(folder, "called"))).toBe(true);
    });

    it("finds what is in an ignored folder that was named", async () => {
      const { find } = await over({ ...REPOSITORY, "dist/x.js": "" });
      expect((await find({ paths: "dist" })).text).toBe("# dist/\nx.js");
    });

    it("keeps the limit with all else the same", async () => {
      const { find } = await over({ ...REPOSITORY, ".env": "", "a.ts": "", "b.log": "" });
      expect((await find({ limit: 1, hidden: false })).details.files).toEqual(["a.ts"]);
    });
  });

  describe("9. and 10. what comes first", () => {
    it("is what was changed last", async () => {
      const { root, find } = await over({ "a.ts": "", "b.ts": "", "c.ts": "" });
      touch(root, "b.ts", AGE + 20);
      touch(root, "c.ts", AGE + 10);
      const { text, details } = await find({ paths: "*.ts" });
      expect(text).toBe("b.ts\nc.ts\na.ts");
      expect(details.files).toEqual(["b.ts", "c.ts", "a.ts"]);
    });

    it("is so with a limit too: the page has the newest of all", async () => {
      const { root, find } = await over(numbered(250));
      touch(root, "f249", AGE + 20);
      touch(root, "f123", AGE + 10);
      expect((await find({ limit: 2 })).details.files).toEqual(["f249", "f123"]);
    });

    it("holds for folders as for files", async () => {
      const { root, find } = await over({ "new/a": "", old: "" });
      touch(root, "new", AGE + 10);
      expect((await find({ paths: "*" })).details.files).toEqual(["new/", "new/a", "old"]);
    });
  });

  describe("11. the text's size", () => {
    const long = (letter: string, at: number): string =>
      `${letter}${String(at).padStart(3, "0")}${"x".repeat(200)}`;

    it("is 50 KiB at most: cut behind a whole path, with the whole kept and the next page named", async () => {
      const files = Array.from(
        { length: 120 },
        (_, at) => [`${long("d", at)}/${long("f", at)}`, ""] as const,
      );
      const { find, cache } = await over(Object.fromEntries(files));
      const { text, details } = await find({});
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      expect(details.fileCount).toBeLessThan(200);
      const shown = text.slice(0, text.indexOf("\n\n[Cut to fit"));
      expect(details).toMatchObject({
        nextSkip: details.fileCount,
        totalFiles: 240,
        truncated: true,
        meta: {
          truncation: {
            direction: "head",
            truncatedBy: "bytes",
            shownBytes: Buffer.byteLength(shown),
            shownLines: shown.split("\n").length,
            artifactId: "1",
          },
        },
      });
      expect(
        text.endsWith(
          `\n\n[Cut to fit: the whole page is artifact://1]\n` +
            `[Paths 1-${details.fileCount} of 240. Use skip=${details.fileCount} for the next page]`,
        ),
      ).toBe(true);
      expect(printed(text).sort()).toEqual([...details.files].sort());
      const [session] = readdirSync(join(cache, "sessions/unnamed"));
      const whole = readFileSync(join(cache, "sessions/unnamed", session ?? "", "artifacts/1.txt"), "utf8");
      expect(printed(whole)).toHaveLength(200);
      expect(details.meta.truncation).toMatchObject({
        totalBytes: Buffer.byteLength(whole),
        totalLines: whole.split("\n").length,
      });
      expect((await find({ paths: "artifact://1" })).text).toBe("artifact://1");
    });

    it("is not bounded in lines", async () => {
      const files = Array.from({ length: 200 }, (_, at) => [`d${at}/f`, ""] as const);
      const { find } = await over(Object.fromEntries(files));
      const { text, details } = await find({ paths: "f*" });
      expect(text.split("\n")).toHaveLength(599);
      expect(details).toMatchObject({ fileCount: 200, truncated: false });
    });

    it("is still a page, whose cut loses nothing, when names are spelled out", async () => {
      const files = Array.from({ length: 90 }, (_, at) => `${at}${"\x01".repeat(240)}`);
      const ground = await over(Object.fromEntries(files.map((name) => [name, ""])));
      const all = await pages(ground, {});
      expect(all.length).toBeGreaterThan(1);
      for (const { text } of all) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(50 * 1024);
      expect(all.flatMap(({ details }) => details.files).sort()).toEqual(files.sort());
    });

    it("says so when the whole could not be kept, and answers all the same", async () => {
      const files = Array.from(
        { length: 120 },
        (_, at) => [`${long("d", at)}/${long("f", at)}`, ""] as const,
      );
      const { find } = await over(Object.fromEntries(files), { env: { QUARRY_CACHE_DIR: "/dev/null/x" } });
      const { text, details } = await find({});
      expect(text).toContain(`[Cut to fit: the whole page could not be kept (`);
      expect(details.meta.truncation?.artifactId).toBe(null);
      expect(details.fileCount).toBeGreaterThan(0);
    });
  });

  describe("12. pages", () => {
    const NAME = fc.stringMatching(/^[a-c]{1,2}$/);
    const PATH = fc.array(NAME, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

    it("are together every path once, newest first, for any tree and limit", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.tuple(PATH, fc.nat(5)), { maxLength: 25, selector: ([path]) => path }),
          fc.integer({ min: 1, max: 7 }),
          async (drawn, limit) => {
            // A name cannot be a file and a folder at once: files end in a letter that no folder has.
            const files = drawn.map(([path, age]) => [`${path}.f`, age] as const);
            const { root, remove } = plant(Object.fromEntries(files.map(([path]) => [path, ""])));
            const cache = plant({});
            const workspace = await createWorkspace({ root, env: { QUARRY_CACHE_DIR: cache.root } });
            try {
              sameAge(root);
              for (const [path, age] of files) touch(root, path, AGE + age);
              const folders = files.flatMap(([path]) =>
                path
                  .split("/")
                  .flatMap((_, at, parts) => (at === 0 ? [] : [`${parts.slice(0, at).join("/")}/`])),
              );
              const seen: string[] = [];
              for (let skip: number | null = 0; skip !== null; ) {
                const { content, details } = await workspace.tools.find({ limit, skip });
                const page = details as FindDetails;
                expect(printed(content[0].text === "No files found" ? "" : content[0].text).sort()).toEqual(
                  [...page.files].sort(),
                );
                expect(page.files.length).toBeLessThanOrEqual(limit);
                seen.push(...page.files);
                skip = page.nextSkip;
              }
              expect([...seen].sort()).toEqual(
                [...new Set([...folders, ...files.map(([path]) => path)])].sort(),
              );
              const ages = seen.map((path) => statSync(join(root, path)).mtimeMs);
              expect(ages).toEqual([...ages].sort((one, other) => other - one));
            } finally {
              await workspace.close();
              remove();
              cache.remove();
            }
          },
        ),
        { numRuns: 12 },
      );
    });

    it("are so under the cap on bytes too, for any length of names", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 100, max: 240 }), { minLength: 110, maxLength: 150 }),
          fc.integer({ min: 150, max: 500 }),
          async (lengths, limit) => {
            const files = lengths.map(
              (length, at) => `${at}d${"é".repeat(length / 2 - 10)}/${at}${"y".repeat(length)}`,
            );
            const { root, remove } = plant(Object.fromEntries(files.map((path) => [path, ""])));
            const cache = plant({});
            const workspace = await createWorkspace({ root, env: { QUARRY_CACHE_DIR: cache.root } });
            try {
              sameAge(root);
              const seen: string[] = [];
              for (let skip: number | null = 0; skip !== null; ) {
                const { content, details } = await workspace.tools.find({ limit, skip });
                const page = details as FindDetails;
                expect(Buffer.byteLength(content[0].text)).toBeLessThanOrEqual(50 * 1024);
                expect(printed(content[0].text).sort()).toEqual([...page.files].sort());
                seen.push(...page.files);
                skip = page.nextSkip;
              }
              const folders = files.map((path) => path.slice(0, path.indexOf("/") + 1));
              expect(seen.length).toBe(files.length * 2);
              expect(seen.sort()).toEqual([...folders, ...files].sort());
            } finally {
              await workspace.close();
              remove();
              cache.remove();
            }
          },
        ),
        { numRuns: 4 },
      );
    });
  });
});

describe("Modes and variants", () => {
  it("a file's own path gives that path", async () => {
    const { find } = await over({ "src/a.ts": "" });
    expect((await find({ paths: "src/a.ts" })).text).toBe("src/a.ts");
  });

  it("a file's own path gives it with a note when another entry is missing", async () => {
    const { find } = await over({ "src/a.ts": "" });
    expect((await find({ paths: ["src/a.ts", "gone"] })).text).toBe(
      "src/a.ts\n\n[Skipped missing paths: gone]",
    );
  });

  it("a folder gives everything below it", async () => {
    const { find } = await over({ "src/in/a.ts": "", "src/b": "", c: "" });
    expect((await find({ paths: "src" })).text).toBe("# src/\nb\nin/\n\n# src/in/\na.ts");
  });

  it("an empty folder gives nothing, and is no error", async () => {
    const { find } = await over({ empty: FOLDER });
    expect((await find({ paths: "empty" })).text).toBe("No files found");
  });

  it("a glob gives what it matches, folders too", async () => {
    const { find } = await over({ "test/a": "", "src/test.ts": "", "src/tests": FOLDER });
    expect((await find({ paths: "test*" })).text).toBe("test/\n\n# src/\ntest.ts\ntests/");
  });

  it("several entries give the union", async () => {
    const { find } = await over({ "a/x.ts": "", "a/y.js": "", "b/z.ts": "", "c/w.ts": "" });
    expect((await find({ paths: ["a/*.ts", "b/*.ts"] })).text).toBe("# a/\nx.ts\n\n# b/\nz.ts");
  });

  it("several entries with missing ones give the rest, and name what is missing", async () => {
    const { find } = await over({ "a/x.ts": "" });
    const { text, details } = await find({ paths: ["a/*.ts", "b/*.ts"] });
    expect(text).toBe("# a/\nx.ts\n\n[Skipped missing paths: b/*.ts]");
    expect(details.missingPaths).toEqual(["b/*.ts"]);
  });

  describe("an internal URL", () => {
    /** A workspace whose scratch folder has these files. */
    async function withScratch(files: Readonly<Record<string, string>>): Promise<Ground> {
      const ground = await over({ "a.ts": "" }, { session: "one" });
      const local = join(ground.cache, "sessions/named/one/local");
      mkdirSync(local, { mode: 0o700 });
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(join(local, name, ".."), { recursive: true });
        writeFileSync(join(local, name), text);
      }
      return ground;
    }

    it("of a scratch file gives that URL", async () => {
      const { find } = await withScratch({ "notes.md": "x" });
      const { text, details } = await find({ paths: "local://notes.md" });
      expect(text).toBe("local://notes.md");
      expect(details).toMatchObject({ scopePath: "local://notes.md", files: ["local://notes.md"] });
    });

    it("of the scratch folder gives all that is in it", async () => {
      const { find } = await withScratch({ "notes.md": "x", "in/plan.md": "y" });
      const { details } = await find({ paths: "local://" });
      expect([...details.files].sort()).toEqual(["local://in/plan.md", "local://notes.md"]);
      expect((await find({ paths: "local://in" })).text).toBe("local://in/plan.md");
    });

    it.each(["local://", "artifact://"])(
      "of %s without anything in it gives nothing, and is no error",
      async (url) => {
        const { find } = await over({ "a.ts": "" });
        expect((await find({ paths: url })).text).toBe("No files found");
      },
    );

    it("stands beside paths", async () => {
      const { find } = await withScratch({ "notes.md": "x" });
      const { details } = await find({ paths: ["a.ts", "local://notes.md"] });
      expect([...details.files].sort()).toEqual(["a.ts", "local://notes.md"]);
    });

    it("of the documentation gives its pages (the issue; they need no file)", async () => {
      const { find } = await over({ "a.ts": "" });
      const { text, details } = await find({ paths: "docs://" });
      expect(text).toMatch(/^# docs:\/\/\n(?:[\w-]+\.md\n?)+$/);
      expect(details.files).toContain("docs://deviations.md");
      expect((await find({ paths: "docs://deviations" })).text).toBe("docs://deviations.md");
    });

    it("that leads nowhere is missing", async () => {
      const { find, refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: "artifact://7" })).details.code).toBe("ARTIFACT_NOT_FOUND");
      expect((await refused({ paths: "docs://nothing" })).details.code).toBe("PATH_NOT_FOUND");
      expect((await refused({ paths: "local://nothing" })).details.code).toBe("PATH_NOT_FOUND");
      expect((await find({ paths: ["a.ts", "artifact://7"] })).text).toBe(
        "a.ts\n\n[Skipped missing paths: artifact://7]",
      );
    });

    it("takes no glob", async () => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: "docs://*.md" })).text).toBe(
        "[URL_GLOB] A URL takes no glob: docs://*.md. Search docs:// as a whole, or name one of its parts.",
      );
      for (const paths of ["local://**/x", "artifact://?", "docs://{a,b}.md", "local://[a]"]) {
        expect((await refused({ paths })).details.code).toBe("URL_GLOB");
        expect((await refused({ paths: ["a.ts", paths] })).details.code).toBe("URL_GLOB");
      }
    });

    it("of a protocol that nobody knows is refused, with those that are", async () => {
      const { refused } = await over({ "a.ts": "" });
      expect((await refused({ paths: "https://example.org/a" })).text).toBe(
        "[KIND_UNSUPPORTED] https://example.org/a is a web page, which is not read here. Known are docs://, artifact://, local://.",
      );
    });

    it("never leaves the scratch folder", async () => {
      const { refused } = await withScratch({ "notes.md": "x" });
      for (const paths of ["local://../x", "local:///etc/passwd"]) {
        expect((await refused({ paths })).details.code).toBe("PATH_OUTSIDE");
      }
    });
  });
});

describe("Side effects", () => {
  it("are none on the files, and none in the cache when nothing was cut", async () => {
    const { root, cache, find } = await over({ ...REPOSITORY, "src/a.ts": "x" });
    const before = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
    await find({});
    await find({ paths: ["*.log", "gone", "src/a.ts"] });
    expect(readdirSync(root, { recursive: true, encoding: "utf8" }).sort()).toEqual(before);
    expect(existsSync(cache)).toBe(false);
  });

  describe("an abort", () => {
    it("before the call rejects with ABORTED", async () => {
      const { find } = await over({ "a.ts": "" });
      await expect(find({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "ABORTED" });
    });

    it("before the call rejects also where no walk is needed", async () => {
      const { find } = await over({ "a.ts": "" });
      await expect(find({ paths: "a.ts" }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "ABORTED",
      });
    });

    it("during the walk rejects with ABORTED", async () => {
      const { env, folder } = standIn('touch "$MARK/started"; exec sleep 60');
      const { find } = await over({ "a.ts": "" }, { env });
      const abort = new AbortController();
      const answer = find({ timeout: 60 }, { signal: abort.signal });
      const outcome = answer.catch((error: unknown) => error);
      expect(await eventually(() => existsSync(join(folder, "started")), 30_000)).toBe(true);
      abort.abort();
      expect(await outcome).toMatchObject({ name: "ToolError", code: "ABORTED" });
    });

    it("while folders are listed rejects too, and is not told as a time limit", async () => {
      const { env } = standIn('sleep 0.6; exec "$RG" "$@"');
      const { find } = await over({ "a/b/c": FOLDER }, { env });
      const abort = new AbortController();
      const answer = find({ timeout: 60 }, { signal: abort.signal, onUpdate: () => abort.abort() });
      await expect(answer).rejects.toMatchObject({ code: "ABORTED" });
    });
  });
});

describe("Limits and caps", () => {
  it("a page has 200 paths, and says how to get the next", async () => {
    const { find } = await over(numbered(450));
    const { text, details } = await find({});
    expect(text.split("\n").at(-1)).toBe("[Paths 1-200 of 450. Use skip=200 for the next page]");
    expect(details).toMatchObject({
      fileCount: 200,
      nextSkip: 200,
      resultLimitReached: true,
      truncated: true,
    });
    expect((await find({ skip: 400 })).details).toMatchObject({ fileCount: 50, nextSkip: null });
  });

  it("exactly 200 paths are all, and nothing is said", async () => {
    const { find } = await over(numbered(200));
    const { text, details } = await find({});
    expect(text).toBe(Object.keys(numbered(200)).join("\n"));
    expect(details).toMatchObject({ truncated: false, resultLimitReached: false, nextSkip: null });
  });
});

describe("Errors", () => {
  it("a glob below a file is one, with the file named", async () => {
    const { refused } = await over({ "a.ts": "" });
    expect(await refused({ paths: "a.ts/*.js" })).toEqual({
      text: "[NOT_A_FOLDER] a.ts is no folder, so no glob goes below it.",
      details: { code: "NOT_A_FOLDER", message: "a.ts is no folder, so no glob goes below it" },
    });
  });

  it("a glob below a file is a note among other entries", async () => {
    const { find } = await over({ "a.ts": "", "b.ts": "" });
    expect((await find({ paths: ["a.ts/*.js", "b.ts"] })).text).toBe(
      "b.ts\n\n[a.ts is no folder, so no glob goes below it]",
    );
  });

  it("a time limit is none: the answer is what there is", async () => {
    const { env } = standIn("exec sleep 60");
    const { find } = await over({ "a.ts": "" }, { env });
    const { details } = await find({ timeout: 0.5 });
    expect(details).toMatchObject({ files: [], truncated: true, timedOut: true, partial: true });
  });

  it("a path that is there and cannot be reached says why", async () => {
    const { find, refused } = await over({ "a.ts": "", loop: link("loop") });
    expect((await refused({ paths: "loop" })).text).toBe(
      "[PATH_UNREADABLE] loop cannot be reached: ELOOP. Its links lead in a circle.",
    );
    expect((await find({ paths: ["a.ts", "loop"] })).text).toBe("a.ts\n\n[loop cannot be reached: ELOOP]");
  });

  it("a ripgrep that is broken is thrown: the agent did not cause it", async () => {
    const { env } = standIn("exit 3");
    const { find } = await over({ "a.ts": "" }, { env });
    await expect(find({})).rejects.toMatchObject({ code: "RIPGREP_FAILED" });
  });

  it("a ripgrep that breaks in the middle is told with what it found", async () => {
    const { env } = standIn('"$RG" "$@"; kill -9 $$');
    const { find } = await over({ "a.ts": "" }, { env });
    const { text, details } = await find({ paths: "*.ts" });
    expect(text).toMatch(/^a\.ts\n\n\[.+\]$/);
    expect(details).toMatchObject({ files: ["a.ts"], partial: true, truncated: true, timedOut: false });
  });

  it("no match is none", async () => {
    const { find } = await over({ "a.ts": "" });
    expect((await find({ paths: ["*.zig", "*.v"] })).text).toBe("No files found");
  });
});

describe("Notes", () => {
  const files = { "a.ts": "", "src/b.ts": "", "src/in/c.ts": "" };

  it("a bare glob is any depth, a glob behind a folder is that folder alone, ** is what it says", async () => {
    const { find } = await over(files);
    expect((await find({ paths: "*.ts" })).text).toBe("a.ts\n\n# src/\nb.ts\n\n# src/in/\nc.ts");
    expect((await find({ paths: "src/*.ts" })).text).toBe("# src/\nb.ts");
    expect((await find({ paths: "src/**/*.ts" })).text).toBe("# src/\nb.ts\n\n# src/in/\nc.ts");
  });

  it("ignored files that match are named when nothing else was found", async () => {
    const { find } = await over({ ...REPOSITORY, "dist/x.js": "", "dist/y.js": "" });
    const { text, details } = await find({ paths: "*.js" });
    expect(text).toMatch(
      /^No files found\n\[Ignore rules leave out what matches: dist\/[xy]\.js, dist\/[xy]\.js\]$/,
    );
    expect(details).toMatchObject({ files: [], notices: [{ code: "EXCLUDED" }] });
    expect((await find({ paths: "*.js", gitignore: false })).text).toBe("# dist/\nx.js\ny.js");
  });

  it("ignored files are not spoken of when something was found", async () => {
    const { find } = await over({ ...REPOSITORY, "dist/x.js": "", "a.js": "" });
    expect((await find({ paths: "*.js" })).text).toBe("a.js");
  });

  it("many ignored files are named by three", async () => {
    const logs = Array.from({ length: 9 }, (_, at) => [`${at}.log`, ""] as const);
    const { find } = await over({ ...REPOSITORY, ...Object.fromEntries(logs) });
    expect((await find({ paths: "*.log" })).text).toMatch(
      /^No files found\n\[Ignore rules leave out what matches: (?:\d\.log, ){3}and more\]$/,
    );
  });

  it("an ignored name with a newline stays on one line", async () => {
    const { find } = await over({ ...REPOSITORY, "new\nline.log": "" });
    expect((await find({ paths: "*.log" })).text.split("\n")).toHaveLength(2);
  });

  it("files and folders both are found", async () => {
    const { find } = await over(files);
    expect((await find({})).details.files).toEqual(["a.ts", "src/", "src/b.ts", "src/in/", "src/in/c.ts"]);
  });
});

describe("What the issue adds: the policy", () => {
  it("skips denied files of a walk, and counts them", async () => {
    const { find } = await over({ "a.ts": "", "a.key": "", "src/b.key": "" }, { deny: ["*.key"] });
    const { text, details } = await find({});
    expect(text).toBe("a.ts\nsrc/");
    expect(details.skipped.denied).toBe(2);
  });

  it("does not enter a denied folder, and counts it", async () => {
    const { find } = await over({ "a.ts": "", "vault/b.ts": "", "vault/in/c.ts": "" }, { deny: ["vault"] });
    const { text, details } = await find({ gitignore: false });
    expect(text).toBe("a.ts");
    expect(details.skipped.denied).toBe(1);
  });

  it("says how many were denied when nothing was found", async () => {
    const { find } = await over({ "a.key": "", "src/b.key": "", "c.ts": "" }, { deny: ["a.key", "b.key"] });
    expect((await find({ paths: "*.key" })).text).toBe("No files found\n[Skipped: 2 denied]");
  });

  it("takes a denied input for an error, also among others and through a link", async () => {
    const { refused } = await over(
      { "a.key": "", "a.ts": "", alias: link("a.key"), "vault/b.ts": "" },
      { deny: ["*.key", "vault"] },
    );
    expect((await refused({ paths: "a.key" })).text).toBe(
      "[PATH_DENIED] a.key may not be read: denied by *.key. The policy of this session withholds it; go on without it.",
    );
    for (const paths of [["a.ts", "a.key"], "alias", "vault", "vault/b.ts", "vault/*.ts"]) {
      expect((await refused({ paths })).details.code, `of ${String(paths)}`).toBe("PATH_DENIED");
    }
  });

  it("does not take the text of a glob for a denied name", async () => {
    const { find } = await over({ "a.ts": "", "long.ts": "" }, { deny: ["?.ts"] });
    const { text, details } = await find({ paths: "*.ts" });
    expect(text).toBe("long.ts");
    expect(details.skipped.denied).toBe(1);
  });

  it("answers a glob of which everything is denied with nothing, and the count", async () => {
    const { find } = await over({ "a.key": "", "src/b.key": "" }, { deny: ["*.key"] });
    for (const paths of ["*.key", "**/*.key"]) {
      expect((await find({ paths })).text).toBe("No files found\n[Skipped: 2 denied]");
    }
  });

  it("does not name denied files among the ignored ones", async () => {
    const { find } = await over({ ...REPOSITORY, "secret.log": "" }, { deny: ["secret*"] });
    expect((await find({ paths: "*.log" })).text).not.toContain("secret");
  });

  it("refuses what lies outside, and says where one may look", async () => {
    const { root, refused } = await over({ "a.ts": "" });
    const outside = tree({ "x.ts": "" });
    expect((await refused({ paths: join(outside, "x.ts") })).text).toBe(
      `[PATH_OUTSIDE] ${join(outside, "x.ts")} is outside the allowed folders. What may be read lies in ${root}.`,
    );
    for (const paths of ["..", "../*.ts", `${outside}/*.ts`, ["a.ts", outside]]) {
      expect((await refused({ paths })).details.code).toBe("PATH_OUTSIDE");
    }
  });

  it("does not enter links that lead out, by name or on a walk", async () => {
    const outside = tree({ "secret.ts": "" });
    const { find, refused } = await over({ "a.ts": "", out: link(outside) });
    expect((await find({})).details.files).toEqual(["a.ts"]);
    expect((await find({ paths: "secret.ts*" })).text).toBe("No files found");
    for (const paths of ["out", "out/secret.ts", "out/*.ts"]) {
      expect((await refused({ paths })).details.code).toBe("PATH_OUTSIDE");
    }
  });

  it("enters a link inside when it is named", async () => {
    const { find } = await over({ "src/a.ts": "", alias: link("src") });
    expect((await find({ paths: "alias" })).text).toBe("# alias/\na.ts");
  });

  it("looks in every allowed folder when no path is given and the root is none of them", async () => {
    const other = tree({ "x.ts": "" });
    const { find } = await over({ "a.ts": "", "src/b.ts": "" }, { allow: ["src", other] });
    const { text, details } = await find({});
    expect(printed(text).sort()).toEqual(["src/b.ts", join(other, "x.ts")].sort());
    expect(details.files).toHaveLength(2);
  });

  it("never lists the cache", async () => {
    const home = tree({ "a.ts": "", ".cache/quarry/sessions/x": "", ".cache/other": "" });
    sameAge(home);
    const { find } = await over({}, { root: home, env: { HOME: home, QUARRY_CACHE_DIR: "" } });
    expect((await find({})).details.files).toEqual([".cache/", ".cache/other", "a.ts"]);
  });
});

describe("What the issue adds: names", () => {
  it.each([
    ["two words.txt", "two words.txt"],
    ["[x].ts", "[x].ts"],
    ["-dash", "-dash"],
    ["--files", "--files"],
    ["it's", "it's"],
    ['say "hi"', 'say "hi"'],
    ['"quoted"', '"\\"quoted\\""'],
    ["new\nline", '"new\\nline"'],
    ["esc\x1b[2J", '"esc\\x1b[2J"'],
    ["# x", '"# x"'],
    ["#x", "#x"],
    ["[x]", '"[x]"'],
    [" blank", '" blank"'],
    ["blank ", '"blank "'],
    ["No files found", "No files found"],
    ["*.ts", "*.ts"],
    ["a:1-2", "a:1-2"],
    ["日本.ts", "日本.ts"],
  ])("prints %j as %s, and understands what it printed", async (name, shown) => {
    const { find } = await over({ [name]: "", other: "" });
    const { text, details } = await find({});
    expect(text.split("\n").sort()).toEqual([shown, "other"].sort());
    expect([...details.files].sort()).toEqual([name, "other"].sort());
    expect((await find({ paths: [shown] })).details.files).toEqual([name]);
  });

  it.each([
    ["a b", "# a b/"],
    ["[x]", "# [x]/"],
    ["# x", "# # x/"],
    ["new\nline", '# "new\\nline/"'],
    ["-d", "# -d/"],
  ])("heads the folder %j with %s", async (name, heading) => {
    const { find } = await over({ [`${name}/f`]: "" });
    expect((await find({ paths: "f*" })).text).toBe(`${heading}\nf`);
  });

  it("prints an exact file so that it cannot be taken for a note or a heading", async () => {
    const { find } = await over({ "[x]": "", "# x": "" });
    expect((await find({ paths: "[x]" })).text).toBe('"[x]"');
    expect((await find({ paths: "# x" })).text).toBe('"# x"');
  });

  it("spells out bytes that are not UTF-8, of files and of folders", async () => {
    const root = tree({ "a.ts": "" });
    writeFileSync(rawPath(root, [0x63, 0xe9, 0x2e, 0x74]), "");
    mkdirSync(rawPath(root, [0x64, 0xe9]));
    writeFileSync(rawPath(root, [0x64, 0xe9, 0x2f, 0x66]), "");
    const { find } = await over({}, { root });
    const { text, details } = await find({});
    expect(text.split("\n").sort()).toEqual(['"c\\xe9.t"', '"d\\xe9"/', '"d\\xe9/f"', "a.ts"].sort());
    expect(details).toMatchObject({ fileCount: 4, totalFiles: 4 });
  });
});

describe("What the issue adds: archives", () => {
  const bundle = zip([
    { name: "src/a.ts", data: "a" },
    { name: "src/in/b.ts", data: "b" },
    { name: "top.md", data: "c" },
  ]);

  it("an archive by its own path is a file like any other", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    expect((await find({ paths: "bundle.zip" })).text).toBe("bundle.zip");
  });

  it("a folder in an archive gives all members below it", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    for (const paths of ["bundle.zip:src/", "bundle.zip:src"]) {
      const { text, details } = await find({ paths });
      expect(printed(text).sort()).toEqual(["bundle.zip:src/a.ts", "bundle.zip:src/in/b.ts"]);
      expect([...details.files].sort()).toEqual(["bundle.zip:src/a.ts", "bundle.zip:src/in/b.ts"]);
      expect(details.scopePath).toBe(paths);
    }
  });

  it("nothing behind the colon gives all members", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    expect((await find({ paths: "bundle.zip:" })).details.fileCount).toBe(3);
  });

  it("a member by its name gives that member", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    expect((await find({ paths: "bundle.zip:src/a.ts" })).text).toBe("bundle.zip:src/a.ts");
  });

  it("a glob means in an archive what it means on disk", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    const members = async (paths: string): Promise<string[]> =>
      [...(await find({ paths })).details.files].map((file) => file.slice("bundle.zip:".length)).sort();
    expect(await members("bundle.zip:*.ts")).toEqual(["src/a.ts", "src/in/b.ts"]);
    expect(await members("bundle.zip:src/*.ts")).toEqual(["src/a.ts"]);
    expect((await find({ paths: "bundle.zip:*.zig" })).text).toBe("No files found");
  });

  it("a glob that one member matches is printed as on disk", async () => {
    const { find } = await over({ "bundle.zip": bundle });
    expect((await find({ paths: "bundle.zip:src/*.ts" })).text).toBe("# bundle.zip:src/\na.ts");
  });

  it("a member that is not there is missing, and the hint leads to those that are", async () => {
    const { find, refused } = await over({ "bundle.zip": bundle, "a.ts": "" });
    const { details } = await refused({ paths: "bundle.zip:gone.ts" });
    expect(details).toMatchObject({ code: "MEMBER_NOT_FOUND", message: 'bundle.zip has no file "gone.ts"' });
    const named = /^find (\S+) lists/.exec(details.hint ?? "")?.[1] ?? "";
    expect((await find({ paths: named })).details.fileCount).toBe(3);
    expect((await find({ paths: ["a.ts", "bundle.zip:gone.ts"] })).text).toBe(
      "a.ts\n\n[Skipped missing paths: bundle.zip:gone.ts]",
    );
  });

  it.each(["bundle.tar", "bundle.tar.gz", "bundle.tgz", "bundle.jar", "bundle.whl"])(
    "%s is one",
    async (name) => {
      const members = [{ name: "src/a.ts", data: "a" }];
      const bytes = name.includes(".t") ? tar(members) : zip(members);
      const { find } = await over({ [name]: name.endsWith("gz") ? gzip(bytes) : bytes });
      expect((await find({ paths: `${name}:src/` })).details.files).toEqual([`${name}:src/a.ts`]);
    },
  );

  it("newest first holds in an archive too", async () => {
    const { find } = await over({
      "b.tar": tar([
        { name: "old", mtime: 1_000 },
        { name: "new", mtime: 2_000 },
      ]),
    });
    expect((await find({ paths: "b.tar:" })).details.files).toEqual(["b.tar:new", "b.tar:old"]);
  });

  it("one that is broken is an error by itself and a note among others", async () => {
    const { find, refused } = await over({ "bad.zip": "no archive", "a.ts": "" });
    expect((await refused({ paths: "bad.zip:src/" })).details.code).toBe("ARCHIVE_INVALID");
    expect((await find({ paths: ["a.ts", "bad.zip:src/"] })).text).toMatch(/^a\.ts\n\n\[.*bad\.zip.*\]$/);
  });

  it("one that is denied is an error, also for its members", async () => {
    const { refused } = await over({ "bundle.zip": bundle, "a.ts": "" }, { deny: ["*.zip"] });
    expect((await refused({ paths: "bundle.zip" })).details.code).toBe("PATH_DENIED");
    for (const paths of [
      "bundle.zip:src/",
      "bundle.zip:top.md",
      "bundle.zip:",
      ["a.ts", "bundle.zip:src/"],
    ]) {
      expect((await refused({ paths })).details.code, `of ${String(paths)}`).toBe("PATH_DENIED");
    }
  });
});

/*
 * Sentences of the seed that have no test here:
 * - its source files, its prompt file and the collaborators it names;
 * - which native function walks, with which options, and that its result is sorted a second time;
 * - which of its functions splits, parses, merges and packages (what they do to an answer is tested above);
 * - the merge of several entries into one brace-union: an answer does not show how it was found;
 * - the injected operations (`FindOperations`), in the flow, the modes and the notes: Quarry has no such hook;
 * - that base paths are asked for before the walk: an answer does not show it.
 */
