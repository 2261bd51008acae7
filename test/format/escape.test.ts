import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeKeepingColumns, escapeText, quoteName } from "../../src/format/escape.ts";

/** Reads a printed name back to its bytes: the promise that `escape.ts` opens with. */
function readBack(printed: string): Buffer {
  if (!printed.startsWith('"')) return Buffer.from(printed);
  const parts: Buffer[] = [];
  const token = /\\x([0-9a-f]{2})|\\u\{([0-9a-f]+)\}|\\([nrt"\\])|([^\\])/gsu;
  for (const [, byte, point, short, plain] of printed.slice(1, -1).matchAll(token)) {
    if (byte !== undefined) parts.push(Buffer.from([Number.parseInt(byte, 16)]));
    else if (point !== undefined) parts.push(Buffer.from(String.fromCodePoint(Number.parseInt(point, 16))));
    else if (short !== undefined) parts.push(Buffer.from({ n: "\n", r: "\r", t: "\t" }[short] ?? short));
    else parts.push(Buffer.from(plain ?? ""));
  }
  return Buffer.concat(parts);
}

function printName(bytes: Buffer): string {
  const name = bytes.toString();
  return Buffer.from(name).equals(bytes) ? quoteName(name) : quoteName(name, bytes.toString("base64"));
}

describe("text for a terminal", () => {
  test("spells out what a terminal would obey, and leaves the rest alone", () => {
    expect(escapeText("\x1b[31mred\x07\r\x7f\x9b")).toBe("\\x1b[31mred\\x07\\r\\x7f\\u{9b}");
    expect(escapeText("admin\u202e\u2066 // check")).toBe("admin\\u{202e}\\u{2066} // check");
    expect(escapeText("zero\u200bwidth\ufeff\u{e0041}")).toBe("zero\\u{200b}width\\u{feff}\\u{e0041}");
    expect(escapeText("\ttab, Größe, 日本語, 👩‍💻")).toBe("\ttab, Größe, 日本語, 👩‍💻");
  });

  test("never lets a control character but a tab through", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeText(text)).not.toMatch(/[\0-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      }),
    );
  });

  test("keeps every column where a caret has to point", () => {
    expect(escapeKeepingColumns("a\x1b\u202e(")).toBe("a\u241b\ufffd(");
  });
});

describe("a name", () => {
  test("is printed as it is when that is safe", () => {
    for (const name of ["src/a.ts", "a b.ts", "it's", 'say "hi"', "back\\slash", "Größe/日本.md", "-x"]) {
      expect(quoteName(name)).toBe(name);
    }
  });

  test("is quoted when it would break its line, move the cursor or look like another", () => {
    expect(quoteName("a\nb.ts")).toBe('"a\\nb.ts"');
    expect(quoteName("\x1b]0;x\x07.ts")).toBe('"\\x1b]0;x\\x07.ts"');
    expect(quoteName("cod\u202est.exe")).toBe('"cod\\u{202e}st.exe"');
    expect(quoteName("trailing ")).toBe('"trailing "');
    expect(quoteName('"quoted"')).toBe('"\\"quoted\\""');
  });

  test("that is not UTF-8 shows its bytes", () => {
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x63, 0xc3, 0xa9]);
    expect(quoteName(bytes.toString(), bytes.toString("base64"))).toBe('"caf\\xe9.cé"');
  });

  test("of any legal bytes stays on one line and can be read back", () => {
    const legal = fc.uint8Array({ min: 1, minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes));
    const text = fc.string({ unit: "binary", minLength: 1 }).map((name) => Buffer.from(name));
    fc.assert(
      fc.property(fc.oneof(legal, text), (bytes) => {
        const printed = printName(bytes);
        expect(printed).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028\u2029]/);
        expect(readBack(printed)).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });
});
