/**
 * seeds/omp-read.md, "Jupyter notebooks", and issue 4: notebooks as cells; and everything that is not read, each with a
 * code and a name for what it is.
 *
 * Without a test: how images are shown, measured and made smaller, how documents are converted, how web pages are
 * fetched, rendered, cached and kept, and what is said when that fails: none of it is a part of Quarry (issue 4).
 */
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { reader } from "./reader.ts";

const NOTEBOOK = JSON.stringify({
  cells: [
    {
      cell_type: "code",
      source: ["a = 1\n", "b = 2"],
      metadata: {},
      outputs: [{ text: "out" }],
      execution_count: 1,
    },
    { cell_type: "markdown", source: "# Title\ntext", metadata: {} },
    { cell_type: "raw", source: [], metadata: {} },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

describe("A notebook", () => {
  it("is its cells as text under markers, outputs left out", async () => {
    const { read } = await reader({ "n.ipynb": NOTEBOOK });
    expect((await read("n.ipynb")).split("\n").slice(1)).toEqual([
      "1:# %% [code] cell:0",
      "2:a = 1",
      "3:b = 2",
      "4:# %% [markdown] cell:1",
      "5:# Title",
      "6:text",
      "7:# %% [raw] cell:2",
    ]);
  });

  it("takes lines of that text, and is edited by them", async () => {
    const { read, tagOf, edit, file } = await reader({ "n.ipynb": NOTEBOOK });
    expect((await read("n.ipynb:5-5")).split("\n").slice(1)).toEqual([
      "4:# %% [markdown] cell:1",
      "5:# Title",
      "6:text",
      "7:# %% [raw] cell:2",
    ]);
    await edit(`¶n.ipynb#${await tagOf("n.ipynb")}`, "replace 5..5:", "+# Other");
    expect(file("n.ipynb")).toBe(NOTEBOOK.replace("# Title", "# Other"));
  });

  it("raw is the file as it is", async () => {
    const { read } = await reader({ "n.ipynb": NOTEBOOK });
    expect(await read("n.ipynb:raw")).toBe(NOTEBOOK);
  });

  it("that is none is shown as text, and the answer says why", async () => {
    const { read } = await reader({ "bad.ipynb": "{\n", "other.ipynb": '{"a":1}\n' });
    expect(await read("bad.ipynb")).toMatch(
      /\n1:\{\n\[Shown as text: bad\.ipynb cannot be read as a notebook: .*\]$/,
    );
    expect(await read("other.ipynb")).toMatch(/\n1:\{"a":1\}\n\[Shown as text: .*\]$/);
  });
});

describe("What is not read says what it is", () => {
  it("images, documents, archives of other kinds, binary files", async () => {
    const files = {
      "a.png": [Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1"), "KIND_UNSUPPORTED", "a PNG image"],
      "a.jpg": [Buffer.from("\xff\xd8\xff\xe0\0", "latin1"), "KIND_UNSUPPORTED", "a JPEG image"],
      "a.gif": [Buffer.from("GIF89a\0\0", "latin1"), "KIND_UNSUPPORTED", "a GIF image"],
      "a.pdf": [Buffer.from("%PDF-1.7\n\0"), "KIND_UNSUPPORTED", "a PDF document"],
      "a.rtf": [Buffer.from("{\\rtf1 x}"), "KIND_UNSUPPORTED", "an RTF document"],
      "a.docx": [Buffer.from("PK\x03\x04\0\0", "latin1"), "KIND_UNSUPPORTED", "a Word document (.docx)"],
      "a.xlsx": [Buffer.from("PK\x03\x04\0\0", "latin1"), "KIND_UNSUPPORTED", "an Excel workbook (.xlsx)"],
      "a.epub": [Buffer.from("PK\x03\x04\0\0", "latin1"), "KIND_UNSUPPORTED", "an EPUB book (.epub)"],
      "a.7z": [Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"), "KIND_UNSUPPORTED", "a 7z archive"],
      "a.bin": [Buffer.from("a\0b"), "BINARY_FILE", "a binary file"],
    } as const;
    const { unread } = await reader(
      Object.fromEntries(Object.entries(files).map(([name, [bytes]]) => [name, bytes])),
    );
    const told = await Promise.all(
      Object.keys(files).map(async (name) => {
        const { code, message } = await unread(name);
        return [name, code, message];
      }),
    );
    expect(told).toEqual(
      Object.entries(files).map(([name, [, code, what]]) => [
        name,
        code,
        `${name} is ${what}, which is not read here`,
      ]),
    );
  });

  it("a web page, with its scheme or without", async () => {
    const { unread, read } = await reader({ "www.notes.txt": "a file\n" });
    for (const url of ["https://example.org/a", "http://example.org", "www.example.org/x"]) {
      expect(await unread(url)).toMatchObject({
        code: "KIND_UNSUPPORTED",
        message: `${url} is a web page, which is not read here`,
      });
      expect(await unread(`${url}:5-9`)).toMatchObject({ code: "KIND_UNSUPPORTED" });
    }
    expect(await read("www.notes.txt")).toContain("1:a file");
  });
});

describe("What is no file answers at once", () => {
  it("a pipe, a socket, a link to a device", async () => {
    const { unread, read, root } = await reader({});
    execFileSync("mkfifo", [join(root, "pipe")]);
    symlinkSync("/dev/zero", join(root, "zero"));
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => void server.close());
    for (const name of ["pipe", "pipe:1-5", "pipe:raw", "socket"]) {
      expect((await unread(name)).text).toBe(
        `[NOT_A_FILE] ${name.split(":")[0]} is no regular file. Pipes, sockets and devices are not read.`,
      );
    }
    expect(await unread("zero")).toMatchObject({ code: "PATH_OUTSIDE" });
    expect(await read(".")).toMatch(/pipe {2}\S+ \(\w+\)/);
  });

  it("a device in an allowed folder", async () => {
    const { unread } = await reader({}, { allow: [".", "/dev"] });
    for (const device of ["/dev/zero", "/dev/null", "/dev/tty"]) {
      expect(await unread(device)).toMatchObject({ code: "NOT_A_FILE" });
    }
  });
});
