import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { PROGRAM } from "../cli/helpers.ts";
import { type TarEntry, tar, zip, type ZipEntry } from "../sources/build.ts";
import { databaseBytes, fingerprint } from "../sources/sqlite/build.ts";
import { runScript } from "../support/script.ts";
import { FOLDER, link, tree } from "../support/tree.ts";
import { cacheEnv, codeIn, contentsOf, fileCodes, handsOf, textOf, workspaceOf } from "./workspaces.ts";

/** What a file can do to read, edit and write (T15 to T17, T20), and what an edit may do to a file (T29 to T31). */

const MiB = 1024 * 1024;
const LIBRARY = JSON.stringify(new URL("../../src/quarry.ts", import.meta.url).href);

describe("A pipe, a device, a folder (T15)", () => {
  it("is refused at once by each tool, fifty times, and the next read works", async () => {
    const root = tree({
      d: FOLDER,
      "a.txt": "x\n",
      "zero.txt": link("/dev/zero"),
      "tty.txt": link("/dev/tty"),
    });
    const pipes = ["p", "p.zip", "p.db", "p.ipynb", "d/p.txt"];
    for (const pipe of pipes) execFileSync("mkfifo", [join(root, pipe)]);
    const workspace = await workspaceOf(root, { allow: [root, "/dev"] });
    const { read } = handsOf(workspace);
    const REFUSED = ["NOT_A_FILE", "NOT_A_FILE", "NOT_A_FILE"];
    const devices = ["/dev/zero", "/dev/null", "zero.txt"];
    for (const path of ["p", "p.db", "p.ipynb", "d/p.txt", ...devices])
      expect([path, await fileCodes(workspace, path)]).toEqual([path, REFUSED]);
    expect((await fileCodes(workspace, "p.zip")).slice(0, 2)).toEqual(["NOT_A_FILE", "NOT_A_FILE"]);
    expect((await fileCodes(workspace, "d")).slice(1)).toEqual(["NOT_A_FILE", "NOT_A_FILE"]);
    for (const path of ["p.zip:m", "p.db:t", "p:1-5", "p:raw", "p:conflicts"])
      expect([path, codeIn(await workspace.tools.read({ path }))]).not.toEqual([path, "none"]);
    const fifty = Array.from({ length: 50 }, (_, at) => pipes[at % pipes.length] ?? "p");
    const answers = await Promise.all(fifty.map(async (path) => workspace.tools.read({ path })));
    expect(answers.every((answer) => answer.isError === true)).toBe(true);
    expect(await read("a.txt")).toMatch(/\n1:x$/);
    expect(contentsOf(root)["a.txt"]).toBe("x\n");
    // Nothing took a pipe's place.
    expect(pipes.every((pipe) => lstatSync(join(root, pipe)).isFIFO())).toBe(true);
  });
});

describe("A bomb (T16)", () => {
  const zeros = (megabytes: number, head: readonly TarEntry[]): Buffer => {
    const part = zlib.gzipSync(Buffer.alloc(16 * MiB), { level: 9 });
    const parts = Array.from({ length: megabytes / 16 }, () => part);
    return Buffer.concat([zlib.gzipSync(tar(head, { mark: false })), ...parts]);
  };

  it("is a coded error of read and of write, costs little memory, and stays as it is", async () => {
    const overlapping = (_: unknown, at: number): ZipEntry => ({
      name: `${at}`,
      claimedStart: 0,
      claimedSize: 8 * MiB,
      claimedPackedSize: 8_000,
    });
    const root = tree({
      "quine.zip": zip([
        { name: "kernel", data: Buffer.alloc(8 * MiB) },
        ...Array.from({ length: 1_000 }, overlapping),
      ]),
      "exabytes.zip": zip([{ name: "a", data: "a", zip64: true, claimedSize: 2 ** 62 }]),
      "entries.zip": zip([{ name: "a", data: "a" }], { zip64: true, count: 1e9 }),
      "behind.tar.gz": zeros(4_096, [{ name: "a", data: "a" }]),
      "noise.jar": Buffer.alloc(100_000, "noise"),
    });
    const before = contentsOf(root);
    const names = Object.keys(before);
    const { codes, peak } = (await runScript(
      `import { createWorkspace } from ${LIBRARY};
       const workspace = await createWorkspace({ root: ${JSON.stringify(root)} });
       const { read, write } = workspace.tools;
       await read({ path: "." });
       await write({ path: "small.zip:a", content: "a" });
       const before = process.memoryUsage.rss();
       const codes = [];
       for (const name of ${JSON.stringify(names)}) {
         for (const path of [name, name + ":a", name + ":kernel"]) codes.push(["read " + path, (await read({ path })).details.code ?? "none"]);
         codes.push(["write " + name, (await write({ path: name + ":new", content: "x" })).details.code ?? "none"]);
       }
       await workspace.close();
       console.log(JSON.stringify({ codes, peak: process.resourceUsage().maxRSS * 1024 - before }));`,
      { env: cacheEnv() },
    )) as { codes: [string, string][]; peak: number };
    const said = Object.fromEntries(codes);
    for (const name of names) {
      expect([name, said[`read ${name}`]]).toEqual([
        name,
        expect.stringMatching(/^ARCHIVE_(?:TOO_LARGE|INVALID)$/),
      ]);
      expect([name, said[`write ${name}`]]).toEqual([
        name,
        expect.stringMatching(/^ARCHIVE_(?:TOO_LARGE|INVALID)$/),
      ]);
    }
    expect(Object.values(said).includes("none")).toBe(false);
    const { "small.zip": _, ...after } = contentsOf(root);
    expect(after).toEqual(before);
    expect(peak).toBeLessThan(160 * MiB);
  });
});

