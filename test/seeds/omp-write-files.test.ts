/**
 * seeds/omp-write.md, plain files, internal URLs, and what holds for every write. Without a test: language servers,
 * formatting on write and ACP (no part of Quarry); scan caches (there are none); `concurrency = "exclusive"`, which is
 * tested in test/edit/commit; the host's chmod.
 */
import { chmodSync, existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FOLDER } from "../support/tree.ts";
import { tag } from "./agent.ts";
import { editor, tagIn } from "./editor.ts";

describe("A plain file", () => {
  it("the worked example: folders above it are made (deviation), and the answer carries the tag", async () => {
    const { write, file } = await editor({});
    const content = '{\n "enabled": true\n}\n';
    expect(await write("src/generated/config.json", content)).toBe(
      `¶src/generated/config.json#${tag(content)}\nCreated src/generated/config.json: 21 bytes, 3 lines`,
    );
    expect(file("src/generated/config.json")).toBe(content);
  });

  it("the tag works in edit at once, for every line", async () => {
    const { write, edit, file } = await editor({});
    const text = await write("tmp/output.txt", "hello\nworld\n");
    await edit(`¶tmp/output.txt#${tagIn(text)}`, "replace 2..2:", "+there");
    expect(file("tmp/output.txt")).toBe("hello\nthere\n");
  });

  it("that is there is overwritten, and keeps its mode", async () => {
    const { write, file, root } = await editor({ "a.txt": "long content\n" });
    chmodSync(join(root, "a.txt"), 0o640);
    expect(await write("a.txt", "x\n")).toBe(`¶a.txt#${tag("x\n")}\nWrote a.txt: 2 bytes, 1 line`);
    expect(file("a.txt")).toBe("x\n");
    expect(statSync(join(root, "a.txt")).mode & 0o777).toBe(0o640);
  });

  it("bytes are counted as bytes (deviation: the seed counts UTF-16 units)", async () => {
    const { write } = await editor({});
    expect(await write("a.txt", "→")).toContain("Created a.txt: 3 bytes, 1 line");
    expect(await write("b.txt", "")).toContain("Created b.txt: 0 bytes, 0 lines");
    expect(await write("c.txt", "a\n\n")).toContain("Created c.txt: 3 bytes, 2 lines");
  });

  it("an old tag of an overwritten file does not hold where its lines went", async () => {
    const { write, refused, tagOf } = await editor({ "a.txt": "one\ntwo\n" });
    const old = await tagOf("a.txt");
    await write("a.txt", "three\n");
    expect((await refused(`¶a.txt#${old}`, "delete 1..1")).code).toBe("FILE_CHANGED");
  });

  it("through a link the target is written", async () => {
    const { write, file, root } = await editor({ "real.txt": "one\n", l: { link: "real.txt" } });
    await write("l", "two\n");
    expect(file("real.txt")).toBe("two\n");
    expect(lstatSync(join(root, "l")).isSymbolicLink()).toBe(true);
  });

  it("a script is made executable, once, and it is said", async () => {
    const { write, written, root } = await editor({});
    expect(await write("run.sh", "#!/bin/sh\necho\n")).toBe(
      `¶run.sh#${tag("#!/bin/sh\necho\n")}\nCreated run.sh: 15 bytes, 2 lines\n[Made executable, because it begins with #!]`,
    );
    expect(statSync(join(root, "run.sh")).mode & 0o100).toBe(0o100);
    expect((await written("run.sh", "#!/bin/sh\ntrue\n")).madeExecutable).toBe(false);
    expect((await written("lib.rs", "#![allow(x)]\n")).madeExecutable).toBe(false);
    expect((await written("b.sh", "#!/bin/sh\n")).madeExecutable).toBe(true);
  });

  it("details say what was done, and where", async () => {
    const { written, root } = await editor({});
    expect(await written("a/b.txt", "x\n")).toEqual({
      kind: "file",
      path: "a/b.txt",
      resolvedPath: join(root, "a/b.txt"),
      created: true,
      madeExecutable: false,
      stripped: "nothing",
      warnings: [],
      snapshots: [{ path: "a/b.txt", tag: tag("x\n") }],
      meta: { source: "a/b.txt" },
    });
  });
});

