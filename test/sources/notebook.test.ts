import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/model/errors.ts";
import { notebookText, rewriteNotebook } from "../../src/sources/notebook.ts";

const NAME = "a.ipynb";

const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "aaaa1111",
   "metadata": {},
   "source": [
    "# Title\\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "bbbb2222",
   "metadata": {"tags": ["x"]},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["1\\n"]}],
   "source": [
    "print(1)"
   ]
  },
  {
   "cell_type": "raw",
   "id": "cccc3333",
   "metadata": {},
   "source": []
  }
 ],
 "metadata": {"kernelspec": {"name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const VIEW = `# %% [markdown] cell:0
# Title
text
# %% [code] cell:1
print(1)
# %% [raw] cell:2
`;

const view = (notebook: string): string => String(notebookText(Buffer.from(notebook), NAME));
const rewritten = (notebook: string, text: string): string =>
  String(rewriteNotebook(Buffer.from(notebook), Buffer.from(text), NAME));
const withCells = (...cells: string[]): string => `{"cells": [${cells.join(", ")}], "nbformat": 4}`;
const code = (source: unknown): string => `{"cell_type": "code", "source": ${JSON.stringify(source)}}`;

function refusal(work: () => unknown): { code: string; message: string; hint: string | undefined } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
  return { code: "none", message: "", hint: undefined };
}

/** What stands between the common beginning and the common end of two texts, in either. */
function difference(a: string, b: string): [string, string] {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

describe("the view of a notebook", () => {
  it("shows each cell behind its marker", () => {
    expect(view(NOTEBOOK)).toBe(VIEW);
  });

  it("tells sources apart by their final newlines", () => {
    const sources = ["", "\n", "\n\n", "a", "a\n", "a\n\n", "a\r\n", "\r", "a\u2028b"];
    const views = sources.map((source) => view(withCells(code(source))));
    expect(new Set(views).size).toBe(sources.length);
    expect(views[3]).toBe("# %% [code] cell:0\na\n");
    expect(views[4]).toBe("# %% [code] cell:0\na\n\n");
  });

  it("shows a line that looks like a marker behind a backslash, and no other", () => {
    const source = "# %% [code] cell:3\n# %%\n\\# %% [markdown]\n# %% [sql] \n #  %% [code]\n# %% title";
    expect(view(withCells(code(source)))).toBe(
      "# %% [code] cell:0\n\\# %% [code] cell:3\n# %%\n\\\\# %% [markdown]\n\\# %% [sql] \n #  %% [code]\n# %% title\n",
    );
  });

  it("lets the last of two equal keys count, as JSON.parse does", () => {
    const notebook = `{"cells": 1, "cells": [{"source": "a", "source": "b", "cell_type": 1, "cell_\\u0074ype": "raw"}]}`;
    expect(view(notebook)).toBe("# %% [raw] cell:0\nb\n");
    expect(rewritten(notebook, "# %% [raw] cell:0\nc\n")).toBe(notebook.replace('"b"', '"c"'));
  });

  it.each([
    ["no JSON", "hello", "no JSON"],
    ["an empty file", "", "too early"],
    ["a file cut off inside a string", NOTEBOOK.slice(0, 300), "a string without an end"],
    ["two values", `${NOTEBOOK}{}`, "behind its end"],
    ["a comma too much", '{"cells": [],}', "no JSON"],
    ["a list", "[]", "no JSON object"],
    ["a notebook of format 3", '{"worksheets": [{"cells": []}], "nbformat": 3}', "format older than 4"],
    ["a notebook that claims format 3", '{"cells": [], "nbformat": 3}', "format older than 4"],
    ["other JSON", '{"name": "x"}', "no list of cells"],
    ["cells that are no list", '{"cells": {}}', "no list of cells"],
    ["a cell that is none", '{"cells": [1]}', "cell 0 is no code"],
    ["a cell of another kind", '{"cells": [{"cell_type": "heading", "source": ""}]}', "cell 0 is no code"],
    ["a source of numbers", withCells(code("x"), code([1])), "source of cell 1"],
    ["a cell without source", '{"cells": [{"cell_type": "raw"}]}', "source of cell 0"],
    ["hostile nesting", `{"cells": [], "metadata": ${"[".repeat(200_000)}`, "more than 1000 levels"],
    ["hostile nesting that is closed", `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`, "levels"],
  ])("refuses %s, and names the way to the plain file", (_, notebook, why) => {
    const { code, message, hint } = refusal(() => view(notebook));
    expect(code).toBe("NOTEBOOK_INVALID");
    expect(message).toContain(why);
    expect(hint).toContain("a.ipynb:raw");
  });

  it("refuses what is not UTF-8, and what is too large", () => {
    const latin = Buffer.from(withCells(code("\u00e9")), "latin1");
    expect(refusal(() => notebookText(latin, NAME)).code).toBe("NOTEBOOK_INVALID");
    const large = Buffer.alloc(33 * 1024 * 1024, " ");
    expect(refusal(() => notebookText(large, NAME)).code).toBe("FILE_TOO_LARGE");
  });

  it("reads a number of a million digits", () => {
    expect(view(`{"cells": [], "metadata": ${"1".repeat(1_000_000)}}`)).toBe("");
  });
});

describe("an unchanged view", () => {
  const value: unknown = JSON.parse(NOTEBOOK);
  it.each([
    ["indent 1", NOTEBOOK],
    ["indent 4", JSON.stringify(value, null, 4)],
    ["tabs", JSON.stringify(value, null, "\t")],
    ["minified", JSON.stringify(value)],
    ["CRLF", NOTEBOOK.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${NOTEBOOK}`],
    ["no cells, with blanks", '{ "cells" : [ ] }'],
    ["escapes", '{"cells":[{"source":["\\u00e9\\/\\ud800"],"cell_type":"\\u0063ode"}]}\n\n'],
  ])("leaves a notebook as it is: %s", (_, notebook) => {
    expect(rewritten(notebook, view(notebook))).toBe(notebook);
    expect(rewritten(notebook, view(notebook).replace(/\n$/, ""))).toBe(notebook);
  });
});