describe("A statement that is not only a reading one (T17)", () => {
  it("is refused through read, whatever it is, and nothing beside the database is made or changed", async () => {
    const root = tree({
      "a.db": await databaseBytes("CREATE TABLE t(a); INSERT INTO t VALUES(1)"),
      "other.db": await databaseBytes("CREATE TABLE o(a)"),
    });
    const before = fingerprint(root);
    const { tools } = await workspaceOf(root);
    for (const sql of [
      "INSERT INTO t VALUES(2)",
      "UPDATE t SET a=2 RETURNING a",
      "DELETE FROM t",
      "DROP TABLE t",
      "CREATE TABLE x(a)",
      "CREATE TEMP TABLE x AS SELECT 1",
      "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
      `VACUUM INTO '${root}/copy.db'`,
      "VACUUM",
      `ATTACH '${root}/other.db' AS o`,
      `ATTACH '${root}/new.db' AS o`,
      "PRAGMA journal_mode=WAL",
      "PRAGMA writable_schema=1",
      "PRAGMA user_version=7",
      "BEGIN IMMEDIATE",
      "REINDEX",
      "ANALYZE",
      "SELECT 1; DELETE FROM t",
      "SELECT writefile('x','y')",
      `SELECT load_extension('${root}/x')`,
      "EXPLAIN DELETE FROM t; DELETE FROM t",
    ]) {
      expect([sql, codeIn(await tools.read({ path: `a.db?q=${sql}` }))]).toEqual([
        sql,
        expect.stringMatching(/^SQL_(?:REFUSED|FAILED)$/),
      ]);
    }
    expect(
      codeIn(await tools.read({ path: "a.db:t?where=1) UNION SELECT name FROM sqlite_schema--" })),
    ).not.toBe("none");
    expect(fingerprint(root)).toBe(before);
  });

  it("that never ends is ended, and holds up nobody else", async () => {
    const root = tree({ "a.db": await databaseBytes("CREATE TABLE t(a)"), "a.txt": "x\n" });
    const before = fingerprint(root);
    const { tools } = await workspaceOf(root);
    const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c";
    let ended = false;
    const answer = tools.read({ path: `a.db?q=${endless}` }).finally(() => (ended = true));
    const meanwhile = textOf(await tools.read({ path: "a.txt" }));
    expect([ended, meanwhile.split("\n")[1]]).toEqual([false, "1:x"]);
    expect(codeIn(await answer)).toBe("TIMED_OUT");
    const abort = new AbortController();
    const aborted = tools.read({ path: `a.db?q=${endless}` }, { signal: abort.signal });
    setTimeout(() => abort.abort(), 50);
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
    expect(fingerprint(root)).toBe(before);
  });
});

