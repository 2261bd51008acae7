import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import zlib from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FindDetails, SearchDetails, SearchInput, Workspace } from "../../src/quarry.ts";
import { PROGRAM } from "../cli/helpers.ts";
import { type TarEntry, tar, zip, type ZipEntry } from "../sources/build.ts";
import { children, descriptors, eventually } from "../support/processes.ts";
import { runScript } from "../support/script.ts";
import { FOLDER, link, rawPath, tree } from "../support/tree.ts";
import { cacheEnv, codeIn, found, readName, readPage, textOf, workspaceOf } from "./workspaces.ts";

/** The rows of the list of threats that concern the tools, through the tools. */

const MiB = 1024 * 1024;
const SECRET = "TOPSECRET";

/** All that an answer of either tool has for these paths, as one text. */
async function bothSay(workspace: Workspace, paths: string | readonly string[]): Promise<string> {
  const results = await Promise.all([
    workspace.tools.search({ pattern: ".", paths }),
    workspace.tools.search({ pattern: ".", paths, mode: "count" }),
    workspace.tools.find({ paths }),
  ]);
  return JSON.stringify(results);
}

async function codes(workspace: Workspace, paths: string): Promise<string[]> {
  const { search, find } = workspace.tools;
  return [
    codeIn(await search({ pattern: ".", paths })),
    codeIn(await search({ pattern: ".", paths, mode: "files" })),
    codeIn(await find({ paths })),
  ];
}

const OUTSIDE = ["PATH_OUTSIDE", "PATH_OUTSIDE", "PATH_OUTSIDE"];
const DENIED = ["PATH_DENIED", "PATH_DENIED", "PATH_DENIED"];

describe("What lies outside the root (T1)", () => {
  it("is refused by whichever spelling, and its content is in no answer", async () => {
    const parent = tree({
      "a/in.txt": "inside",
      "ab/x.txt": SECRET,
      "A/x.txt": SECRET,
      "a.txt": SECRET,
      "\u00e9/in": "inside",
      "e\u0301/x": SECRET,
    });
    const workspace = await workspaceOf(join(parent, "a"));
    const composed = await workspaceOf(join(parent, "\u00e9"));
    const outside = [
      "../ab/x.txt",
      "../ab",
      "../ab/*.txt",
      "../a.txt",
      "../A/x.txt",
      "..",
      "../",
      "./..",
      "in.txt/../../ab/x.txt",
      ".//..//ab//x.txt",
      "/../../../../../../etc/passwd",
      "//etc/passwd",
      "~root/../../etc/passwd/../../etc/passwd",
      `${parent}/ab/x.txt`,
      `${parent}//ab/./x.txt`,
      `${parent}/a/../ab/x.txt`,
      `${parent}/a/../A/x.txt:1-1`,
      `file://${parent}/ab/x.txt`,
      `file://${parent}/a/%2e%2e/ab/x.txt`,
      `"${parent}/ab/x.txt"`,
      "../ab/x.txt:1-",
      "../ab/{x,y}.txt",
    ];
    for (const path of outside) {
      const said = await codes(workspace, path);
      expect([path, said.every((code) => code === "PATH_OUTSIDE" || code === "PATH_NOT_FOUND")]).toEqual([
        path,
        true,
      ]);
      expect([path, await bothSay(workspace, path)]).not.toEqual([path, expect.stringContaining(SECRET)]);
    }
    expect(await codes(workspace, "../ab/x.txt")).toEqual(OUTSIDE);
    expect(await codes(workspace, `${parent}/ab/x.txt`)).toEqual(OUTSIDE);
    expect(await codes(composed, `${parent}/e\u0301/x`)).toEqual(OUTSIDE);
    expect(await codes(composed, `${parent}/\u00e9/in`)).toEqual(["none", "none", "none"]);
    expect(await codes(workspace, "in.txt/../in.txt")).toEqual(["none", "none", "none"]);
  });

  it("is refused among paths that are inside, which are not searched then either", async () => {
    const parent = tree({ "a/in.txt": "inside", "ab/x.txt": SECRET });
    const workspace = await workspaceOf(join(parent, "a"));
    for (const paths of [
      ["in.txt", "../ab/x.txt"],
      "in.txt,../ab/x.txt",
      "in.txt ../ab/x.txt",
      "in.txt;../ab",
    ]) {
      expect(await bothSay(workspace, paths)).not.toContain(SECRET);
    }
    expect(codeIn(await workspace.tools.search({ pattern: ".", paths: ["in.txt", "../ab/x.txt"] }))).toBe(
      "PATH_OUTSIDE",
    );
  });
});

