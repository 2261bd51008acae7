/** Laws over random notebooks, written in random ways, and random edits of their cells. */
import {
  constantFrom,
  array,
  assert,
  property,
  record,
  string,
  oneof,
  constant,
  boolean,
  nat,
  jsonValue,
  type Arbitrary,
  tuple,
  context,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { skipBlanks, valueEnd } from "../../src/sources/json-spans.ts";
import { notebookText, rewriteNotebook } from "../../src/sources/notebook.ts";

const NAME = "a.ipynb";
const KINDS = ["code", "markdown", "raw"] as const;
type Kind = (typeof KINDS)[number];
type Json = Record<string, unknown>;

/** How a value is written: each choice is taken from a list of random numbers, round and round. */
interface Writing {
  readonly unit: string;
  readonly newline: string;
  readonly ascii: boolean;
  readonly loose: boolean;
  readonly picks: readonly number[];
}

function writer(writing: Writing): {
  write: (value: unknown, depth: number) => string;
  object: (members: [string, string][], depth: number) => string;
  list: (items: string[], depth: number) => string;
} {
  let at = 0;
  const pick = (choices: readonly string[]): string =>
    choices[(writing.picks[at++ % writing.picks.length] ?? 0) % choices.length] ?? "";
  const blank = (): string => (writing.loose ? pick(["", " ", "\t", "\r\n", "\n  ", "   "]) : "");
  const line = (depth: number): string =>
    writing.newline === "" ? blank() : writing.newline + writing.unit.repeat(depth) + blank();
  const text = (value: string): string => {
    const written = writing.loose ? JSON.stringify(value).replaceAll("/", "\\/") : JSON.stringify(value);
    const escape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    return writing.ascii ? written.replace(/[\u0080-\uffff]/g, escape) : written;
  };
  const joined = (items: string[], depth: number): string =>
    items.map((item) => `${line(depth + 1)}${item}${blank()}`).join(",") + line(depth);
  const object = (members: [string, string][], depth: number): string =>
    `{${joined(
      members.map(
        ([key, value]) => `${text(key)}${blank()}:${blank() || (writing.newline === "" ? "" : " ")}${value}`,
      ),
      depth,
    )}}`;
  const list = (items: string[], depth: number): string =>
    items.length === 0 ? "[]" : `[${joined(items, depth)}]`;
  const write = (value: unknown, depth: number): string => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value))
      return list(
        value.map((item) => write(item, depth + 1)),
        depth,
      );
    if (typeof value === "object" && value !== null)
      return object(
        Object.entries(value).map(([key, item]) => [key, write(item, depth + 1)]),
        depth,
      );
    return JSON.stringify(value);
  };
  return { write, object, list };
}

const LINES = [
  "",
  "a",
  "x = 1",
  "# %% [code] cell:0",
  "\\# %% [raw]",
  "# %% [markdown]",
  "# %% [code] cell:1 \r",
  "# %%",
  "\u00e9\u{1f600}",
  "a/b",
  '"\\',
  "\u2028",
  "\r",
  "\t\0",
];
const source: Arbitrary<string> = oneof(
  array(constantFrom(...LINES), { maxLength: 4 }).map((lines) => lines.join("\n")),
  string({ unit: "grapheme", maxLength: 6 }),
);

interface Model {
  readonly fields: Json;
  readonly kind: Kind;
  readonly source: string;
  readonly form: "lines" | "string" | "odd";
}
const cell: Arbitrary<Model> = record({
  fields: record({
    metadata: constantFrom({}, { tags: ["x"] }),
    extra: jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value))),
  }),
  kind: constantFrom(...KINDS),
  source,
  form: constantFrom("lines", "string", "odd"),
});
const writing: Arbitrary<Writing> = record({
  unit: constantFrom(" ", "    ", "\t", ""),
  newline: constantFrom("", "\n", "\r\n"),
  ascii: boolean(),
  loose: boolean(),
  picks: array(nat(100), { minLength: 1, maxLength: 20 }),
});