describe("a changed source", () => {
  it("changes the bytes of its lines only", () => {
    const changed = rewritten(NOTEBOOK, VIEW.replace("print(1)", "print(1)\nprint('\u00e9')"));
    expect(difference(NOTEBOOK, changed)).toEqual(["", "\\n\",\n    \"print('\u00e9')"]);
  });

  it("may go to nothing, and come from nothing", () => {
    const emptied = rewritten(NOTEBOOK, VIEW.replace("print(1)\n", ""));
    expect(difference(NOTEBOOK, emptied)).toEqual(['\n    "print(1)"\n   ', ""]);
    const filled = rewritten(NOTEBOOK, `${VIEW}one\ntwo\n`);
    expect(difference(NOTEBOOK, filled)).toEqual(["", '\n    "one\\n",\n    "two"\n   ']);
    expect(rewritten(withCells(code([])), "# %% [code] cell:0\na\nb\n")).toBe(
      withCells('{"cell_type": "code", "source": ["a\\n", "b"]}'),
    );
  });

  it("stays a string when it was one, and keeps to ASCII where the file does", () => {
    const notebook = '{"cells":[{"cell_type":"code","source":"\\u00e9"}]}';
    expect(rewritten(notebook, "# %% [code] cell:0\n\u00e9\n\u{1f600}\n")).toBe(
      notebook.replace("\\u00e9", "\\u00e9\\n\\ud83d\\ude00"),
    );
  });

  it("keeps the way that lines are escaped which stay", () => {
    const notebook = '{"cells":[{"cell_type":"code","source":[ "\\u0061\\/\\n" , "b" ]}]}';
    expect(rewritten(notebook, "# %% [code] cell:0\na/\nc\n")).toBe(notebook.replace('"b"', '"c"'));
  });

  it("uses the line ends of the file", () => {
    const notebook = NOTEBOOK.replaceAll("\n", "\r\n");
    const changed = rewritten(notebook, VIEW.replace("print(1)", "print(1)\nprint(2)"));
    expect(difference(notebook, changed)).toEqual(["", '\\n",\r\n    "print(2)']);
  });

  it("may hold lines that look like markers", () => {
    const changed = rewritten(NOTEBOOK, VIEW.replace("print(1)", "\\# %% [code] cell:0\n\\\\# %% [raw]"));
    expect((JSON.parse(changed) as { cells: { source: string[] }[] }).cells[1]?.source).toEqual([
      "# %% [code] cell:0\n",
      "\\# %% [raw]",
    ]);
    expect(rewritten(changed, view(changed))).toBe(changed);
  });

  it("is refused where the old one has half a character, which may be moved and kept", () => {
    const notebook = withCells('{"cell_type": "code", "source": "\\ud800"}', code("b"));
    const moved = rewritten(notebook, "# %% [code] cell:1\nb\n# %% [code] cell:0\n\ufffd\n");
    expect(moved).toBe(withCells(code("b"), '{"cell_type": "code", "source": "\\ud800"}'));
    const edited = refusal(() => rewritten(notebook, "# %% [code] cell:0\n\ufffd!\n"));
    expect(edited.code).toBe("NOTEBOOK_INVALID");
    expect(edited.message).toContain("# %% [code] cell:0 (line 1)");
  });
});