describe("A link that leads out (T2)", () => {
  const LINKS = ["out", "d/out", "d/e/f/out"];
  const planted = (): { readonly root: string; readonly files: string[]; readonly folders: string[] } => {
    const outside = tree({
      "secret.txt": `${SECRET}\n`,
      "d/deep.txt": SECRET,
      "b.zip": zip([{ name: "m.txt", data: SECRET }]),
    });
    const links = Object.fromEntries(
      LINKS.flatMap((place) => [
        [`${place}.txt`, link(join(outside, "secret.txt"))],
        [`${place}.zip`, link(join(outside, "b.zip"))],
        [`${place}-folder`, link(outside)],
        [`${place}-twice`, link(`${place.split("/").at(-1) ?? ""}-folder`)],
      ]),
    );
    return {
      root: tree({ "in.txt": "inside\n", ...links }),
      files: LINKS.map((place) => `${place}.txt`),
      folders: LINKS.flatMap((place) => [`${place}-folder`, `${place}-twice`]),
    };
  };

  it("is skipped in a walk, at every depth", async () => {
    const { root } = planted();
    const { tools } = await workspaceOf(root);
    for (const paths of [undefined, ".", "*.txt", "**/*.txt", "d", ["d", "in.txt"], "**/deep.txt", "d/**"]) {
      for (const gitignore of [true, false]) {
        const said = JSON.stringify([
          await tools.search({ pattern: ".", paths, gitignore }),
          await tools.search({ pattern: ".", paths, gitignore, mode: "files" }),
          await tools.find({ paths, gitignore }),
        ]);
        expect([paths, said]).not.toEqual([
          paths,
          expect.stringMatching(`${SECRET}|out-folder/|out-twice/|deep.txt:`),
        ]);
      }
    }
    expect(found<SearchDetails>(await tools.search({ pattern: "." })).files).toEqual(["in.txt"]);
    expect(found<FindDetails>(await tools.find({ paths: "**/*.txt" })).files).toEqual(["in.txt"]);
  });

  it("is refused as a file, a folder, below a folder, as the base of a glob, as an archive and with lines", async () => {
    const { root, files, folders } = planted();
    const workspace = await workspaceOf(root);
    const inputs = [
      ...files.flatMap((file) => [
        file,
        `${file}:1-1`,
        `${root}/${file}`,
        `file://${root}/${file}`,
        `"${file}"`,
      ]),
      ...folders.flatMap((folder) => [
        folder,
        `${folder}/`,
        `${folder}/secret.txt`,
        `${folder}/secret.txt:1-`,
        `${folder}/d/deep.txt`,
        `${folder}/d/../secret.txt`,
        `${folder}/*.txt`,
        `${folder}/**`,
        `${folder}/d/{deep,other}.txt`,
        `${folder}/b.zip`,
        `${folder}/missing`,
      ]),
      ...LINKS.map((place) => `${place}.zip`),
    ];
    for (const input of inputs) expect([input, await codes(workspace, input)]).toEqual([input, OUTSIDE]);
    // What stands behind a colon may also be the name of a file that is not there.
    for (const input of LINKS.flatMap((place) => [
      `${place}.zip:m.txt`,
      `${place}.zip:`,
      `${place}.zip:m.txt:1-`,
    ])) {
      const said = await codes(workspace, input);
      expect([input, said.every((code) => code === "PATH_OUTSIDE" || code === "PATH_NOT_FOUND")]).toEqual([
        input,
        true,
      ]);
      expect(await bothSay(workspace, input)).not.toContain(SECRET);
    }
  });

  it("does not tell whether something is there", async () => {
    const outside = tree({ "there.txt": SECRET });
    const { tools } = await workspaceOf(tree({ out: link(outside), a: "x" }));
    const there = await tools.search({ pattern: "x", paths: "out/there.txt" });
    const missing = await tools.search({ pattern: "x", paths: "out/nowhere.txt" });
    expect(textOf(there).replace("there", "nowhere")).toBe(textOf(missing));
  });
});

