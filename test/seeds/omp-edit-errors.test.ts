/**
 * seeds/omp-edit.md, "Errors" and the refusals among the tolerated shapes, in our words, through the tool. Every one
 * leaves the file as it was. Without a test: "recovery failure is silent internally" (what cannot be proven is refused
 * with FILE_CHANGED, in omp-edit-anchors.test.ts).
 */
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWorkspace } from "../../src/quarry.ts";
import { zip } from "../sources/build.ts";
import { FOLDER, tree } from "../support/tree.ts";
import { editor } from "./editor.ts";

const OPERATIONS =
  "`replace N..M:`, `replace block N:`, `delete N..M`, `delete block N`, `insert before N:`, `insert after N:`, `insert after block N:`, `insert head:` or `insert tail:`";
const BEGIN =
  "Begin a file with ¶PATH#TAG alone, then use `replace N..M:`, `delete N..M` or `insert before|after N:`; files are created with write";
const COPY = "Copy the header from your latest read, search, write or edit of the file";

/** `¶` stands for the header of the file. */
const CASES: readonly (readonly [name: string, rows: readonly string[], message: string, hint: string])[] = [
  [
    "a patch without a header",
    ["replace 1..1:", "+x"],
    "Patch line 1: a patch begins with ¶PATH#TAG, not with `replace 1..1:`",
    COPY,
  ],
  [
    "a header without a tag",
    ["¶a.ts", "delete 1..1"],
    "Patch line 1: the header of `a.ts` ends in no tag of four hex digits",
    "Use ¶PATH#TAG as your latest read, search, write or edit printed it; if the row is text, write + before it",
  ],
  [
    "the heading of a search whose tag is not known",
    ["# a.ts#0A3B", "delete 1..1"],
    "Patch line 1: `# a.ts#0A3B` is no header: the tag 0A3B is not known for `a.ts`",
    COPY,
  ],
  [
    "a row below no operation",
    ["¶", "+x"],
    "Patch line 2: `+x` stands below no operation",
    `Write ${OPERATIONS} above the rows that belong to it`,
  ],
  [
    "a minus row",
    ["¶", "replace 1..1:", "-one", "+x"],
    "Patch line 3: `-one` begins with -, and there are no such rows: the operation names the lines that go",
    "Leave the row out, or write `+-…` if the text begins with -",
  ],
  [
    "replace without a body",
    ["¶", "replace 1..2:"],
    "Patch line 2: `replace 1..2:` has no body",
    "Write at least one row `+TEXT` below it, `+` alone for a blank line; to delete these lines, use `delete 1..2`",
  ],
  [
    "insert without a body",
    ["¶", "insert after 1:"],
    "Patch line 2: `insert after 1:` has no body",
    "Write at least one row `+TEXT` below it, `+` alone for a blank line",
  ],
  [
    "replace block without a body",
    ["¶", "replace block 1:"],
    "Patch line 2: `replace block 1:` has no body",
    "Write at least one row `+TEXT` below it, `+` alone for a blank line; to delete the block, use `delete block 1`",
  ],
  [
    "insert after block without a body",
    ["¶", "insert after block 1:", "delete 2..2"],
    "Patch line 2: `insert after block 1:` has no body",
    "Write at least one row `+TEXT` below it, `+` alone for a blank line",
  ],
  [
    "delete with a body",
    ["¶", "delete 1..2", "+x"],
    "Patch line 3: a delete has no body rows",
    "Leave them out, or use `replace 1..2:` to put them there",
  ],
  [
    "delete block with a body",
    ["¶", "delete block 1", "+x"],
    "Patch line 3: a delete has no body rows",
    "Leave them out, or use `replace block 1:` to put them there",
  ],
  [
    "delete with a colon",
    ["¶", "delete 1..2:"],
    "Patch line 2: `delete 1..2` ends in a colon, and a delete has no body",
    "Use `delete 1..2`, or `replace 1..2:` with the rows that shall stand there",
  ],
  [
    "a range that ends before it starts",
    ["¶", "replace 3..2:", "+x"],
    "Patch line 2: the range 3..2 ends before it starts",
    "Use `replace 2..3:`",
  ],
  [
    "two operations on one line",
    ["¶", "replace 1..2:", "+x", "delete 2..3"],
    "Patch line 4: line 2 of the file is already named by the operation on patch line 2",
    "Use one operation for each range, and give it only what shall stand there in the end, what you insert beside it included",
  ],
  [
    "an insert within a range",
    ["¶", "insert after 2:", "+x", "replace 1..3:", "+y"],
    "Patch line 4: line 2 of the file is already named by the operation on patch line 2",
    "Use one operation for each range, and give it only what shall stand there in the end, what you insert beside it included",
  ],
  ...["*** Update File: a.ts", "*** Add File: a.ts", "*** Delete File: a.ts", "*** Move to: b.ts"].map(
    (row) =>
      [
        `apply_patch's ${row.slice(4, -5)}`,
        ["¶", row],
        `Patch line 2: \`${row}\` belongs to apply_patch and is not understood here`,
        BEGIN,
      ] as const,
  ),
  [
    "a unified diff's hunk header",
    ["¶", "@@ -1,2 +1,2 @@"],
    "Patch line 2: `@@ -1,2 +1,2 @@` is a hunk header of another patch language",
    "Use `replace N..M:`, `delete N..M` or `insert before|after N:` with the line numbers, or write + before it if it is text",
  ],
  [
    "a header in @@",
    ["¶", "@@ replace 1..2 @@"],
    "Patch line 2: `@@ replace 1..2 @@` is a hunk header of another patch language",
    "Use `replace N..M:`, `delete N..M` or `insert before|after N:` with the line numbers, or write + before it if it is text",
  ],
  ...["1", "1 2", "1..2"].map(
    (row) =>
      [
        `bare numbers: ${row}`,
        ["¶", row, "+x"],
        `Patch line 2: \`${row}\` names lines and not what to do with them`,
        "Use `replace N..M:` or `delete N..M`, or write + before it if it is text",
      ] as const,
  ),
  [
    "a verb that there is not",
    ["¶", "insert at 2:", "+x"],
    "Patch line 2: `insert at 2:` is no operation",
    `Use ${OPERATIONS}; body rows stand below it, each with + before it, and so does text that looks like an operation`,
  ],
  [
    "line 0",
    ["¶", "insert before 0:", "+x"],
    "Patch line 2: there is no line 0: lines are counted from 1",
    "Use `insert head:` for the start of the file",
  ],
  [
    "two tags for one file",
    ["¶", "delete 1..1", "¶a.ts#0A3B", "delete 2..2"],
    "Patch line 3: `a.ts` has the tag 0A3B here and TAG on patch line 1",
    "Name one version of a file: its newest tag, with the line numbers of that version",
  ],
  [
    "rows copied with numbers that are not theirs",
    ["¶", "replace 1..2:", "5:x", "6:y"],
    "Patch line 3: `5:x` may begin with a line number, as read prints it, or with a number that belongs to the text",
    "Write body rows as `+TEXT`, with a number only if it belongs to the text",
  ],
  [
    "nothing",
    ["  "],
    "The patch is empty",
    "Begin with ¶PATH#TAG, then an operation such as `replace N..M:`, then its rows as `+TEXT`",
  ],
];

