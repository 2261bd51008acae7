import { describe, expect, it } from "vitest";
import { type BlockLookup, blocksAt } from "../../src/syntax/blocks.ts";
import { sample } from "./sample.ts";

/** "3-9", or why not. */
function told(lookup: BlockLookup): string {
  return lookup.kind === "block" ? `${lookup.first}-${lookup.last}` : lookup.why;
}

async function at(path: string, text: string, ...lines: readonly number[]): Promise<readonly string[]> {
  return (await blocksAt(path, text, lines)).map(told);
}

const goesOn = (line: number, from: number): string =>
  `nothing begins on line ${line}, it continues what begins on line ${from}`;
const closes = (line: number): string => `line ${line} only closes a block`;
const alsoCloses = (line: number): string => `line ${line} begins by closing a block`;
const inString = (line: number): string => `line ${line} stands inside a string`;
const inComment = (line: number): string => `line ${line} stands inside a comment`;
const shared = (line: number, from: number = line): string =>
  `other code stands on line ${line}, behind the block that begins on line ${from}`;

/** For each sample: lines, and the block that begins there. */
const SAMPLES: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "shop.ts": {
    1: "1-1",
    4: "4-13",
    5: inComment(5),
    14: "14-17",
    15: "15-15",
    20: "20-21",
    21: goesOn(21, 20),
    23: "23-28",
    33: "33-33",
    38: "38-73",
    39: goesOn(39, 38),
    42: "42-46",
    49: "49-49",
    50: "50-60",
    53: alsoCloses(53),
    55: "55-59",
    57: alsoCloses(57),
    60: closes(60),
    62: "62-68",
    75: "75-82",
    76: "76-81",
    78: goesOn(78, 76),
    81: closes(81),
    84: "84-97",
    86: "86-87",
    88: "88-90",
    93: "93-93",
    99: "99-108",
    110: shared(110),
    111: "there is no line 111",
  },
  "shop.test.js": {
    1: "1-1",
    4: "4-8",
    5: "5-5",
    10: "10-40",
    11: "11-11",
    13: "13-17",
    17: closes(17),
    42: "42-49",
    51: "51-56",
  },
  "shop.tsx": {
    7: "7-27",
    10: "10-25",
    12: "12-19",
    14: "14-16",
    16: closes(16),
    17: closes(17),
    18: goesOn(18, 17),
    19: closes(19),
    20: "20-24",
    29: "29-37",
  },
  "shop.py": {
    1: "1-6",
    3: inString(3),
    6: inString(6),
    10: "10-13",
    11: "11-11",
    26: "26-31",
    27: "27-31",
    34: "34-85",
    43: "43-47",
    44: "44-44",
    49: "49-59",
    50: "50-50",
    51: "51-59",
    61: "61-79",
    62: "62-62",
    66: alsoCloses(66),
    67: "67-72",
    69: "69-70",
    71: "71-72",
    73: "line 73 is blank",
    75: "75-78",
    77: "77-78",
    81: "81-85",
    88: "88-88",
    93: "93-94",
    97: shared(97),
    101: "101-106",
  },
  "shop.go": {
    2: "2-2",
    4: "4-7",
    12: "12-15",
    13: "13-13",
    17: "17-21",
    24: "24-27",
    34: "34-45",
    35: "35-39",
    37: alsoCloses(37),
    47: "47-60",
    48: "48-55",
    50: "50-51",
    52: "52-53",
    56: "56-58",
    58: alsoCloses(58),
    62: "62-62",
  },
  "shop.rs": {
    1: "1-1",
    5: "5-5",
    6: "6-6",
    7: "7-10",
    17: "17-27",
    20: "20-26",
    21: "21-21",
    29: "29-34",
    36: "36-47",
    40: "40-45",
    42: "42-44",
    44: closes(44),
    49: "49-56",
    51: shared(51),
    58: "58-67",
    61: "61-67",
    70: "70-79",
  },
  "shop.c": {
    1: "1-1",
    2: "2-70",
    3: "3-3",
    8: "8-11",
    13: "13-16",
    20: "20-24",
    21: "21-21",
    28: "28-31",
    32: "32-41",
    33: "33-41",
    34: "34-34",
    36: "36-40",
    38: alsoCloses(38),
    43: "43-50",
    44: goesOn(44, 43),
    46: "46-48",
    52: "52-68",
    56: "56-58",
    60: "60-62",
    62: alsoCloses(62),
    68: closes(68),
  },
  "shop.cpp": {
    4: "4-60",
    6: "6-21",
    7: "7-21",
    8: "8-8",
    9: "9-9",
    11: "11-16",
    23: "23-27",
    29: "29-36",
    44: "44-53",
    46: shared(46),
    50: "50-52",
    60: closes(60),
    62: "62-68",
    63: "63-67",
  },
  "Shop.java": {
    1: "1-1",
    9: "9-76",
    10: goesOn(10, 9),
    11: "11-15",
    12: shared(12),
    19: "19-23",
    25: "25-30",
    32: "32-40",
    33: goesOn(33, 32),
    35: "35-39",
    44: "44-45",
    49: "49-51",
    54: "54-62",
    64: "64-73",
    75: "75-75",
  },
  "Shop.cs": {
    1: "1-1",
    4: "4-80",
    5: "5-80",
    7: "7-68",
    8: goesOn(8, 7),
    10: "10-15",
    19: "19-31",
    21: "21-24",
    33: "33-40",
    42: "42-54",
    43: goesOn(43, 42),
    45: "45-52",
    49: goesOn(49, 45),
    62: "62-63",
    77: "77-77",
  },
  "shop.rb": {
    3: "3-3",
    6: "6-59",
    7: "7-12",
    12: alsoCloses(12),
    14: "14-58",
    17: "17-21",
    18: "18-18",
    21: closes(21),
    24: "24-30",
    26: "26-29",
    28: "28-29",
    32: "32-35",
    36: "36-37",
    40: "40-45",
    48: "48-51",
    49: inString(49),
    51: inString(51),
    61: "61-77",
    64: "64-68",
    79: "79-84",
    80: "80-81",
    82: "82-83",
  },
  "shop.php": {
    1: "1-1",
    5: "5-5",
    9: "9-13",
    15: "15-18",
    16: "16-18",
    23: "23-52",
    24: goesOn(24, 23),
    34: "34-40",
    36: "36-38",
    44: "44-50",
    46: alsoCloses(46),
    54: "54-61",
    63: "63-69",
    72: "72-74",
  },
  "shop.sh": {
    1: "1-1",
    5: "5-10",
    6: "6-6",
    12: "12-18",
    13: "13-17",
    14: inString(14),
    17: inString(17),
    20: "20-29",
    22: "22-27",
    26: closes(26),
    31: "31-38",
    34: "34-35",
    36: "36-37",
    38: closes(38),
    40: "40-47",
    41: "41-43",
    43: closes(43),
    49: "49-51",
    51: alsoCloses(51),
  },
  "shop.css": { 4: "4-9", 5: shared(5), 6: "6-6", 9: closes(9), 11: "11-17", 12: "12-16" },
};