type Edit =
  | { readonly do: "change"; readonly at: number; readonly source: string }
  | { readonly do: "delete"; readonly at: number }
  | {
      readonly do: "add";
      readonly at: number;
      readonly kind: Kind;
      readonly source: string;
      readonly numbered: boolean;
    }
  | { readonly do: "move"; readonly at: number; readonly to: number }
  | { readonly do: "kind"; readonly at: number; readonly kind: Kind };
const place = nat(8);
const edit: Arbitrary<Edit> = oneof(
  record({ do: constant("change" as const), at: place, source }),
  record({ do: constant("delete" as const), at: place }),
  record({
    do: constant("add" as const),
    at: place,
    kind: constantFrom(...KINDS),
    source,
    numbered: boolean(),
  }),
  record({ do: constant("move" as const), at: place, to: place }),
  record({ do: constant("kind" as const), at: place, kind: constantFrom(...KINDS) }),
);

function sourceValue(text: string, form: Model["form"]): unknown {
  if (form === "string") return text;
  if (form === "odd") return [text.slice(0, 1), text.slice(1)];
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function fieldsOf({ fields, kind, source, form }: Model): Json {
  const before: Json = kind === "code" ? { outputs: [{ text: ["o\n"] }], execution_count: 1 } : {};
  return { ...before, cell_type: kind, ...fields, source: sourceValue(source, form) };
}

/** The notebook and the text of each cell as it stands in it. */
function written(
  cells: readonly Model[],
  how: Writing,
  head: Json,
): { text: string; cells: string[]; before: string; after: string } {
  const { write, object, list } = writer(how);
  const texts = cells.map((cell) => write(fieldsOf(cell), 2));
  const mark = '"\u0001cells"';
  const whole = object(
    [
      ...Object.entries(head).map(([key, value]): [string, string] => [key, write(value, 1)]),
      ["cells", mark],
      ["metadata", write({ a: [1] }, 1)],
    ],
    0,
  );
  const [before = "", after = ""] = whole.split(mark);
  return { text: before + list(texts, 1) + after, cells: texts, before, after };
}

interface Wanted {
  readonly from: number | null;
  number: number | null;
  kind: Kind;
  source: string;
  touched: boolean;
}

function edited(cells: readonly Model[], edits: readonly Edit[]): Wanted[] {
  const wanted: Wanted[] = cells.map(({ kind, source }, from) => ({
    from,
    number: from,
    kind,
    source,
    touched: false,
  }));
  // Every new text is one of its own: a text that another cell had is another test's matter.
  const unique = (text: string, at: number): string => (text === "" ? "" : `${text}\u00a7${at}`);
  for (const [count, edit] of edits.entries()) {
    const at = wanted.length === 0 ? 0 : edit.at % wanted.length;
    const cell = wanted[at];
    if (edit.do === "add")
      wanted.splice(at, 0, {
        from: null,
        number: edit.numbered ? 1_000 + count : null,
        kind: edit.kind,
        source: unique(edit.source, count),
        touched: true,
      });
    if (cell === undefined) continue;
    if (edit.do === "change") Object.assign(cell, { source: unique(edit.source, count), touched: true });
    if (edit.do === "delete") wanted.splice(at, 1);
    if (edit.do === "move") wanted.splice(edit.to % wanted.length, 0, ...wanted.splice(at, 1));
    if (edit.do === "kind" && cell.kind !== edit.kind)
      Object.assign(cell, { kind: edit.kind, touched: true });
  }
  return wanted;
}

function viewOf(wanted: readonly Wanted[]): string {
  return wanted
    .map(({ kind, number, source }) => {
      const lines = source
        .split("\n")
        .map((line) => (/^\\*# %% \[\w+\]( cell:\d+)?[ \t\r]*$/.test(line) ? `\\${line}` : line));
      return `# %% [${kind}]${number === null ? "" : ` cell:${number}`}\n${lines.join("\n")}\n`;
    })
    .join("");
}

/** What the cells of the result must be, sources joined and new ids left out. */
function expected(cells: readonly Model[], wanted: readonly Wanted[]): Json[] {
  return wanted.map(({ from, kind, source }) => {
    const old = from === null ? undefined : cells[from];
    const fields: Json = old === undefined ? { metadata: {} } : fieldsOf(old);
    if (kind === "code") Object.assign(fields, { execution_count: null, outputs: [], ...fields });
    else {
      delete fields["outputs"];
      delete fields["execution_count"];
    }
    return { ...fields, cell_type: kind, source };
  });
}

function found(text: string): Json[] {
  const { cells } = JSON.parse(text) as { cells: Json[] };
  return cells.map(({ source, ...fields }) => ({
    ...fields,
    id: undefined,
    source: Array.isArray(source) ? source.join("") : source,
  }));
}

describe("a notebook written in any way", () => {
  it("is left as it is by its own view", () => {
    assert(
      property(array(cell, { maxLength: 5 }), writing, boolean(), (cells, how, mark) => {
        const bytes = Buffer.from((mark ? "\ufeff" : "") + written(cells, how, { nbformat: 4 }).text);
        expect(rewriteNotebook(bytes, notebookText(bytes, NAME), NAME)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("becomes what an edited view says, and nothing else of it changes", () => {
    assert(
      property(
        array(cell, { maxLength: 5 }),
        writing,
        array(edit, { maxLength: 6 }),
        context(),
        (cells, how, edits, log) => {
          const notebook = written(cells, how, { nbformat: 4, nbformat_minor: 5 });
          const wanted = edited(cells, edits);
          const view = viewOf(wanted);
          const result = String(rewriteNotebook(Buffer.from(notebook.text), Buffer.from(view), NAME));
          log.log(view);
          log.log(result);
          expect(found(result)).toEqual(expected(cells, wanted));
          expect(result.startsWith(notebook.before)).toBe(true);
          expect(result.endsWith(notebook.after)).toBe(true);
          let at = notebook.before.length;
          for (const { from, touched } of wanted) {
            const same = from === null || touched ? "" : (notebook.cells[from] ?? "");
            const next = result.indexOf(same, at);
            expect(next).toBeGreaterThanOrEqual(at);
            at = next + same.length;
          }
          // What was written reads as what was asked for, new cells under their new numbers.
          const again = notebookText(Buffer.from(result), NAME);
          const renumbered = wanted.map((cell, number) => ({ ...cell, number }));
          const normal = (text: string): string => text.replace(/^(# %% .*\n)\n(?=# %% |$)/gm, "$1");
          expect(normal(String(again))).toBe(normal(viewOf(renumbered)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the places of JSON values", () => {
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const scans = (text: string): boolean => {
    try {
      return skipBlanks(text, valueEnd(text, 0)) === text.length;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };

  it("are found in exactly what JSON.parse accepts", () => {
    const token = constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "\\",
      "\\u00e9",
      "\\x",
      "1",
      "-",
      "0",
      ".5",
      "e3",
      "true",
      "null",
      " ",
      "\n",
      "\u00a0",
      "\u0001",
    );
    assert(
      property(array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join("");
        expect(scans(text)).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
    const broken = tuple(jsonValue({ maxDepth: 4 }), nat(), token);
    assert(
      property(broken, ([value, at, other]) => {
        const text = JSON.stringify(value, null, at % 3);
        const cut =
          text.slice(0, at % (text.length + 1)) + other + text.slice((at % (text.length + 1)) + (at % 2));
        expect(scans(text)).toBe(true);
        expect(scans(cut)).toBe(parses(cut));
      }),
      { numRuns: 5_000 },
    );
  });
});