describe("A patch that is refused", () => {
  it.each(CASES)("%s", async (_, rows, message, hint) => {
    const content = "one\ntwo\nthree\nfour\n";
    const { refused, file, tagOf } = await editor({ "a.ts": content });
    const tag = await tagOf("a.ts");
    const told = await refused(...rows.map((row) => (row === "¶" ? `¶a.ts#${tag}` : row)));
    const said = message.replace("TAG on", `${tag} on`);
    expect(told).toEqual({
      code: "PATCH_INVALID",
      message: said,
      hint,
      text: `[PATCH_INVALID] ${said}. ${hint}.`,
    });
    expect(file("a.ts")).toBe(content);
  });
});

describe("An edit that is refused for its file", () => {
  it("a line that is not there", async () => {
    const { refused, tagOf } = await editor({ "a.txt": "one\ntwo\n", "b.txt": "one", "c.txt": "" });
    expect((await refused(`¶a.txt#${await tagOf("a.txt")}`, "replace 2..9:", "+x")).text).toBe(
      "[LINE_NOT_FOUND] Patch line 2: line 9 does not exist (a.txt has 2 lines). Take line numbers from what was shown under this tag.",
    );
    expect((await refused(`¶b.txt#${await tagOf("b.txt")}`, "delete 2..2")).message).toBe(
      "Patch line 2: line 2 does not exist (b.txt has 1 line)",
    );
    expect((await refused(`¶c.txt#${await tagOf("c.txt")}`, "insert after 1:", "+x")).hint).toBe(
      "Use insert head: to fill an empty file",
    );
  });

  it("one that changes nothing", async () => {
    const { refused, tagOf } = await editor({ "a.txt": "one\ntwo\n" });
    expect((await refused(`¶a.txt#${await tagOf("a.txt")}`, "replace 2..2:", "+two")).text).toBe(
      "[NO_CHANGE] The edit of a.txt changes nothing: its rows are what stands at these lines already. The fault is elsewhere; read the file again before the next edit, and do not widen this one.",
    );
  });

  it("a file that is not there, a folder, a scratch file that is not there, a member of an archive", async () => {
    const { refused } = await editor({ dir: FOLDER, "l.zip": zip([{ name: "a.txt", data: "one\n" }]) });
    const rows = ["replace 1..1:", "+x"];
    const hint = "Check the spelling; write makes new files and entries of archives";
    expect((await refused("¶no/a.txt#0A3B", ...rows)).text).toBe(
      `[PATH_NOT_FOUND] There is no file no/a.txt to edit. ${hint}.`,
    );
    expect((await refused("¶local://a.txt#0A3B", ...rows)).text).toBe(
      `[PATH_NOT_FOUND] There is no file local://a.txt to edit. ${hint}.`,
    );
    expect((await refused("¶l.zip:a.txt#0A3B", ...rows)).text).toBe(
      `[PATH_NOT_FOUND] There is no file l.zip:a.txt to edit. ${hint}.`,
    );
    expect((await refused("¶dir#0A3B", ...rows)).text).toBe(
      "[NOT_A_FILE] dir is a folder. Name a file in it.",
    );
  });

  it("what can be read and not written", async () => {
    const { refused } = await editor({});
    expect((await refused("¶docs://tools.md#0A3B", "delete 1..1")).text).toBe(
      "[URL_READ_ONLY] docs://tools.md can be read and not written. What can be written: files, local://.",
    );
  });

  it("a path outside the allowed folders, a denied one, and a link that leads out", async () => {
    const outside = tree({ "a.txt": "one\n" });
    const { refused } = await editor(
      { "secret.txt": "one\n", out: { link: join(outside, "a.txt") } },
      { deny: ["secret.txt"] },
    );
    expect((await refused("¶/etc/hostname#0A3B", "delete 1..1")).code).toBe("PATH_OUTSIDE");
    expect((await refused("¶out#0A3B", "delete 1..1")).code).toBe("PATH_OUTSIDE");
    expect((await refused("¶secret.txt#0A3B", "delete 1..1")).code).toBe("PATH_DENIED");
  });

  it("a file over 32 MiB has no tag, and the error says why", async () => {
    const { refused, read, root } = await editor({ "big.log": "one\n" });
    truncateSync(join(root, "big.log"), 33 * 1024 * 1024);
    expect((await refused("¶big.log#0A3B", "delete 1..1")).text).toBe(
      "[FILE_TOO_LARGE] big.log is larger than 32 MiB: it is read in pages, has no tag, and cannot be edited here. Change it with a program that streams, such as sed.",
    );
    writeFileSync(join(root, "big.log"), "x".repeat(99).concat("\n").repeat(340_000));
    expect((await read("big.log:1-1")).split("\n")[0]).toBe("¶big.log");
  });

  it("a field that is missing", async () => {
    const { workspace } = await editor({});
    const result = await workspace.tools.edit({} as { input: string });
    expect(result.content[0].text).toBe("[INVALID_INPUT] input is missing.");
  });
});

describe("readOnly (seed: plan mode)", () => {
  it("removes edit and write", async () => {
    const workspace = await createWorkspace({
      root: tree({}),
      readOnly: true,
      env: { ...process.env, QUARRY_CACHE_DIR: tree() },
    });
    expect(Object.keys(workspace.tools).sort()).toEqual(["find", "read", "search"]);
    expect(workspace.readOnly).toBe(true);
    await workspace.close();
  });
});