describe("cells", () => {
  it("can be added, with what the format demands", () => {
    const changed = rewritten(
      NOTEBOOK,
      VIEW.replace("# %% [code]", "# %% [code]\nnew\n# %% [markdown] cell:7\n# %% [code]"),
    );
    const [, added] = difference(NOTEBOOK, changed);
    expect(added.replace(/"id": "[0-9a-f]{8}"/g, '"id": "ID"')).toBe(`null,
   "id": "ID",
   "metadata": {},
   "outputs": [],
   "source": [
    "new"
   ]
  },
  {
   "cell_type": "markdown",
   "id": "ID",
   "metadata": {},
   "source": []
  },
  {
   "cell_type": "code",
   "execution_count": `);
    const ids = (JSON.parse(changed) as { cells: { id: string }[] }).cells.map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
  });

  it("can be added to a notebook without any, in its style", () => {
    expect(rewritten('{\n  "cells": [],\n  "nbformat": 4\n}', "# %% [markdown]\na\n")).toBe(`{
  "cells": [
    {
      "cell_type": "markdown",
      "metadata": {},
      "source": [
        "a"
      ]
    }
  ],
  "nbformat": 4
}`);
    expect(rewritten('{"cells":[]}', "# %% [raw]\na\nb")).toBe(
      '{"cells":[{"cell_type":"raw","metadata":{},"source":["a\\n","b"]}]}',
    );
    expect(rewritten(withCells(code("x")), "# %% [code] cell:0\nx\n# %% [raw]\na\nb")).toBe(
      withCells(code("x"), '{"cell_type": "raw", "metadata": {}, "source": "a\\nb"}'),
    );
  });

  it("can go, all of them too", () => {
    const changed = rewritten(NOTEBOOK, VIEW.replace("# %% [code] cell:1\nprint(1)\n", ""));
    expect(JSON.parse(changed)).toEqual({
      ...(JSON.parse(NOTEBOOK) as object),
      cells: (JSON.parse(NOTEBOOK) as { cells: unknown[] }).cells.toSpliced(1, 1),
    });
    expect(rewritten(NOTEBOOK, "")).toBe(NOTEBOOK.replace(/"cells": \[.*?\n \],/s, '"cells": [],'));
  });

  it("move with their markers, outputs and all", () => {
    const notebook = withCells(code("a"), '{"cell_type": "code",  "source": "b", "outputs": [{}]}');
    expect(rewritten(notebook, "# %% [code] cell:1\nb\n# %% [code] cell:0\na\n")).toBe(
      withCells('{"cell_type": "code",  "source": "b", "outputs": [{}]}', code("a")),
    );
  });

  it("of another kind have the fields of that kind", () => {
    const changed = rewritten(NOTEBOOK, VIEW.replace("[code]", "[markdown]"));
    expect(changed).toBe(
      NOTEBOOK.replace(/"cell_type": "code",\n {3}"execution_count": 3,/, '"cell_type": "markdown",').replace(
        /,\n {3}"outputs": .*,/,
        ",",
      ),
    );
    const back = rewritten(NOTEBOOK, VIEW.replace("[markdown]", "[code]"));
    expect(difference(NOTEBOOK, back)).toEqual([
      'markdown"',
      'code",\n   "execution_count": null,\n   "outputs": []',
    ]);
    const leading =
      '{"cells": [{"outputs": [], "execution_count": 1, "source": "", "cell_type": "code", "outputs": [1]}]}';
    expect(rewritten(leading, "# %% [raw] cell:0\n")).toBe('{"cells": [{"source": "", "cell_type": "raw"}]}');
    const attached = '{"cells": [{"cell_type": "markdown", "source": "", "attachments": {}}]}';
    expect(rewritten(attached, "# %% [code] cell:0\n")).toBe(
      '{"cells": [{"cell_type": "code", "execution_count": null, "outputs": [], "source": ""}]}',
    );
  });
});

describe("a view that could mean two things is refused", () => {
  const three = withCells(code("a"), code("b"), code("c"));
  it.each([
    ["text before the first marker", `x\n${VIEW}`, "line 1"],
    ["blank text before it", `\n${VIEW}`, "line 1"],
    ["a number twice", `${VIEW}# %% [code] cell:1\n`, "# %% [code] cell:1 (line 7)"],
    ["a new number twice", `${VIEW}# %% [code] cell:9\n# %% [raw] cell:9\n`, "(line 8)"],
    ["a kind that is none", VIEW.replace("[raw]", "[md]"), "# %% [md] cell:2 (line 6"],
  ])("%s", (_, text, where) => {
    const { code, message } = refusal(() => rewritten(NOTEBOOK, text));
    expect(code).toBe("NOTEBOOK_INVALID");
    expect(message).toContain(where);
  });

  const numbered = (...cells: [number, string][]): string =>
    cells.map(([number, text]) => `# %% [code] cell:${number}\n${text}\n`).join("");
  it.each([
    ["one inserted", numbered([0, "a"], [1, "new"], [2, "b"], [3, "c"]), "cell:1"],
    ["one deleted", numbered([0, "b"], [1, "c"]), "cell:1"],
    ["two exchanged", numbered([0, "b"], [1, "a"], [2, "c"]), "cell:1"],
    ["one inserted before the last", numbered([0, "a"], [1, "b"], [2, "new"], [3, "c"]), "cell:2"],
  ])("numbers counted anew: %s", (_, text, other) => {
    const { code, message } = refusal(() => rewritten(three, text));
    expect(code).toBe("NOTEBOOK_INVALID");
    expect(message).toContain(`stands before the text of ${other}`);
  });

  it("but a copy is not one of them", () => {
    expect(rewritten(three, numbered([0, "b"], [1, "b"], [2, "c"]))).toBe(
      withCells(code("b"), code("b"), code("c")),
    );
  });
});
