/**
 * seeds/omp-edit.md, `replace block`, `delete block`, `insert after block`: the span comes from the syntax, and the
 * answer echoes it.
 */
import { describe, expect, it } from "vitest";
import { editor } from "./editor.ts";

/** The line that a block begins on, and its last. */
const BLOCKS: readonly (readonly [file: string, content: string, first: number, last: number])[] = [
  ["a.ts", "import x;\n\nexport function f(): void {\n  if (x) {\n    g();\n  }\n}\n\nf();\n", 3, 7],
  ["a.tsx", "const A = () => {\n  return <b>\n    x\n  </b>;\n};\nA();\n", 1, 5],
  ["a.js", "class A {\n  m() {\n    return 1;\n  }\n}\n", 2, 4],
  ["a.py", "x = 1\n\n@dec\ndef f(a):\n    if a:\n        return 1\n\n    return 2\n\ny = 2\n", 3, 8],
  ["a.go", "package a\n\nfunc F() int {\n\treturn 1\n}\n\nvar x = 1\n", 3, 5],
  ["a.rs", "/// Says it.\nfn f() {\n    g();\n}\n\nfn g() {}\n", 2, 4],
  ["a.java", "class A {\n  int f() {\n    return 1;\n  }\n}\n", 2, 4],
  ["a.c", "int x;\nint f(void)\n{\n  return x;\n}\n", 2, 5],
  ["a.rb", "class A\n  def f\n    1\n  end\nend\n", 2, 4],
  ["a.sh", "f() {\n  echo 1\n}\nf\n", 1, 3],
];

describe("Blocks", () => {
  it.each(BLOCKS)(
    "%s: delete block takes the whole construct, and says which lines",
    async (name, content, first, last) => {
      const { edit, file, tagOf } = await editor({ [name]: content });
      const text = await edit(`¶${name}#${await tagOf(name)}`, `delete block ${first}`);
      const count = last - first + 1;
      expect(text.split("\n")[1]).toBe(
        `delete block ${first} → resolved lines ${first}-${last} (${count} lines)`,
      );
      expect(file(name)).toBe(
        content
          .split("\n")
          .toSpliced(first - 1, count)
          .join("\n"),
      );
    },
  );

  it.each(BLOCKS)("%s: replace block and insert after block", async (name, content, first, last) => {
    const { edit, file, tagOf } = await editor({ [name]: content, [`b/${name}`]: content });
    const rows = content.split("\n");
    const replaced = await edit(`¶${name}#${await tagOf(name)}`, `replace block ${first}:`, "+new");
    expect(replaced).toContain(`\nreplace block ${first} → resolved lines ${first}-${last} (`);
    expect(file(name)).toBe(rows.toSpliced(first - 1, last - first + 1, "new").join("\n"));
    const inserted = await edit(
      `¶b/${name}#${await tagOf(`b/${name}`)}`,
      `insert after block ${first}:`,
      "+new",
    );
    expect(inserted).toContain(`\ninsert after block ${first} → resolved lines ${first}-${last} (`);
    expect(file(`b/${name}`)).toBe(rows.toSpliced(last, 0, "new").join("\n"));
  });

  it("a decorator and its function are one block in Python, from the decorator's line; without it, from the other", async () => {
    const content = "@dec\ndef f():\n    return 1\n";
    const { edit, file, tagOf } = await editor({ "a.py": content });
    await edit(`¶a.py#${await tagOf("a.py")}`, "replace block 2:", "+def g():", "+    return 2");
    expect(file("a.py")).toBe("@dec\ndef g():\n    return 2\n");
  });

  it("a comment before a construct is no part of it", async () => {
    const { edit, file, tagOf } = await editor({ "a.rs": "/// Says it.\nfn f() {\n}\nfn g() {}\n" });
    await edit(`¶a.rs#${await tagOf("a.rs")}`, "delete block 2");
    expect(file("a.rs")).toBe("/// Says it.\nfn g() {}\n");
  });

  it("two blocks of one file, each echoed, in the order of the lines", async () => {
    const { edit, file, tagOf } = await editor({ "a.ts": "function f() {\n}\nfunction g() {\n}\nh();\n" });
    const text = await edit(`¶a.ts#${await tagOf("a.ts")}`, "delete block 3", "replace block 1:", "+f;");
    expect(text.split("\n").slice(1, 3)).toEqual([
      "replace block 1 → resolved lines 1-2 (2 lines)",
      "delete block 3 → resolved lines 3-4 (2 lines)",
    ]);
    expect(file("a.ts")).toBe("f;\nh();\n");
  });

  it("an operation inside a block that goes is refused once the block is known", async () => {
    const { refused, tagOf } = await editor({ "a.ts": "function f() {\n  g();\n}\n" });
    const { text } = await refused(
      `¶a.ts#${await tagOf("a.ts")}`,
      "delete block 1",
      "replace 2..2:",
      "+h();",
    );
    expect(text).toMatch(
      /^\[PATCH_INVALID\] Patch line 3: line 2 of the file is already named by the operation on patch line 2\./,
    );
  });

  it("a body that ends with the line after the block is warned of, as of any range", async () => {
    const { edit, tagOf } = await editor({ "a.ts": "function f() {\n}\ng();\n" });
    expect(await edit(`¶a.ts#${await tagOf("a.ts")}`, "replace block 1:", "+f();", "+g();")).toContain(
      "ends with the line that already follows it, line 3 (`g();`)",
    );
  });
});

const NONE: readonly (readonly [why: string, file: string, content: string, line: number, said: RegExp])[] = [
  ["an unknown language", "a.txt", "one\ntwo\n", 1, /its language is not known here$/],
  ["a blank line", "a.ts", "f();\n\ng();\n", 2, /line 2 is blank$/],
  ["a closing delimiter", "a.ts", "function f() {\n}\n", 2, /line 2 /],
  ["a line where nothing begins", "a.ts", "const a = `\n one\n two\n`;\n", 2, /line 2 /],
  ["a syntax error in it", "a.ts", "function f() {\n  g(;\n}\n", 1, /line 1|syntax/],
];

describe("A block that is none", () => {
  it.each(NONE)("%s", async (_, name, content, line, said) => {
    const { refused, file, tagOf } = await editor({ [name]: content });
    const tag = await tagOf(name);
    const fallbacks = {
      [`replace block ${line}:`]: `Use \`replace ${line}..M:\` with the number of the block's last line`,
      [`delete block ${line}`]: `Use \`delete ${line}..M\` with the number of the block's last line`,
      [`insert after block ${line}:`]: "Use `insert after M:` with the number of the block's last line",
    };
    for (const [operation, hint] of Object.entries(fallbacks)) {
      const body = operation.startsWith("delete") ? [] : ["+x"];
      const told = await refused(`¶${name}#${tag}`, operation, ...body);
      expect(told.code).toBe("BLOCK_NOT_FOUND");
      expect(told.message).toContain(
        `Patch line 2: \`${operation.replace(":", "")}\` finds no block that begins on line ${line} of ${name}: `,
      );
      expect(told.message).toMatch(said);
      expect(told.hint).toBe(hint);
      expect(told.text).toContain(`\n\n¶${name}#${tag}\n`);
      expect(told.text).toMatch(new RegExp(`^\\*${line}:`, "m"));
    }
    expect(file(name)).toBe(content);
  });
});