describe("the block that begins on a line", () => {
  it.each(Object.entries(SAMPLES))("is the construct that a person means: %s", async (name, expected) => {
    const lines = Object.keys(expected).map(Number);
    const found = await at(name, await sample(name), ...lines);
    expect(Object.fromEntries(lines.map((line, index) => [line, found[index]]))).toEqual(expected);
  });

  it.each(Object.entries(SAMPLES))("is the same with CRLF: %s", async (name, expected) => {
    const lines = Object.keys(expected).map(Number);
    const found = await at(name, (await sample(name)).replaceAll("\n", "\r\n"), ...lines);
    expect(Object.fromEntries(lines.map((line, index) => [line, found[index]]))).toEqual(expected);
  });

  it("is not known in a language that is not known", async () => {
    expect(await at("a/x.foo", "if a {\n}\n", 1, 9)).toEqual([
      "its language is not known here",
      "its language is not known here",
    ]);
  });

  it("is looked for in the order of the lines, however often they are asked for", async () => {
    expect(await at("a.js", "f();\n\ng(\n  1,\n);\n", 3, 1, 3, 2, 99, 0)).toEqual([
      "3-5",
      "1-1",
      "3-5",
      "line 2 is blank",
      "there is no line 99",
      "there is no line 0",
    ]);
  });

  it("does not need a final newline", async () => {
    expect(await at("a.py", "def f():\n    return 1", 1, 2, 3)).toEqual(["1-2", "2-2", "there is no line 3"]);
  });

  it("ends before blank lines that follow", async () => {
    expect(await at("a.py", "def f():\n    return 1\n\n    \n\ng()\n", 1)).toEqual(["1-2"]);
    expect(await at("a.go", "package a\n\nfunc f() {\n\tg()\n\n\n}\n\n", 4)).toEqual(["4-4"]);
  });

  it("has an end by the text's own columns: wide characters before it", async () => {
    const text = 'const a = "😀é漢"; // 😀\nf("😀", () => {\n  g("😀😀");\n}); h("😀");\nk();\n';
    expect(await at("a.js", text, 1, 2, 3, 5)).toEqual(["1-1", shared(4, 2), "3-3", "5-5"]);
  });

  it("has an end that no wide character moves, wherever the text is cut into pieces", async () => {
    for (const before of [2_045, 2_046, 2_047, 2_048]) {
      const text = `/*${"x".repeat(before - 2)}😀*/\nf("😀", () => {\n});\ng();\n`;
      expect(await at("a.js", text, 1, 2, 4)).toEqual(["1-1", "2-3", "4-4"]);
    }
  });

  it("counts lines by newlines alone", async () => {
    const text = "const a = 'x\u2028y\u0085z';\r\r\nf();\n\fif (a) {\n  g();\n}\n";
    expect(await at("a.js", text, 1, 2, 3, 4)).toEqual(["1-1", "2-2", "3-5", "4-4"]);
  });

  it("may have closing marks and a comment behind it, and no other code", async () => {
    const text = "f(a, [\n  b, // the first\n  () => {\n  }]); /* done */ // really\nif (x) {\n  y(); }\n";
    expect(await at("a.js", text, 1, 2, 3, 5, 6)).toEqual(["1-4", "2-2", "3-4", "5-6", shared(6)]);
    expect(await at("a.py", "f(\n  a,  # one\n  b)  # two\n", 2, 3)).toEqual(["2-2", "3-3"]);
    expect(await at("a.sh", "sleep 1 &\nls; ls\n", 1, 2)).toEqual(["1-1", shared(2)]);
  });

  it("takes a heredoc along that begins below it", async () => {
    const text = "f(<<~A, <<~B)\n  a\nA\n  b\nB\ng\n";
    expect(await at("a.rb", text, 1, 6)).toEqual(["1-5", "6-6"]);
  });

  it("is not taken from what stands inside a string", async () => {
    const text = "const a = `\n${b}\n  ${c(() => {\n    d();\n  })}\n`;\n";
    expect(await at("a.ts", text, 1, 2, 3, 4)).toEqual(["1-6", inString(2), inString(3), "4-4"]);
  });

  it("is refused when it has a syntax error, and only then", async () => {
    const broken = (line: number): string => `the block that begins on line ${line} has a syntax error`;
    const text = "function f() {\n  return 1;\n}\n\nfunction g() {\n  const = ;\n}\n\nh();\n";
    expect(await at("a.js", text, 1, 5, 6, 9)).toEqual(["1-3", broken(5), broken(6), "9-9"]);
    const unclosed = "function f() {\n  return 1;\n}\n\nif (a) {\n  h();\n";
    expect(await at("a.js", unclosed, 1, 5)).toEqual(["1-3", broken(5)]);
  });
});
