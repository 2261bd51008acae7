import { describe, expect, it } from "vitest";
import { PATCH_BYTES } from "../../../src/model/limits.ts";
import { HEADER, refusal } from "./patches.ts";

describe("a patch is refused, with its row and the way out,", () => {
  it.each([
    // Empty, or without a header.
    [[""], /^PATCH_INVALID The patch is empty \/ Begin with ¶PATH#TAG/],
    [["", "  ", "\t"], /The patch is empty/],
    [["```"], /line 1: a patch begins with ¶PATH#TAG, not with `{5}/],
    [["```", "```"], /The patch has no operations/],
    [["*** Begin Patch ***", "***End Patch"], /The patch has no operations/],
    [["*** Abort", HEADER], /The patch has no operations/],
    [
      ["", "hello"],
      /^PATCH_INVALID Patch line 2: a patch begins with ¶PATH#TAG, not with `hello` \/ Copy the header/,
    ],
    [["replace 1..2:", "+x"], /line 1: a patch begins with ¶PATH#TAG, not with `replace 1\.\.2:`/],
    [["+x"], /line 1: a patch begins with ¶PATH#TAG, not with `\+x`/],
    [["@@ -1 +1 @@"], /line 1: a patch begins with/],
    [["a.ts#0A3B", "delete 1..1"], /line 1: a patch begins with/],
    [["```", HEADER, "delete 1..1"], /line 1: a patch begins with/],
    [
      ["# b.ts#BEEF", "delete 1..1"],
      /line 1: `# b\.ts#BEEF` is no header: the tag BEEF is not known for `b\.ts`/,
    ],
    // Headers.
    [
      ["¶a.ts", "delete 1..1"],
      /line 1: the header of `a\.ts` ends in no tag of four hex digits \/ Use ¶PATH#TAG/,
    ],
    [["¶a.ts#", "delete 1..1"], /line 1: the header of `a\.ts#` ends in no tag/],
    [["¶a.ts#0A3", "delete 1..1"], /line 1: .* ends in no tag/],
    [["¶a.ts#0A3BC", "delete 1..1"], /line 1: .* ends in no tag/],
    [["¶a.ts#XYZW", "delete 1..1"], /line 1: .* ends in no tag/],
    [["¶a.ts#0A3B:5-9", "delete 1..1"], /line 1: .* ends in no tag/],
    [["*** Update File: ¶a.ts", "delete 1..1"], /line 1: .* ends in no tag/],
    [["¶", "delete 1..1"], /line 1: the header names no file/],
    [["¶#0A3B", "delete 1..1"], /line 1: `#0A3B` names no file/],
    [['¶"a#0A3B', "delete 1..1"], /line 1: .* names no file/],
    [['¶"a":5#0A3B', "delete 1..1"], /line 1: .* names no file/],
    [['¶"\\xff"#0A3B', "delete 1..1"], /line 1: .* names no file/],
    [[HEADER, "delete 1..1", "¶ no header"], /line 3: .* ends in no tag .* write \+ before it/],
    [["¶Delete File: a.ts#1111"], /line 1: `¶Delete File: a\.ts#1111` belongs to apply_patch/],
    [["*** Delete File: ¶a.ts#0A3B"], /line 1: .* belongs to apply_patch/],
    [["*** Move to: ¶a.ts#0A3B"], /line 1: .* belongs to apply_patch/],
    [
      [HEADER, "delete 1..1", "¶a.ts#BEEF", "delete 2..2"],
      /line 3: `a\.ts` has the tag BEEF here and 0A3B on patch line 1/,
    ],
    [[HEADER], /line 1: the section of `a\.ts` has no operations/],
    [[HEADER, "delete 1..1", "", "¶b.ts#1111"], /line 4: the section of `b\.ts` has no operations/],
    // Rows that no operation stands above.
    [[HEADER, "+x"], /line 2: `\+x` stands below no operation \/ Write `replace N\.\.M:`/],
    [[HEADER, "some text"], /line 2: `some text` stands below no operation/],
    [
      [HEADER, "1:a", "2:b"],
      /line 2: `1:a` stands below no operation: a line copied from an answer changes nothing/,
    ],
    [[HEADER, "*9:  port"], /line 2: .* copied from an answer/],
    [[HEADER, " 9:  port"], /line 2: .* copied from an answer/],
    [[HEADER, "3:"], /line 2: .* copied from an answer/],
    [[HEADER, "# b.ts#BEEF"], /line 2: `# b\.ts#BEEF` is no header: the tag BEEF is not known/],
    [[HEADER, "insert head:", "+x", "*** End Patch", "+y"], /line 5: `\+y` stands below no operation/],
    // Bodies.
    [[HEADER, "replace 4..5:"], /line 2: `replace 4\.\.5:` has no body .* use `delete 4\.\.5`$/],
    [[HEADER, "replace 4..5:", "", "delete 7..7"], /line 2: `replace 4\.\.5:` has no body/],
    [[HEADER, "insert before 4:", "¶b.ts#1111"], /line 2: `insert before 4:` has no body/],
    [[HEADER, "insert after 4:", "*** Abort"], /line 2: `insert after 4:` has no body/],
    [[HEADER, "insert head:"], /line 2: `insert head:` has no body/],
    [[HEADER, "replace block 4:"], /line 2: `replace block 4:` has no body .* use `delete block 4`$/],
    [[HEADER, "insert after block 4:"], /line 2: `insert after block 4:` has no body/],
    [[HEADER, "delete 4..5", "+x"], /line 3: a delete has no body rows .* `replace 4\.\.5:`/],
    [[HEADER, "delete 4..5", "", "x"], /line 4: a delete has no body rows/],
    [[HEADER, "delete block 4", "  x"], /line 3: a delete has no body rows .* `replace block 4:`/],
    [
      [HEADER, "delete 4..5:"],
      /line 2: `delete 4\.\.5` ends in a colon, and a delete has no body .* `replace 4\.\.5:`/,
    ],
    [[HEADER, "delete 4:"], /line 2: `delete 4\.\.4` ends in a colon/],
    [[HEADER, "delete block 4:"], /line 2: `delete block 4` ends in a colon.* `replace block 4:`/],
    [[HEADER, "replace 1..1:", "-old", "+new"], /line 3: `-old` begins with -, .* `\+-…`/],
    [[HEADER, "--- a/a.ts"], /line 2: `--- a\/a\.ts` begins with -/],
    [[HEADER, "delete 1..1", "-old"], /line 3: `-old` begins with -/],
    [[HEADER, "insert head:", "  +x", "", "  +y"], /line 3: `  \+x` has blanks before its \+/],
    [
      [HEADER, "insert head:", "x", "  delete 4..5"],
      /line 4: `delete 4\.\.5` is indented below an operation/,
    ],
    [[HEADER, "insert head:", "x", "  ¶b.ts#1111"], /line 4: `¶b\.ts#1111` is indented below an operation/],
    [[HEADER, "insert head:", "+x", "", "```", ""], /line 5: .* may be text or the end of a code fence/],
    // Numbers copied, and not those of the place.
    [[HEADER, "replace 5..6:", "12:a", "13:b"], /line 3: `12:a` may begin with a line number.* `\+TEXT`/],
    [[HEADER, "replace 5..7:", "5:a", "7:b"], /line 3: `5:a` may begin with a line number/],
    [[HEADER, "replace 5..7:", "5:a", "new", "6:b"], /line 3: `5:a` may begin with a line number/],
    [[HEADER, "replace 5..7:", "5:a", "", "6:b"], /line 3: `5:a` may begin with a line number/],
    [[HEADER, "replace 5..9:", "*6:a", "…", "*9:b"], /line 3: `\*6:a` may begin with a line number/],
    [[HEADER, "insert tail:", "12:30 lunch"], /line 3: `12:30 lunch` may begin with a line number/],
    // Other patch languages.
    [
      [HEADER, "*** Update File: b.ts"],
      /line 2: `\*\*\* Update File: b\.ts` belongs to apply_patch .* created with write/,
    ],
    [[HEADER, "insert head:", "+x", "*** Add File: b.ts"], /line 4: .* belongs to apply_patch/],
    [[HEADER, "insert head:", "+x", "*** Delete File: b.ts"], /line 4: .* belongs to apply_patch/],
    [[HEADER, "insert head:", "+x", "*** Move to: b.ts"], /line 4: .* belongs to apply_patch/],
    [[HEADER, "insert head:", "+x", "*** End of File"], /line 4: .* belongs to apply_patch/],
    [[HEADER, "@@ -1,2 +1,2 @@"], /line 2: `@@ -1,2 \+1,2 @@` is a hunk header of another patch language/],
    [[HEADER, "@@ replace 1..2 @@", "+x"], /line 2: .* is a hunk header of another patch language/],
    [[HEADER, "insert head:", "+x", "\\ No newline at end of file"], /line 4: .* belongs to a unified diff/],
    // No verb.
    [[HEADER, "5", "+x"], /line 2: `5` names lines and not what to do with them/],
    [[HEADER, "5 7", "+x"], /line 2: `5 7` names lines/],
    [[HEADER, "5..7:", "+x"], /line 2: `5\.\.7:` names lines/],
    [[HEADER, "insert head:", "x", "5-7"], /line 4: `5-7` names lines .* write \+ before it/],
    // Operations that make no sense.
    [[HEADER, "replace 7..5:", "+x"], /line 2: the range 7\.\.5 ends before it starts .* `replace 5\.\.7:`/],
    [[HEADER, "delete 7..5"], /line 2: the range 7\.\.5 ends before it starts .* `delete 5\.\.7`/],
    [[HEADER, "replace 0..5:", "+x"], /line 2: there is no line 0/],
    [[HEADER, "insert before 0:", "+x"], /line 2: there is no line 0.* `insert head:`/],
    [[HEADER, "delete block 0"], /line 2: there is no line 0/],
    [[HEADER, "delete 1..99999999999999999999"], /line 2: no file has a line `9{20}`/],
    [[HEADER, "delete 1,3"], /line 2: `delete 1,3` is no operation/],
    [[HEADER, "delete 1..3 4"], /line 2: .* is no operation/],
    [[HEADER, "insert 5:", "+x"], /line 2: `insert 5:` is no operation/],
    [[HEADER, "insert after 5..6:", "+x"], /line 2: .* is no operation/],
    [[HEADER, "insert before block 5:", "+x"], /line 2: .* is no operation/],
    [[HEADER, "insert top:", "+x"], /line 2: .* is no operation/],
    [[HEADER, "replace block 5..6:", "+x"], /line 2: .* is no operation/],
    [[HEADER, "replace 5..6: const x = 1;"], /line 2: .* is no operation .* body rows stand below it/],
    [[HEADER, "insert tail: x"], /line 2: .* is no operation/],
    [[HEADER, "insert head:", "x", "replace 5..:"], /line 4: `replace 5\.\.:` is no operation/],
    [[HEADER, "replace -5..6:", "+x"], /line 2: `replace -5\.\.6:` stands below no operation/],
  ])("case %#: %j", async (rows, reason) => {
    expect(await refusal(...rows)).toMatch(reason);
  });

  it("where it is larger than a patch may be", async () => {
    const room = PATCH_BYTES - Buffer.byteLength(`${HEADER}\ninsert head:\n+`);
    expect(await refusal(HEADER, "insert head:", `+${"x".repeat(room)}`)).toBe("parsed");
    expect(await refusal(HEADER, "insert head:", `+${"x".repeat(room + 1)}`)).toMatch(
      /^PATCH_INVALID The patch is larger than 8 MiB/,
    );
    expect(await refusal(HEADER, "insert head:", `+${"ä".repeat(room / 2 + 1)}`)).toMatch(
      /larger than 8 MiB/,
    );
  });

  it("in a message that does not repeat a long row", async () => {
    expect((await refusal(HEADER, "x".repeat(100_000))).length).toBeLessThan(500);
    expect((await refusal(`¶${"x".repeat(100_000)}`)).length).toBeLessThan(500);
    expect((await refusal(HEADER, `delete ${"9".repeat(100_000)}`)).length).toBeLessThan(500);
  });
});