describe("A call of read (T20)", () => {
  /** Node itself refuses to write elsewhere; SQLite runs in a worker. */
  function guarded(cache: string, env: NodeJS.ProcessEnv, argv: readonly string[]): string {
    const node = [
      "--no-warnings",
      "--experimental-permission",
      "--allow-fs-read=*",
      `--allow-fs-write=${cache}/`,
      "--allow-child-process",
      "--allow-worker",
    ];
    return execFileSync(process.execPath, [...node, PROGRAM, ...argv], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  it.each([
    ["a.ts", "function f1()"],
    ["a.ts:raw", "function f1()"],
    [".", "a.ts"],
    ["a.zip:m", "needle"],
    ["a.db", "rows"],
    ["a.db?q=SELECT a FROM t", "needle"],
    ["a.ipynb", "needle"],
    ["a.ts:conflicts", "No unresolved conflicts"],
    ["c.txt:conflicts", "conflict://1"],
    ["docs://", "docs://"],
  ])("writes nothing outside the cache: %s", async (path, part) => {
    const root = tree({
      "a.ts": Array.from({ length: 60 }, (_, at) => `function f${at}() {\n  return ${at};\n}\n`).join(""),
      "a.zip": zip([{ name: "m", data: "needle\n" }]),
      "a.db": await databaseBytes("CREATE TABLE t(a); INSERT INTO t VALUES('needle')"),
      "a.ipynb": JSON.stringify({
        cells: [{ cell_type: "raw", metadata: {}, source: "needle" }],
        metadata: {},
        nbformat: 4,
        nbformat_minor: 5,
      }),
      "c.txt": "<<<<<<< a\nours\n=======\ntheirs\n>>>>>>> b\n",
    });
    const before = fingerprint(root);
    const env = cacheEnv();
    const cache = env["QUARRY_CACHE_DIR"] ?? "";
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const argv = ["read", path, "--workdir", root, "--session", "guarded"];
    expect(guarded(cache, env, argv)).toContain(part);
    expect(fingerprint(root)).toBe(before);
    expect(existsSync(join(cache, "sessions"))).toBe(true);
    // The guard guards: a session that may not be written is told.
    expect(() => guarded(tree(), cacheEnv(), argv)).toThrow(/ERR_ACCESS_DENIED/);
  });
});

describe("Two contents whose hashes begin alike (T29)", () => {
  function pair(): readonly [string, string] {
    const seen = new Map<string, string>();
    for (let n = 0; ; n += 1) {
      const content = `line ${n}\nsecond\n`;
      const start = createHash("sha256").update(content).digest("hex").slice(0, 4);
      const other = seen.get(start);
      if (other !== undefined) return [other, content];
      seen.set(start, content);
    }
  }

  it("get two tags in one file, and an edit is made in the one that its tag stands for", async () => {
    const [one, other] = pair();
    const root = tree({ a: one });
    const { read, edit } = handsOf(await workspaceOf(root));
    const first = (await read("a")).split("\n")[0];
    writeFileSync(join(root, "a"), other);
    const second = (await read("a")).split("\n")[0];
    expect(second).not.toBe(first);
    // The first tag names line 1 of the first content, which is gone.
    expect((await edit(`${first}\nreplace 1..1:\n+edited`)).split(" ")[0]).toBe("[FILE_CHANGED]");
    expect(readFileSync(join(root, "a"), "utf8")).toBe(other);
    await edit(`${second}\nreplace 1..1:\n+edited`);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("edited\nsecond\n");
  });

  it("are told apart when the file is swapped unseen", async () => {
    const [one, other] = pair();
    const root = tree({ a: one, b: one });
    const { read, edit } = handsOf(await workspaceOf(root));
    const header = (await read("a")).split("\n")[0];
    writeFileSync(join(root, "a"), other);
    expect((await edit(`${header}\nreplace 1..1:\n+edited`)).split(" ")[0]).toBe("[FILE_CHANGED]");
    expect(readFileSync(join(root, "a"), "utf8")).toBe(other);
    // The same digits for another file are no leave to change it.
    expect((await edit(`${header?.replace("¶a", "¶b")}\nreplace 1..1:\n+edited`)).split(" ")[0]).toBe(
      "[TAG_OF_OTHER_FILE]",
    );
    expect(readFileSync(join(root, "b"), "utf8")).toBe(one);
  });
});

describe("The bytes of a file that an edit does not name (T30)", () => {
  const utf16 = (text: string, order: "LE" | "BE"): Buffer => {
    const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
    return order === "LE" ? bytes : bytes.swap16();
  };
  it.each([
    ["CRLF", Buffer.from("a\r\nb\r\nc\r\n"), Buffer.from("a\r\nB\r\nc\r\n")],
    ["mixed line ends", Buffer.from("a\nb\r\nc\rd\n"), Buffer.from("a\nB\r\nc\rd\n")],
    ["no final newline", Buffer.from("a\nb\nc"), Buffer.from("a\nB\nc")],
    ["a mark of UTF-8", Buffer.from("\ufeffa\nb\nc\n"), Buffer.from("\ufeffa\nB\nc\n")],
    ["UTF-16 LE", utf16("a\nb\nc\n", "LE"), utf16("a\nB\nc\n", "LE")],
    ["UTF-16 BE with CRLF", utf16("a\r\nb\r\nc", "BE"), utf16("a\r\nB\r\nc", "BE")],
    [
      "Latin-1 elsewhere",
      Buffer.from("caf\xe9\nb\n\xff\xfe\n", "latin1"),
      Buffer.from("caf\xe9\nB\n\xff\xfe\n", "latin1"),
    ],
    ["control characters", Buffer.from("\x1b[2J\x07\nb\n\x7f\n"), Buffer.from("\x1b[2J\x07\nB\n\x7f\n")],
  ])("stay as they are: %s", async (_, before, after) => {
    const root = tree({ f: before });
    const { read, edit } = handsOf(await workspaceOf(root));
    const said = await edit(`${(await read("f")).split("\n")[0]}\nreplace 2..2:\n+B`);
    expect([said.split("\n")[0], readFileSync(join(root, "f")).toString("hex")]).toEqual([
      expect.stringMatching(/^¶f#/),
      after.toString("hex"),
    ]);
  });

  it("stay when a line that is not UTF-8 is named, which is refused", async () => {
    const bytes = Buffer.from("a\ncaf\xe9\n", "latin1");
    const root = tree({ f: bytes });
    const { read, edit } = handsOf(await workspaceOf(root));
    const header = (await read("f")).split("\n")[0];
    expect((await edit(`${header}\nreplace 2..2:\n+café`)).split(" ")[0]).toBe("[ENCODING_UNKNOWN]");
    expect(readFileSync(join(root, "f"))).toEqual(bytes);
  });
});

describe("What a file is besides its bytes (T31)", () => {
  const python = spawnSync("python3", ["-c", "import os; os.getxattr"], { encoding: "utf8" }).status === 0;
  const attribute = (path: string, value?: string): string => {
    const script =
      value === undefined
        ? "import os,sys; print(os.getxattr(sys.argv[1], 'user.quarry').decode())"
        : "import os,sys; os.setxattr(sys.argv[1], 'user.quarry', sys.argv[2].encode())";
    return execFileSync("python3", ["-c", script, path, ...(value === undefined ? [] : [value])], {
      encoding: "utf8",
    }).trim();
  };
  const facts = (path: string): object => {
    const { mode, uid, gid, nlink } = statSync(path);
    return { mode, uid, gid, nlink };
  };

  it.each(["edit", "write"] as const)(
    "stays through %s: mode, owner, hard links, symbolic links",
    async (tool) => {
      const root = tree({
        "plain.sh": "a\nb\n",
        "hard.txt": "a\nb\n",
        "to.txt": "a\nb\n",
        "l.txt": link("to.txt"),
      });
      chmodSync(join(root, "plain.sh"), 0o4751);
      linkSync(join(root, "hard.txt"), join(root, "other.txt"));
      chmodSync(join(root, "to.txt"), 0o600);
      const { read, edit, write } = handsOf(await workspaceOf(root));
      for (const name of ["plain.sh", "hard.txt", "l.txt"]) {
        const before = facts(join(root, name));
        const { ino } = statSync(join(root, name));
        const said =
          tool === "edit"
            ? await edit(`${(await read(name)).split("\n")[0]}\nreplace 2..2:\n+B`)
            : await write(name, "a\nB\n");
        expect(said).toMatch(/^¶/);
        expect([name, readFileSync(join(root, name), "utf8"), facts(join(root, name))]).toEqual([
          name,
          "a\nB\n",
          before,
        ]);
        expect(name !== "hard.txt" || statSync(join(root, name)).ino === ino).toBe(true);
      }
      expect(readFileSync(join(root, "other.txt"), "utf8")).toBe("a\nB\n");
      expect(lstatSync(join(root, "l.txt")).isSymbolicLink()).toBe(true);
      expect(readFileSync(join(root, "to.txt"), "utf8")).toBe("a\nB\n");
    },
  );

  it.runIf(python).each(["edit", "write"] as const)("stays through %s: extended attributes", async (tool) => {
    const root = tree({ f: "a\nb\n" });
    attribute(join(root, "f"), "kept");
    const { read, edit, write } = handsOf(await workspaceOf(root));
    const header = (await read("f")).split("\n")[0];
    await (tool === "edit" ? edit(`${header}\ndelete 2..2`) : write("f", "a\n"));
    expect([readFileSync(join(root, "f"), "utf8"), attribute(join(root, "f"))]).toEqual(["a\n", "kept"]);
  });
});
