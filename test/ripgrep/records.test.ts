import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { HELD_PER_FILE } from "../../src/model/limits.ts";
import { type Piece, pieceReader } from "../../src/ripgrep/pieces.ts";
import { recordReader } from "../../src/ripgrep/records.ts";
import { skimmer } from "../../src/ripgrep/skim.ts";
import { rg } from "../support/ripgrep.ts";
import { plant } from "../support/tree.ts";

const ODD = 'x "quoted" \\ back\\\\slash \\" {"text":"} \u{1f600} é needle';
const { root, remove } = plant({
  "a.txt": `one\n${ODD}\ntwo\nneedle`,
  'b"},"lines":{"text":"\\.txt': `${ODD}\r\n${'\\"'.repeat(300)} needle\r\n${"\\".repeat(301)}needle\n`,
  "c.txt": Buffer.concat([
    Buffer.from("needle "),
    Buffer.from([0xff, 0xfe, 0x0a]),
    Buffer.from("x\nneedle\n"),
  ]),
  "d.txt": "nothing\n",
});
afterAll(remove);
const OUTPUT = rg(root, "--json", "-C1", "-e", "needle", "--sort", "path", "--", "./");

interface Parsed {
  readonly type: string;
  readonly data: {
    readonly path: unknown;
    readonly lines: { readonly text?: string; readonly bytes?: string };
    readonly line_number: number;
    readonly elided?: number;
  };
}

function read(chunks: readonly Buffer[], cap?: number): string[] {
  const records: string[] = [];
  const reader = recordReader((record) => records.push(record.toString()), cap);
  for (const chunk of chunks) reader.feed(chunk);
  return records;
}

const parse = (record: string): Parsed => JSON.parse(record) as Parsed;

/** Where to cut: here and there, or into chunks of one size. */
const cuts: fc.Arbitrary<readonly number[] | number> = fc.oneof(
  fc.array(fc.nat(OUTPUT.length), { maxLength: 40 }),
  fc.integer({ min: 1, max: 400 }),
);

/** The same bytes in other chunks, some of them empty. */
function chop(cuts: readonly number[] | number): Buffer[] {
  const places =
    typeof cuts === "number"
      ? Array.from({ length: Math.floor(OUTPUT.length / cuts) }, (_, at) => at * cuts)
      : [...cuts].sort((one, other) => one - other);
  const ends = [...places, OUTPUT.length];
  return ends.map((end, at) => OUTPUT.subarray(ends[at - 1] ?? 0, end));
}

/** Holds however the output is cut. */
function however(holds: (chunks: readonly Buffer[]) => void): void {
  fc.assert(
    fc.property(cuts, (places) => {
      holds(chop(places));
    }),
  );
}

describe("ripgrep's output", () => {
  it("is the same records in any chunks", () => {
    const whole = OUTPUT.toString().trimEnd().split("\n");
    however((chunks) => {
      expect(read(chunks)).toEqual(whole);
    });
    expect(whole.length).toBeGreaterThan(12);
  });

  it("is the same records in any chunks where some are over the cap", () => {
    const whole = OUTPUT.toString()
      .trimEnd()
      .split("\n")
      .filter((record) => !record.includes('"summary"'));
    const long = whole.map((record) => Buffer.byteLength(record) > 400 && /^.{9}[mc]/.test(record));
    const expected = whole.map((record, at) => {
      const { type, data } = parse(record);
      if (long[at] !== true) return record;
      const text = Buffer.byteLength(JSON.stringify(data.lines.text)) - 2;
      return { type, path: data.path, line: data.line_number, text };
    });
    expect(long.filter(Boolean)).toHaveLength(2);
    however((chunks) => {
      const records = read(chunks, 400).slice(0, whole.length);
      const found = records.map((record, at) => {
        const { type, data } = parse(record);
        return long[at] === true
          ? { type, path: data.path, line: data.line_number, text: data.elided }
          : record;
      });
      expect(found).toEqual(expected);
    });
  });

  it("is the same pieces in any chunks", () => {
    const gather = (chunks: readonly Buffer[]): Piece[] => {
      const pieces: Piece[] = [];
      const { record } = pieceReader((piece) => pieces.push(piece), {
        wanted: () => true,
        keepRecords: true,
      });
      const reader = recordReader(record);
      for (const chunk of chunks) reader.feed(chunk);
      return pieces;
    };
    const whole = gather([OUTPUT]);
    however((chunks) => {
      expect(gather(chunks)).toEqual(whole);
    });
    expect(whole.map(({ file, lines, last }) => [file.path, lines, last])).toEqual([
      ["a.txt", 2, true],
      ['b"},"lines":{"text":"\\.txt', 3, true],
      ["c.txt", 2, true],
    ]);
  });
});