describe("What was pasted from an answer", () => {
  it("a header and numbers are taken off, and it is said", async () => {
    const { write, file } = await editor({});
    expect(await write("a.txt", "¶a.txt#0A3B\n1:one\n2:\n3:two\n")).toMatch(
      /\n\[The pasted ¶PATH#TAG header and LINE: prefixes were taken off the content\]$/,
    );
    expect(file("a.txt")).toBe("one\n\ntwo\n");
    expect(await write("b.txt", "¶a.txt#0A3B\none\n")).toMatch(
      /\n\[The pasted ¶PATH#TAG header was taken off the content\]$/,
    );
    expect(file("b.txt")).toBe("one\n");
  });

  it("numbers alone only where the rest looks like code (deviation)", async () => {
    const { write, file } = await editor({});
    expect(await write("a.ts", "1:f() {\n2:  g();\n3:}\n")).toMatch(
      /\n\[The pasted LINE: prefixes were taken off the content\]$/,
    );
    expect(file("a.ts")).toBe("f() {\n  g();\n}\n");
    const times = "10:00 a\n11:00 b\n12:00 c\n";
    expect(await write("t.txt", times)).not.toContain("[");
    expect(file("t.txt")).toBe(times);
  });

  it("a patch is left as it is: it is a text about edits", async () => {
    const { write, file } = await editor({});
    const patch = "¶a.ts#0A3B\nreplace 1..1:\n+x\n";
    await write("p.md", patch);
    expect(file("p.md")).toBe(patch);
  });
});

describe("Generated files", () => {
  it("are not overwritten, and the mark that was found is told", async () => {
    const content = "// Code generated by protoc. DO NOT EDIT.\nx\n";
    const { unwritten, file } = await editor({ "a.pb.go": content });
    expect((await unwritten("a.pb.go", "y\n")).text).toBe(
      '[GENERATED_FILE] a.pb.go is generated: "Code generated by protoc. DO NOT EDIT.". Change what it is generated from; edit can still change single lines of it.',
    );
    expect(file("a.pb.go")).toBe(content);
  });

  it("lock files too; edit changes single lines of either", async () => {
    const { unwritten, edit, file, tagOf } = await editor({ "package-lock.json": "{}\n" });
    expect((await unwritten("package-lock.json", "y\n")).message).toBe(
      'package-lock.json is generated: "package-lock.json, the lock file of npm"',
    );
    await edit(`¶package-lock.json#${await tagOf("package-lock.json")}`, "replace 1..1:", "+[]");
    expect(file("package-lock.json")).toBe("[]\n");
  });

  it("a mark past the first 40 lines or 1,024 bytes is none", async () => {
    const { write } = await editor({ "a.ts": `${"//\n".repeat(41)}// @generated\n` });
    expect(await write("a.ts", "x\n")).toContain("Wrote a.ts");
  });
});

describe("URLs", () => {
  it("local:// is written like a file, folders too", async () => {
    const { write, read, edit } = await editor({});
    const text = await write("local://plans/a.md", "one\n");
    expect(text).toBe(`¶local://plans/a.md#${tag("one\n")}\nCreated local://plans/a.md: 4 bytes, 1 line`);
    await edit(`¶local://plans/a.md#${tagIn(text)}`, "insert tail:", "+two");
    expect(await read("local://plans/a.md")).toMatch(/\n1:one\n2:two$/);
  });

  it("what cannot be written is refused, and named as the agent calls it", async () => {
    const { unwritten, write } = await editor({});
    await write("local://a/b.md", "x");
    const cases = {
      "docs://tools.md":
        "[URL_READ_ONLY] docs://tools.md can be read and not written. What can be written: files, local://.",
      "artifact://1":
        "[URL_READ_ONLY] artifact://1 can be read and not written. What can be written: files, local://.",
      "local://a": "[NOT_A_FILE] local://a is a folder. Name a file in it.",
      "local://a/b.md/c": "[NOT_A_FOLDER] local://a/b.md is no folder.",
      "local://../x":
        "[PATH_OUTSIDE] local://../x leads out of the scratch folder. Name it by a relative path, such as local://notes.md.",
    };
    for (const [path, text] of Object.entries(cases)) expect((await unwritten(path, "x")).text).toBe(text);
    expect((await unwritten("foo://x", "x")).code).toBe("URL_UNKNOWN");
    expect((await unwritten("https://example.org/x", "x")).message).toContain("is a web page");
  });
});

describe("Paths that cannot be written", () => {
  it("a folder, a file where a folder is needed, nothing", async () => {
    const { unwritten } = await editor({ dir: FOLDER, "f.txt": "x" });
    expect((await unwritten("dir", "x")).text).toBe("[NOT_A_FILE] dir is a folder. Name a file in it.");
    expect((await unwritten("f.txt/a", "x")).text).toBe("[NOT_A_FOLDER] f.txt is no folder.");
    expect((await unwritten("", "x")).text).toBe("[INVALID_INPUT] `path` is empty. Name the file to write.");
  });

  it("outside the allowed folders, denied, and through a link that leads out; nothing is made", async () => {
    const { unwritten, root } = await editor({ out: { link: "/tmp" } }, { deny: ["secret/**"] });
    expect((await unwritten("../x.txt", "x")).code).toBe("PATH_OUTSIDE");
    expect((await unwritten("out/quarry-x.txt", "x")).code).toBe("PATH_OUTSIDE");
    expect((await unwritten("secret/a.txt", "x")).code).toBe("PATH_DENIED");
    expect(existsSync(join(root, "secret"))).toBe(false);
    expect(existsSync("/tmp/quarry-x.txt")).toBe(false);
  });

  it("half a character is no text", async () => {
    const { unwritten } = await editor({});
    expect((await unwritten("a.txt", "\ud800")).text).toBe(
      "[ENCODING_UNKNOWN] The content for a.txt holds half a character. Write the character whole.",
    );
  });

  it("a path that exists is a path, whatever its colons", async () => {
    const { write, root } = await editor({ "a.zip:b.txt": "old", "c.db:users": "old" });
    await write("a.zip:b.txt", "new");
    await write("c.db:users", "new");
    expect(readFileSync(join(root, "a.zip:b.txt"), "utf8")).toBe("new");
    expect(readFileSync(join(root, "c.db:users"), "utf8")).toBe("new");
  });
});
