/** Answers that other indexes were seen to miss without saying so, on small trees of the same shape. */
import { describe, expect, it } from "vitest";
import { INDEXED_FILE, TEXT_IN_PROCESS } from "../../src/model/limits.ts";
import { type Files, tree } from "../support/tree.ts";
import { indexed } from "./indexed.ts";
import { askBoth, differenceIn, isIndexed, type Question } from "./question.ts";

/** The files that the index alone found, which must be ripgrep's. */
async function found(files: Files, asked: string, order: Question["order"]): Promise<readonly string[]> {
  const root = tree(files);
  const index = await indexed(root);
  try {
    const outcome = await askBoth(index, root, process.env, { asked, order });
    expect(differenceIn(outcome)).toBeNull();
    expect(isIndexed(outcome.first)).toBe(true);
    return outcome.first.files;
  } finally {
    await index.close();
  }
}

/** Text of a size with one line of its own at the beginning, in the middle or at the end. */
function large(size: number, line: string, at: "first" | "middle" | "last"): string {
  const filler = "static int register_value(struct device *dev, u32 mask, u32 value);\n";
  const half = filler.repeat(Math.ceil(size / 2 / filler.length));
  if (at === "first") return `${line}\n${half}${half}`;
  return at === "middle" ? `${half}${line}\n${half}` : `${half}${half}${line}`;
}

describe("Large files are found by an alternation as small ones are", () => {
  const WORDS = ["ERR_SYS", "PME_TURN_OFF", "LINK_REQ_RST", "CFG_BME_EVT"];
  const sizes = [
    100_000,
    TEXT_IN_PROCESS - 10,
    TEXT_IN_PROCESS + 10,
    3_000_000,
    10_000_000,
    INDEXED_FILE + 10,
  ];
  const files: Files = Object.fromEntries([
    ...Array.from({ length: 29 }, (_, at) => [`small/f${at}.c`, `int x;\n\t${WORDS[at % 4]},\n`]),
    ...sizes.map((size, at) => [
      `include/regs_${size}.h`,
      large(size, `#define ${WORDS[at % 4]} 0x1`, (["last", "middle", "first"] as const)[at % 3] ?? "last"),
    ]),
    ["small/none.c", "int none;\n"],
  ]);

  it.each([
    WORDS.join("|"),
    `(?i)${WORDS.join("|").toLowerCase()}`,
    `\\b(${WORDS.join("|")})\\b`,
    `#define (${WORDS.join("|")})|\t(${WORDS.join("|")}),`,
  ])("%s", async (asked) => {
    expect(await found(files, asked, "path")).toHaveLength(29 + sizes.length);
  });
});

describe("A tree whose ignore rules begin with all hidden names is not empty", () => {
  const files: Files = {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".gitignore": [
      "# what is built",
      ".*",
      "*.a",
      "*.o",
      "*.o.*",
      "*.mod.c",
      "/vmlinux",
      "/*.spec",
      "/debian/",
      "!.gitignore",
      "!.clang-format",
      "/include/generated/",
      "/arch/*/include/generated/",
      "*.orig",
      "\\#*#",
      "!arch/x86/keep.o",
      "",
    ].join("\n"),
    ".clang-format": "needle: yes\n",
    ".hidden/a.c": "needle\n",
    Makefile: "needle\n",
    vmlinux: "needle\n",
    "kernel/fork.c": "needle\n",
    "kernel/fork.o": "needle\n",
    "kernel/.cmd": "needle\n",
    "kernel/.gitignore": "/config_data\n!.wanted\n",
    "kernel/.wanted": "needle\n",
    "kernel/config_data": "needle\n",
    "include/generated/x.h": "needle\n",
    "include/linux/x.h": "needle\n",
    "arch/x86/include/generated/y.h": "needle\n",
    "arch/x86/keep.o": "needle\n",
    "tools/debian/rules": "needle\n",
  };

  it.each<Question["order"]>(["path", "mtime"])("by %s", async (order) => {
    const names = await found(files, "needle", order);
    expect(names.toSorted()).toEqual([
      ".clang-format",
      "Makefile",
      "arch/x86/keep.o",
      "include/linux/x.h",
      "kernel/.wanted",
      "kernel/fork.c",
      "tools/debian/rules",
    ]);
  });
});