describe("A file that is swapped for a link to a secret all the time (T4)", () => {
  /** Renames one of two things over a place, in turn, with pauses of changing length. */
  const RACER = `
    const { renameSync, symlinkSync, unlinkSync, linkSync, rmSync } = require("node:fs");
    const [good, bad, place, kind] = process.argv.slice(1);
    const draft = place + ".draft~";
    for (let n = 0; ; n += 1) {
      try { unlinkSync(draft); } catch {}
      if (n % 2 === 0) symlinkSync(bad, draft);
      else if (kind === "file") linkSync(good, draft);
      else symlinkSync(good, draft);
      renameSync(draft, place);
      for (let wait = (n * 7919) % 40000; wait > 0; wait -= 1);
    }`;

  function race(good: string, bad: string, place: string, kind: "file" | "folder"): ChildProcess {
    const child = spawn(process.execPath, ["-e", RACER, good, bad, place, kind], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  /** Searches for so long, while the race is on; every answer as a text. */
  async function during(milliseconds: number, call: () => Promise<unknown>): Promise<string[]> {
    const said: string[] = [];
    for (const end = performance.now() + milliseconds; performance.now() < end; )
      said.push(JSON.stringify(await call()));
    return said;
  }

  const count = (said: readonly string[], text: string): number =>
    said.filter((one) => one.includes(text)).length;

  it("never shows the secret, walked or named by itself", async () => {
    const outside = tree({ secret: `line ${SECRET}\nneedle ${SECRET}\n` });
    const root = tree({ "d/f.txt": "needle good\n", "good/g.txt": "needle good\n" });
    const { tools } = await workspaceOf(root);
    race(join(root, "good/g.txt"), join(outside, "secret"), join(root, "d/f.txt"), "file");
    const walked = await during(2_500, () => tools.search({ pattern: "needle|line", paths: "d" }));
    const named = await during(2_500, () => tools.search({ pattern: "needle|line", paths: "d/f.txt" }));
    expect([count(walked, SECRET), count(named, SECRET)]).toEqual([0, 0]);
    // The race was on: both sides of the swap were met.
    expect(count(walked, "needle good")).toBeGreaterThan(3);
    expect(count(named, "needle good")).toBeGreaterThan(3);
    expect(count(named, "PATH_OUTSIDE") + count(named, "PATH_DENIED")).toBeGreaterThan(3);
  });

  it("never tells what the secret holds by naming or counting the file", async () => {
    const outside = tree({ secret: `${SECRET}\n`.repeat(3) });
    const root = tree({ "d/f.txt": "needle good\n", "good/g.txt": "needle good\n" });
    const { tools } = await workspaceOf(root);
    race(join(root, "good/g.txt"), join(outside, "secret"), join(root, "d/f.txt"), "file");
    const input: SearchInput = { pattern: SECRET, paths: "d" };
    const named = await during(2_000, () => tools.search({ ...input, mode: "files" }));
    const counted = await during(2_000, () => tools.search({ ...input, mode: "count" }));
    expect([count(named, '"d/f.txt"'), count(counted, "d/f.txt:3")]).toEqual([0, 0]);
  });

  it("never shows the secret in a file too large to hold", async () => {
    const outside = tree();
    const root = tree({ good: FOLDER, d: FOLDER });
    for (const [path, text] of [
      [join(outside, "secret"), `needle ${SECRET}\n`],
      [join(root, "good/g.txt"), "needle good\n"],
    ] as const) {
      writeFileSync(
        path,
        Buffer.concat([Buffer.alloc(33 * MiB, `${"x".repeat(1023)}\n`), Buffer.from(text)]),
      );
    }
    writeFileSync(join(root, "d/f.txt"), "");
    const { tools } = await workspaceOf(root);
    race(join(root, "good/g.txt"), join(outside, "secret"), join(root, "d/f.txt"), "file");
    const walked = await during(2_500, () => tools.search({ pattern: "needle", paths: "d" }));
    const named = await during(2_500, () => tools.search({ pattern: "needle", paths: "d/f.txt" }));
    expect([count(walked, SECRET), count(named, SECRET)]).toEqual([0, 0]);
    expect(count(named, "needle good")).toBeGreaterThan(0);
  });

  it("never shows what is in a folder outside, nor its names", async () => {
    const outside = tree({ [`${SECRET}.txt`]: `needle ${SECRET}\n`, "f.txt": `needle ${SECRET}\n` });
    const root = tree({ "good/f.txt": "needle good\n", d: link("good") });
    const { tools } = await workspaceOf(root);
    race(join(root, "good"), outside, join(root, "d"), "folder");
    const shown = await during(1_500, () => tools.search({ pattern: "needle", paths: "d" }));
    expect(count(shown, `needle ${SECRET}`)).toBe(0);
    const named = await during(1_500, () => tools.search({ pattern: "needle", paths: "d", mode: "files" }));
    const listed = await during(1_500, () => tools.find({ paths: "d" }));
    expect(count(shown, "needle good") + count(named, "d/f.txt") + count(listed, "f.txt")).toBeGreaterThan(3);
    expect([count(shown, SECRET), count(named, SECRET), count(listed, SECRET)]).toEqual([0, 0, 0]);
  });
});

describe("What a path could mean (T6)", () => {
  it("is a file where there is one, whatever its name looks like", async () => {
    const bundle = zip([
      { name: "src", data: "member\n" },
      { name: "../x", data: "escaped\n" },
      { name: "10", data: "ten\n" },
    ]);
    const root = tree({
      "a.zip": bundle,
      "b.zip": bundle,
      "b.zip:src": "real\n",
      "x.ts": "1\n2\n3\n",
      "x.ts:2": "named two\n",
      x: "up\n",
    });
    const { tools } = await workspaceOf(root);
    const text = async (paths: string): Promise<string> =>
      textOf(await tools.search({ pattern: ".", paths })).replace(/#[0-9A-F]{4}/, "");
    expect(await text("b.zip:src")).toBe("¶b.zip:src\n*1:real");
    expect(await text("a.zip:src")).toBe("¶a.zip:src\n*1|member");
    expect(await text("x.ts:2")).toBe("¶x.ts:2\n*1:named two");
    expect(await text("x.ts:3")).toBe("¶x.ts\n 2:2\n*3:3");
    expect(await text("x.ts:2:1")).toBe("¶x.ts:2\n*1:named two");
    expect(await text("a.zip:10")).toBe("¶a.zip:10\n*1|ten");
    expect(found<FindDetails>(await tools.find({ paths: "b.zip:src" })).files).toEqual(["b.zip:src"]);
  });

  it("is never a path on disk behind an archive's colon", async () => {
    const parent = tree({
      x: `${SECRET} above\n`,
      "r/x": "beside\n",
      "r/a.zip": zip([
        { name: "in", data: "in\n" },
        { name: "../x", data: "escaped\n" },
        { name: "/etc/hostname", data: "absolute\n" },
      ]),
      "r/b.tar": tar([
        { name: "in", data: "in\n" },
        {
          name: "l",
          type: "2",
          patch: [...Buffer.from("../x")].map((byte, at) => [157 + at, byte] as const),
        },
      ]),
    });
    const workspace = await workspaceOf(join(parent, "r"));
    for (const member of [
      "../x",
      "../../x",
      "/../x",
      "in/../../x",
      "/x",
      "x",
      "..",
      "../",
      "./../x",
      "..\\x",
      "l",
      "../x:1-",
      "/etc/hostname",
      "../*",
    ]) {
      for (const archive of ["a.zip", "b.tar", "./a.zip", "../r/a.zip"]) {
        const said = await bothSay(workspace, `${archive}:${member}`);
        expect([archive, member, said]).not.toEqual([
          archive,
          member,
          expect.stringMatching(`${SECRET}|escaped|absolute`),
        ]);
      }
    }
    const all = await workspace.tools.search({ pattern: ".", paths: "a.zip" });
    expect(found<SearchDetails>(all).files).toEqual(["a.zip:in"]);
  });
});

describe("A way up behind an archive's colon (T6)", () => {
  it("leads to no file on disk, be it in the root", async () => {
    const root = tree({ x: "beside\n", "a.zip": zip([{ name: "in", data: "in\n" }]) });
    const workspace = await workspaceOf(root);
    for (const path of ["a.zip:../../x", "a.zip:in/../../x", "a.zip:in/../x", "a.zip:/../x"]) {
      expect([path, await bothSay(workspace, path)]).not.toEqual([path, expect.stringContaining("beside")]);
    }
  });
});

describe("A bomb (T16)", () => {
  const zeros = (megabytes: number, head: readonly TarEntry[]): Buffer => {
    const part = zlib.gzipSync(Buffer.alloc(16 * MiB), { level: 9 });
    return Buffer.concat([
      zlib.gzipSync(tar(head, { mark: false })),
      ...Array.from({ length: megabytes / 16 }, () => part),
    ]);
  };
  const base256 = (value: bigint): Buffer => {
    const field = Buffer.alloc(12);
    field.writeBigUInt64BE(value, 4);
    field[0] = 0x80;
    return field;
  };

  it("is a coded error of either tool, and costs little memory", async () => {
    const root = tree({
      "quine.zip": zip([
        { name: "kernel", data: Buffer.alloc(8 * MiB) },
        ...Array.from(
          { length: 1_000 },
          (_, at): ZipEntry => ({
            name: `${at}`,
            claimedStart: 0,
            claimedSize: 8 * MiB,
            claimedPackedSize: 8_000,
          }),
        ),
      ]),
      "zeros.zip": zip(
        Array.from({ length: 4 }, (_, at) => ({ name: `${at}`, data: Buffer.alloc(16 * MiB) })),
      ),
      "exabytes.zip": zip([{ name: "a", data: "a", zip64: true, claimedSize: 2 ** 62 }]),
      "entries.zip": zip([{ name: "a", data: "a" }], { zip64: true, count: 1e9 }),
      "zeros.tgz": zeros(10_240, [{ name: "a", claimedSize: base256(10_240n * 1024n * 1024n) }]),
      "behind.tar.gz": zeros(4_096, [{ name: "a", data: "a" }]),
      "claims.tar": tar([{ name: "a", data: "a", claimedSize: base256(2n ** 62n) }]),
      "noise.jar": Buffer.alloc(100_000, "noise"),
      "empty.whl": "",
    });
    const names = readdirSync(root).sort();
    const answer = (await runScript(
      `import { createWorkspace } from ${JSON.stringify(new URL("../../src/quarry.ts", import.meta.url).href)};
       const workspace = await createWorkspace({ root: ${JSON.stringify(root)} });
       const { search, find: list } = workspace.tools;
       await search({ pattern: "x", paths: "." });
       const before = process.memoryUsage.rss();
       const codes = [];
       for (const name of ${JSON.stringify(names)}) for (const path of [name, name + ":a", name + ":*"]) {
         for (const result of [await search({ pattern: "x", paths: path }), await list({ paths: path })]) codes.push(path + " " + (result.isError ? result.details.code : "none"));
       }
       await search({ pattern: "x", paths: ${JSON.stringify(names)} });
       await workspace.close();
       console.log(JSON.stringify({ codes, peak: process.resourceUsage().maxRSS * 1024 - before }));`,
      { env: cacheEnv() },
    )) as { codes: string[]; peak: number };
    // `find` of an archive by its name alone looks at the file, not into it.
    const opened = answer.codes.filter((said) => !said.endsWith(" none"));
    expect(
      opened.every((said) =>
        /(ARCHIVE_TOO_LARGE|ARCHIVE_INVALID|PATH_NOT_FOUND|MEMBER_NOT_FOUND)$/.test(said),
      ),
    ).toBe(true);
    for (const name of names)
      expect(opened).toContainEqual(expect.stringMatching(`^${name} ARCHIVE_(TOO_LARGE|INVALID)$`));
    expect(answer.peak).toBeLessThan(128 * MiB);
  });

  it("leaves an archive beside it as it is, and is named in the answer", async () => {
    const root = tree({
      "bad.zip": zip([{ name: "a", data: "a", zip64: true, claimedSize: 2 ** 62 }]),
      "good.zip": zip([{ name: "a", data: "needle\n" }]),
    });
    const { tools } = await workspaceOf(root);
    const result = await tools.search({ pattern: "needle", paths: ["bad.zip", "good.zip"] });
    expect(found<SearchDetails>(result).files).toEqual(["good.zip:a"]);
    expect(textOf(result)).toContain("bad.zip is beyond the limits");
  });

  it("of names does not pass the cap on an answer's text", async () => {
    const long = (letter: string): string => letter.repeat(60_000);
    const root = tree({
      "names.zip": zip([{ name: long("n"), data: "needle\n" }]),
      "binary.zip": zip(["a", "b", "c"].map((letter) => ({ name: long(letter), data: "\0" }))),
    });
    const { tools } = await workspaceOf(root);
    const over: object[] = [];
    for (const input of [
      { pattern: "needle", paths: "names.zip" },
      { pattern: "needle", paths: "names.zip", mode: "files" },
      { pattern: "needle", paths: "names.zip", mode: "count" },
      { pattern: "needle", paths: "binary.zip" },
      { pattern: "needle", paths: "names.zip:nnnn" },
    ] as const) {
      const bytes = Buffer.byteLength(textOf(await tools.search(input)));
      if (bytes > 51_200) over.push({ ...input, bytes });
    }
    const bytes = Buffer.byteLength(textOf(await tools.find({ paths: "names.zip:*" })));
    if (bytes > 51_200) over.push({ find: "names.zip:*", bytes });
    expect(over).toEqual([]);
  });
});

/** UTF-8 names that a layout of lines could trip over. */
const NAMES = [
  "new\nline",
  "\nfirst",
  "last\n",
  "a\n# b#1234\n*1:fake",
  "tab\tbed",
  "re\rturn",
  'double"quoted',
  '"all"',
  "'single'",
  "`tick`",
  "back\\slash",
  "back\\nslash",
  "\u001b[31mred\u001b[0m",
  "bell\u0007",
  "bidi\u202egnp.exe",
  "iso\u2066late\u2069",
  "zero\u200bwidth",
  "line\u2028separator",
  "\ufeffmark",
  " leading",
  "trailing ",
  "nbsp\u00a0",
  "# heading",
  "¶heading",
  "tag#1234",
  "[note]",
  "[Skipped missing paths: x]",
  "-dash",
  "--pre=sh",
  "a,b",
  "a;b",
  "a b",
  "a:10",
  "a:raw",
  "*star",
  "[id].tsx",
  "{a,b}",
  "what?",
  "!not",
  "~root",
  "file:",
  "caf\u00e9",
  "cafe\u0301",
  "😀",
  "\u{e0041}tag",
  "n".repeat(255),
];

describe("Names of any characters (T19)", () => {
  const planted = (): string =>
    tree(
      Object.fromEntries(
        NAMES.flatMap((name, at) => [
          [`top/${name}`, `needle ${at}\n`],
          [`dir/${name}/f`, `needle in ${at}\n`],
        ]),
      ),
    );

  it("have one line each, and what is printed finds that file again", async () => {
    const { tools } = await workspaceOf(planted());
    for (const folder of ["top", "dir"]) {
      const result = await tools.search({ pattern: "needle", paths: folder, limit: 200 });
      const text = textOf(result);
      expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_C}|\u2028|\ufeff/u);
      const headings = text.split("\n").filter((line) => line.startsWith("# "));
      expect(headings).toHaveLength(NAMES.length);
      expect(readPage(text).files).toHaveLength(NAMES.length);
      for (const heading of headings) {
        const printed = heading.replace(/^# /, "").replace(/#[0-9A-F]{4}$/, "");
        const path = readName(printed);
        for (const paths of [printed, [printed], `${printed}:1-`, `./${path}`]) {
          if (paths === `./${path}` && path !== printed) continue;
          const again = await tools.search({ pattern: "needle", paths });
          expect([paths, codeIn(again)]).toEqual([paths, "none"]);
          expect([paths, found<SearchDetails>(again).files]).toEqual([paths, [path]]);
        }
        expect([printed, found<FindDetails>(await tools.find({ paths: printed })).files]).toEqual([
          printed,
          [path],
        ]);
      }
    }
  });

  it("at the root are found again, too", async () => {
    const root = tree(Object.fromEntries(NAMES.map((name, at) => [name, `needle ${at}\n`])));
    const { tools } = await workspaceOf(root);
    const files = textOf(await tools.search({ pattern: "needle", mode: "files", limit: 200 })).split("\n");
    expect(files.map(readName).sort()).toEqual([...NAMES].sort());
    const lost: string[] = [];
    for (const printed of files) {
      const again = await tools.search({ pattern: "needle", paths: printed });
      if (again.isError === true || found<SearchDetails>(again).files[0] !== readName(printed))
        lost.push(printed);
    }
    expect(lost).toEqual([]);
  });

  it("of folders are found again, also where they mean something elsewhere", async () => {
    const { tools } = await workspaceOf(
      tree({ "~/f": "needle\n", "docs:/f": "needle\n", "file:/f": "needle\n" }),
    );
    const files = textOf(await tools.search({ pattern: "needle", mode: "files" })).split("\n");
    expect(files).toHaveLength(3);
    for (const printed of files) {
      const again = await tools.search({ pattern: "needle", paths: printed });
      expect([printed, textOf(again).replace(/#[0-9A-F]{4}/, "")]).toEqual([
        printed,
        `¶${printed}\n*1:needle`,
      ]);
    }
  });

  it("cannot be taken for what an answer says about itself", async () => {
    const names = [
      "[Skipped missing paths: x]",
      "# folder",
      "[File 1 of 9. Use skip=9 for the next page]",
      "No matches found",
    ];
    const { tools } = await workspaceOf(tree(Object.fromEntries(names.map((name) => [name, "needle\n"]))));
    for (const result of [await tools.search({ pattern: "needle", mode: "files" }), await tools.find({})]) {
      expect(
        textOf(result)
          .split("\n")
          .filter((line) => /^\[|^# /.test(line)),
      ).toEqual([]);
    }
  });

  it("that are not UTF-8 have one line each, with their bytes, and no tag", async () => {
    const root = tree();
    for (const bytes of [[0x61, 0xff], [0x61, 0xfe], [0xc3], [0x0a, 0x80, 0x22]])
      writeFileSync(rawPath(root, bytes), "needle\n");
    const { tools } = await workspaceOf(root);
    expect(textOf(await tools.search({ pattern: "needle" }))).toBe(
      ['# "\\n\\x80\\""', '# "a\\xfe"', '# "a\\xff"', '# "\\xc3"']
        .map((heading) => `${heading}\n*1|needle`)
        .join("\n\n"),
    );
  });

  it("in archives, in errors and in notes stay on their line", async () => {
    const name = "a\n[File 1 of 9. Use skip=9 for the next page]\u001b[31m\u202e";
    const root = tree({ "a.zip": zip([{ name, data: "needle\n" }]), "d/x": "needle\n" });
    const { tools } = await workspaceOf(root);
    const shown = textOf(await tools.search({ pattern: "needle", paths: "a.zip" }));
    expect(shown.split("\n")).toHaveLength(2);
    const printed = shown.split("\n")[0]?.replace(/^# /, "") ?? "";
    expect(found<SearchDetails>(await tools.search({ pattern: "needle", paths: printed })).files).toEqual([
      `a.zip:${name}`,
    ]);
    for (const paths of [name, `a.zip:${name}x`, ["d", name], ["d", `${name}\n`]]) {
      const said = textOf(await tools.search({ pattern: "needle", paths }));
      expect([paths, said]).not.toEqual([paths, expect.stringMatching(/[\u001b\u202e]|^\[File/m)]);
      expect([paths, textOf(await tools.find({ paths }))]).not.toEqual([
        paths,
        expect.stringMatching(/[\u001b\u202e]|^\[File/m),
      ]);
    }
  });
});

describe("A call of a tool that reads (T20)", () => {
  /** Node itself refuses to write elsewhere; ripgrep, the one other program, has no flag that writes. */
  function guarded(cache: string, env: NodeJS.ProcessEnv, argv: readonly string[]): string {
    const node = [
      "--no-warnings",
      "--experimental-permission",
      "--allow-fs-read=*",
      `--allow-fs-write=${cache}/`,
      "--allow-child-process",
    ];
    return execFileSync(process.execPath, [...node, PROGRAM, "call", ...argv], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  it.each([
    ["search", { pattern: "needle", context: 5 }],
    ["search", { pattern: "needle", paths: ["a.zip", "docs://", "local://", "f0:1-9"] }],
    ["find", {}],
  ])("writes nothing outside the cache: %s %j", (tool, input) => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`f${at}`, `needle ${"x".repeat(500)}\n`.repeat(30)]),
    );
    const root = tree({
      ...files,
      "a.zip": zip([{ name: "m", data: "needle\n" }]),
      ".gitignore": "f1\n",
      ".git/HEAD": "",
    });
    const env = cacheEnv();
    const cache = env["QUARRY_CACHE_DIR"] ?? "";
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const argv = [tool, JSON.stringify(input), "--workdir", root, "--session", "guarded"];
    expect(guarded(cache, env, argv)).toContain("f0");
    // The named session is written, and where it may not be, that is refused.
    expect(existsSync(join(cache, "sessions"))).toBe(true);
    expect(() => guarded(tree(), cacheEnv(), argv)).toThrow(/ERR_ACCESS_DENIED/);
  });
});

describe("Two contents whose hashes begin alike (T29)", () => {
  it("get two tags for one file, and each keeps its own", async () => {
    const seen = new Map<string, string>();
    let pair: readonly [string, string] | null = null;
    for (let n = 0; pair === null; n += 1) {
      const content = `needle ${n}\n`;
      const start = createHash("sha256").update(content).digest("hex").slice(0, 4);
      const other = seen.get(start);
      if (other !== undefined) pair = [other, content];
      seen.set(start, content);
    }
    const root = tree({ a: pair[0], b: pair[1] });
    const { tools } = await workspaceOf(root);
    const tag = async (paths: string): Promise<string | null> =>
      readPage(textOf(await tools.search({ pattern: "needle", paths }))).files[0]?.tag ?? null;
    const first = await tag("a");
    // Of two files the tags may be the same.
    expect(await tag("b")).toBe(first);
    writeFileSync(join(root, "a"), pair[1]);
    const second = await tag("a");
    expect(second).toMatch(/^[0-9A-F]{4}$/);
    expect(second).not.toBe(first);
    writeFileSync(join(root, "a"), pair[0]);
    expect(await tag("a")).toBe(first);
    writeFileSync(join(root, "a"), pair[1]);
    expect(await tag(".")).toBe(second);
  });
});

describe("Denied files", () => {
  const planted = {
    "a.txt": "open\n",
    "x.key": `${SECRET} inside\n`,
    "d/y.key": `${SECRET} inside\n`,
    "secret/z.txt": `${SECRET} inside\n`,
    "d/secret/deep/z.txt": `${SECRET} inside\n`,
  };

  it("are skipped and counted in a walk, and an error as an input", async () => {
    const workspace = await workspaceOf(tree(planted), { deny: ["*.key", "secret"] });
    const { search, find } = workspace.tools;
    const result = await search({ pattern: "." });
    expect(found<SearchDetails>(result)).toMatchObject({ files: ["a.txt"], skipped: { denied: 4 } });
    expect(textOf(await search({ pattern: "inside" }))).toBe("No matches found\n[Skipped: 4 denied]");
    const listed = found<FindDetails>(await find({}));
    expect([[...listed.files].sort(), listed.skipped.denied]).toEqual([["a.txt", "d/"], 4]);
    for (const path of [
      "x.key",
      "d/y.key",
      "secret",
      "secret/z.txt",
      "secret/*.txt",
      "d/secret/deep",
      "x.key:1-",
      "./d/../x.key",
      "secret/missing",
    ]) {
      expect([path, await codes(workspace, path)]).toEqual([path, DENIED]);
      expect(await bothSay(workspace, path)).not.toContain(SECRET);
    }
    expect(codeIn(await search({ pattern: ".", paths: ["a.txt", "x.key"] }))).toBe("PATH_DENIED");
  });

  it("are denied through links too, by the name of the link and by what it leads to", async () => {
    const root = tree({ ...planted, "l.txt": link("x.key"), "m.key": link("a.txt"), lf: link("secret") });
    const workspace = await workspaceOf(root, { deny: ["*.key", "secret"] });
    for (const path of ["l.txt", "m.key", "lf", "lf/z.txt", "lf/*"])
      expect([path, await codes(workspace, path)]).toEqual([path, DENIED]);
  });

  const NFC = "\u00e9";
  const NFD = "e\u0301";
  it.each([
    ["by a name", { "x.key": 1 }, { deny: ["*.key"] }],
    ["by a path", { "conf/x": 1 }, { deny: ["conf/x"] }],
    ["by an anchored path", { x: 1 }, { deny: ["/x"] }],
    ["by a folder", { "conf/d/x": 1 }, { deny: ["conf"] }],
    ["by a folder with its slash", { "conf/d/x": 1 }, { deny: ["conf/"] }],
    ["by all below a folder", { "conf/d/x": 1 }, { deny: ["conf/**"] }],
    ["by braces", { "x.pem": 1, "y.key": 1 }, { deny: ["*.{pem,key}"] }],
    ["by a composed name", { [NFD]: 1 }, { deny: [NFC] }],
    ["by a decomposed name", { [NFC]: 1 }, { deny: [NFD] }],
    ["by a name that is composed in part", { [`${NFC}${NFD}.key`]: 1 }, { deny: [`${NFC}${NFC}.key`] }],
    ["below an allowed folder", { "sub/x": 1, "sub/a": 0 }, { allow: ["sub"], deny: ["/x"] }],
    [
      "below an allowed folder, by a path",
      { "sub/conf/x": 1, "sub/a": 0 },
      { allow: ["sub"], deny: ["conf/x"] },
    ],
    ["that are ignored", { ".ignore": 0, "x.key": 1 }, { deny: ["*.key"] }],
    ["by a glob with a bracket", { "x.key": 1 }, { deny: ["*.k[e]y"] }],
    ["that are hidden", { ".env": 1 }, { deny: [".env"] }],
  ] as const)("%s: no answer tells what is in them", async (_, names, options) => {
    const files = Object.entries(names).map(([name, denied]) => [
      name,
      name === ".ignore" ? "*.key\n" : denied === 1 ? `${SECRET} inside\n`.repeat(3) : "open\n",
    ]);
    const root = tree({ "a.txt": "open\n", ...Object.fromEntries(files) });
    const { tools } = await workspaceOf(root, options);
    for (const mode of ["content", "files", "count"] as const) {
      for (const gitignore of [true, false]) {
        const [inside, absent] = await Promise.all(
          ["inside", "absent"].map(async (pattern) => {
            const { content, details } = await tools.search({ pattern, mode, gitignore });
            return { content, details: { ...details, elapsedMs: 0 } };
          }),
        );
        expect(inside).toEqual(absent);
        expect(JSON.stringify(await tools.search({ pattern: ".", mode, gitignore }))).not.toContain(SECRET);
      }
    }
  });
});

describe("After 200 calls, aborted ones and errors among them", () => {
  it("no child process, no descriptor and no file is left", async () => {
    const root = tree({
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`d${at % 4}/f${at}`, "needle\n".repeat(300)]),
      ),
      "a.zip": zip([{ name: "m", data: "needle\n" }]),
      "bad.zip": "no archive",
      "late.bin": `needle\n${"x\n".repeat(9_000)}\0`,
      large: Buffer.alloc(33 * MiB, `${"x".repeat(1_000)}\n`),
    });
    const before = listing(root);
    const env = cacheEnv();
    const workspace = await workspaceOf(root, { env });
    const own = tree();
    const temporary = process.env["TMPDIR"];
    process.env["TMPDIR"] = own;
    onTestFinished(() => {
      if (temporary === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = temporary;
    });
    const { search, find } = workspace.tools;
    await search({ pattern: "needle" });
    await search({ pattern: "needle", paths: "a.zip" });
    const open = descriptors();
    const outcomes = { answers: 0, errors: 0, aborted: 0 };
    const calls = Array.from({ length: 200 }, (_, at) => async (): Promise<void> => {
      const controller = new AbortController();
      const { signal } = controller;
      const made = [
        () => search({ pattern: "needle", limit: 3 }, { signal }),
        () => find({ paths: "**/f*" }, { signal }),
        () => search({ pattern: "needle", paths: ["a.zip", "d0/f0", "bad.zip"] }, { signal }),
        () => search({ pattern: "needle", paths: "missing" }, { signal }),
        () => search({ pattern: "(", paths: "d1" }, { signal }),
        () => search({ pattern: "x$", paths: "large" }, { signal }),
        () => find({ paths: "bad.zip:x" }, { signal }),
        () => search({ pattern: "(?=needle)", paths: "d2", mode: "count" }, { signal }),
        () => search({ pattern: "nowhere" }, { signal }),
      ][at % 9];
      const call = made?.();
      if (at % 5 === 1) controller.abort();
      if (at % 5 === 2) setTimeout(() => controller.abort(), at % 23);
      try {
        const result = await call;
        if (result?.isError === true) outcomes.errors += 1;
        else outcomes.answers += 1;
      } catch (cause) {
        if ((cause as { code?: string }).code !== "ABORTED") throw cause;
        outcomes.aborted += 1;
      }
    });
    while (calls.length > 0) await Promise.all(calls.splice(0, 8).map((call) => call()));
    for (const number of Object.values(outcomes)) expect(number).toBeGreaterThan(20);
    expect(await eventually(() => children().length === 0, 10_000)).toBe(true);
    expect(await eventually(() => descriptors() <= open, 5_000)).toBe(true);
    expect(listing(root)).toEqual(before);
    expect(listing(own)).toEqual([]);
    await workspace.close();
    expect(listing(env["QUARRY_CACHE_DIR"] ?? "").filter((path) => /\./.test(path))).toEqual([]);
  });
});

describe("A call that is over", () => {
  it("has closed what it opened, and left nothing to the garbage collector", async () => {
    const root = tree({
      a: "needle\n",
      "a.zip": zip([{ name: "m", data: "needle\n" }]),
      "b.tar": tar([{ name: "m", data: "needle\n" }]),
      "bad.zip": "no archive",
      large: Buffer.alloc(33 * MiB, `${"x".repeat(1_000)}\n`),
    });
    const { tools } = await workspaceOf(root);
    const inputs: readonly SearchInput[] = [
      { pattern: "needle" },
      { pattern: "needle", paths: "a" },
      { pattern: "needle", paths: ["a.zip", "b.tar", "a"] },
      { pattern: "needle", paths: "a.zip:m" },
      { pattern: "needle", paths: "a.zip:missing" },
      { pattern: "needle", paths: "bad.zip" },
      { pattern: "needle", paths: ["a.zip", "../out"] },
      { pattern: "x$", paths: "large:5-9" },
      { pattern: "x$", paths: "large", mode: "files" },
    ];
    await tools.search({ pattern: "needle", paths: ["a", "a.zip", "."] });
    const open = descriptors();
    for (const input of inputs) {
      await tools.search(input);
      await tools.find({ paths: input.paths });
      const ended = new AbortController();
      const aborted = tools.search(input, { signal: ended.signal }).catch(() => null);
      setImmediate(() => ended.abort());
      await aborted;
      expect([input, await eventually(() => children().length === 0, 10_000)]).toEqual([input, true]);
      expect([input, descriptors()]).toEqual([input, open]);
    }
  });
});

function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

describe("Calls at the same time", () => {
  it("do not mix their answers", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `d${at}/f`,
        Array.from({ length: 50 }, (_, line) => `word${at} ${line}\n`).join(""),
      ]),
    );
    const root = tree({
      ...files,
      "a.zip": zip(Array.from({ length: 20 }, (_, at) => ({ name: `m${at}`, data: `word${at} member\n` }))),
    });
    const { tools } = await workspaceOf(root);
    const ask = async (at: number): Promise<string[]> => [
      textOf(await tools.search({ pattern: `word${at} \\d`, context: at % 4 })),
      textOf(await tools.search({ pattern: `word${at} `, paths: [`d${at}`, "a.zip"] })),
      textOf(await tools.find({ paths: `d${at}` })),
      textOf(await tools.search({ pattern: `word${at}`, paths: `d${(at + 1) % 20}/f` })),
    ];
    const order = Array.from({ length: 20 }, (_, at) => at);
    const together = await Promise.all(order.map(ask));
    for (const at of order) expect(together[at]).toEqual(await ask(at));
    expect(together[3]?.[1]?.split("\n").filter((line) => line.startsWith("# "))).toEqual([
      expect.stringMatching(/^# d3\/f#/),
      "# a.zip:m3",
    ]);
    expect(together[3]?.[3]).toBe("No matches found");
  });
});
