/** Operations that somebody may ask for, as a patch prints them. */
import type { Dice } from "./dice.ts";
import { anyText, asciiText, freshText } from "./files.ts";
import type { TextFile } from "./text-model.ts";
import { seen } from "./text-model.ts";

export type Asked =
  | { readonly kind: "replace"; readonly first: number; readonly last: number; readonly body: Body }
  | { readonly kind: "delete"; readonly first: number; readonly last: number }
  | { readonly kind: "delete block"; readonly line: number }
  | {
      readonly kind: "replace block" | "insert before" | "insert after" | "insert after block";
      readonly line: number;
      readonly body: Body;
    }
  | { readonly kind: "insert head" | "insert tail"; readonly body: Body };

type Body = readonly string[];

/** The only way to write it that needs no warning. */
export function printed(asked: Asked): string {
  const rows = ("body" in asked ? asked.body : []).map((text) => `+${text}`);
  if (asked.kind === "replace") return [`replace ${asked.first}..${asked.last}:`, ...rows].join("\n");
  if (asked.kind === "delete") return `delete ${asked.first}..${asked.last}`;
  if (asked.kind === "delete block") return `delete block ${asked.line}`;
  return [`${asked.kind}${"line" in asked ? ` ${asked.line}` : ""}:`, ...rows].join("\n");
}

/** The lines that stand in the patch. */
export function named(asked: Asked): number[] {
  if ("first" in asked) return [asked.first, asked.last];
  return "line" in asked ? [asked.line] : [];
}

export interface Choices {
  readonly file: TextFile;
  /** Lines that were shown. */
  readonly known: readonly number[];
  /** Whether blocks may be asked for. */
  readonly blocks: boolean;
}

const KINDS: readonly Asked["kind"][] = [
  "replace",
  "replace",
  "replace",
  "delete",
  "delete",
  "insert before",
  "insert after",
  "insert head",
  "insert tail",
];
const BLOCK_KINDS: readonly Asked["kind"][] = ["replace block", "delete block", "insert after block"];

export function ask(dice: Dice, choices: Choices): Asked[] {
  const asked: Asked[] = [];
  if (dice.once(15)) asked.push(...askBeside(dice, choices));
  for (let more = dice.once(2) ? 1 : dice.between(2, 4); more > 0; more -= 1) {
    const one = askOne(dice, choices);
    // Mostly apart from the others: what two operations want alike is refused before all else.
    const near = asked.some((other) => named(one).some((line) => isNear(line, other)));
    if (!near || dice.once(6)) asked.push(one);
  }
  return asked;
}

/** Between two lines: put behind the one and before the other, in any order of the patch. */
function askBeside(dice: Dice, choices: Choices): Asked[] {
  const line = lineFrom(dice, choices);
  const both: Asked[] = [
    { kind: "insert after", line, body: bodyFor(dice, choices) },
    { kind: "insert before", line: line + 1, body: bodyFor(dice, choices) },
  ];
  return dice.once(2) ? both : both.reverse();
}

function isNear(line: number, asked: Asked): boolean {
  const lines = named(asked);
  return lines.length > 0 && Math.min(...lines) <= line && line <= Math.max(...lines);
}

function askOne(dice: Dice, choices: Choices): Asked {
  const kinds = choices.blocks && dice.once(2) ? BLOCK_KINDS : KINDS;
  const kind = dice.pick(dice.once(150) ? BLOCK_KINDS : kinds);
  const body = bodyFor(dice, choices);
  if (kind === "insert head" || kind === "insert tail") return { kind, body };
  const line = lineFrom(dice, choices);
  if (kind === "delete block") return { kind, line };
  if (kind !== "replace" && kind !== "delete") return { kind, line, body };
  const [first, last] = range(dice, choices, line);
  if (kind === "delete") return { kind, first, last };
  // What stands there already, sometimes: an edit that changes nothing, or little.
  const same = choices.file.rows.slice(first - 1, last).map((row) => seen(row, choices.file.encoding));
  return { kind, first, last, body: same.length > 0 && dice.once(25) ? same : body };
}

/** Mostly one that was shown; now and then any, and one that is not there. */
function lineFrom(dice: Dice, { file: { rows }, known }: Choices): number {
  if (dice.once(50)) return rows.length + dice.between(0, 3);
  if (known.length > 0 && !dice.once(12)) return dice.pick(known);
  return dice.between(1, Math.max(1, rows.length));
}

function range(dice: Dice, choices: Choices, line: number): [number, number] {
  if (dice.once(2)) return [line, line];
  const { rows } = choices.file;
  const near = choices.known.filter((other) => Math.abs(other - line) < (dice.once(5) ? 1_000 : 4));
  const other = near.length > 0 && !dice.once(12) ? dice.pick(near) : dice.between(1, rows.length + 1);
  return [Math.min(line, other), Math.max(line, other)];
}

/** Text that looks like the patch language, or cannot be written. */
const ODD = [
  "",
  "",
  " ",
  "+plus",
  "-minus",
  "¶f.txt#0A3B",
  "replace 1..2:",
  "delete 3",
  "*** Abort",
  "*** End Patch",
  "…",
  "@@ -1 +1 @@",
  "```",
  "one\rtwo",
  "return\r",
  "a\u2028b",
  "tab\tand end ",
  "}",
];
const UNWRITABLE = ["nul\0", "half\ud800", "half\udc00"];

function bodyFor(dice: Dice, { file }: Choices): string[] {
  return Array.from({ length: dice.once(20) ? dice.between(9, 30) : dice.between(1, 3) }, () => {
    if (dice.once(400)) return dice.pick(UNWRITABLE);
    if (dice.once(5)) return dice.pick(ODD);
    if (dice.once(8) && file.rows.length > 0) return seen(dice.pick(file.rows), file.encoding);
    if (file.encoding === "single-byte" && !dice.once(10)) return asciiText(dice);
    return dice.once(2) ? freshText(dice) : anyText(dice, "utf-8");
  });
}