describe("a record over the cap", () => {
  const record = (lines: string, path = '{"text":"a.txt"}'): Buffer =>
    Buffer.from(
      `{"type":"match","data":{"path":${path},"lines":${lines},"line_number":1234567,` +
        `"absolute_offset":0,"submatches":[{"match":{"text":"x"},"start":0,"end":1}]}}`,
    );

  /** Reads it over with a cut at every place behind its head. */
  function atEveryCut(bytes: Buffer): Parsed[] {
    const head = bytes.indexOf('"lines"') + 20;
    return Array.from({ length: bytes.length - head }, (_, at) => {
      const skim = skimmer(bytes.subarray(0, head + at));
      skim.feed(bytes.subarray(head + at));
      return parse(skim.finish().toString());
    });
  }

  it.each([
    ["escaped quotes", '\\"\\"\\" \\"'],
    ["backslashes at its end", "ab\\\\\\\\"],
    ["a backslash and a quote at its end", 'ab\\\\\\"'],
    ["what looks like the rest of a record", '\\"},\\"line_number\\":9,\\"submatches\\":[]'],
    ["nothing but letters", "abcdefghijklmnop"],
  ])("keeps path and line wherever it is cut, with a text of %s", (_, text) => {
    const line = `{"text":"0123456789${text}"}`;
    const read = atEveryCut(record(line));
    const expected = parse(
      `{"type":"match","data":{"path":{"text":"a.txt"},"lines":{"text":""},"line_number":1234567,` +
        `"submatches":[],"elided":${10 + text.length}}}`,
    );
    expect(new Set(read.map((parsed) => JSON.stringify(parsed)))).toEqual(
      new Set([JSON.stringify(expected)]),
    );
  });

  it("keeps path and line where its text is bytes", () => {
    const bytes = Buffer.alloc(60, 0xff).toString("base64");
    const read = atEveryCut(record(`{"bytes":"${bytes}"}`));
    expect(new Set(read.map(({ data }) => `${data.line_number} ${data.elided}`))).toEqual(
      new Set([`1234567 ${bytes.length}`]),
    );
  });

  it("keeps a path that is bytes, or that tries to look like the text", () => {
    for (const path of ['{"bytes":"/w=="}', '{"text":"a\\"},\\"lines\\":{\\"text\\":\\"b"}']) {
      const skim = skimmer(record('{"text":"0123456789"}', path));
      expect(parse(skim.finish().toString()).data.path).toEqual(JSON.parse(path));
    }
  });

  it("may come in many small chunks", () => {
    const bytes = record(`{"text":"${'\\\\\\"'.repeat(200)}"}`);
    const skim = skimmer(bytes.subarray(0, 80));
    for (let at = 80; at < bytes.length; at += 3) skim.feed(bytes.subarray(at, at + 3));
    expect(parse(skim.finish().toString()).data).toMatchObject({ line_number: 1234567, elided: 800 });
  });
});

describe("the pieces of a file", () => {
  const begin = (path: string): Buffer => Buffer.from(`{"type":"begin","data":{"path":{"text":"${path}"}}}`);
  const match = (size: number): Buffer =>
    Buffer.from(
      `{"type":"match","data":{"path":{"text":"a"},"lines":{"text":"${"x".repeat(size)}"},"line_number":1,"submatches":[]}}`,
    );
  const end = (binary: number | null, lines: number): Buffer =>
    Buffer.from(
      `{"type":"end","data":{"path":{"text":"a"},"binary_offset":${binary},"stats":{"matched_lines":${lines}}}}`,
    );

  function pieces(records: readonly Buffer[], wanted = true, keepRecords = true): Piece[] {
    const list: Piece[] = [];
    const reader = pieceReader((piece) => list.push(piece), { wanted: () => wanted, keepRecords });
    for (const record of records) reader.record(record);
    return list;
  }

  it("are one where its records can be held, and several where they cannot", () => {
    const half = match(HELD_PER_FILE / 2);
    const list = pieces([begin("a"), half, half, half, end(null, 3), begin("b"), match(1), end(null, 1)]);
    expect(list.map(({ file, last, lines }) => [file.path, last, lines])).toEqual([
      ["a", false, 0],
      ["a", true, 3],
      ["b", true, 1],
    ]);
    const whole = Buffer.concat(list.slice(0, 2).map(({ records }) => records)).toString();
    expect(whole === `${half.toString()}\n`.repeat(3)).toBe(true);
  });

  it("say that the file is binary", () => {
    expect(pieces([begin("a"), match(1), end(7, 1)]).map(({ binary }) => binary)).toEqual([true]);
  });

  it("are none of a file that nobody wants", () => {
    expect(pieces([begin("a"), match(1), end(null, 1)], false)).toEqual([]);
  });

  it("hold no records where only counts are wanted", () => {
    const [piece] = pieces([begin("a"), match(1), end(null, 5)], true, false);
    expect([piece?.records.length, piece?.lines]).toEqual([0, 5]);
  });

  it("say that a text was left out, and not where a text merely looks like it", () => {
    const elided =
      '{"type":"match","data":{"path":{"text":"a"},"lines":{"text":""},"line_number":1,"submatches":[],"elided":5}}';
    const alike = match(1).toString().replace('"x"', JSON.stringify('"submatches":[],"elided":5'));
    const list = pieces([
      begin("a"),
      Buffer.from(alike),
      end(null, 1),
      begin("a"),
      Buffer.from(elided),
      end(null, 1),
    ]);
    expect(list.map((piece) => piece.elided)).toEqual([false, true]);
  });
});
