/**
 * Warns of a body that is probably wrong though it can be carried out: it brings lines that already stand beside its
 * range, or the same block twice. Only doubts: the edit is made all the same. Called by the edit tool with the lines
 * of the version that the patch was made for; a block operation is passed as what it was resolved to.
 */
import { DOUBT_LINES } from "../../model/limits.ts";
import type { Operation } from "../../model/patch.ts";
import { quoted } from "./refuse.ts";
import { shapeOf } from "./shape.ts";

type LineAt = (line: number) => string | null;

/** The lines that stand right before and right after what is put in; null where that is not known. */
interface Place {
  readonly before: number | null;
  readonly after: number | null;
}

export function doubts(operation: Operation, lineAt: LineAt): readonly string[] {
  if (!("body" in operation)) return [];
  const place = placeOf(operation);
  const name = `The body of \`${shapeOf(operation)}\` (patch line ${operation.row})`;
  const found: string[] = [];
  const below = place.after === null ? 0 : echoBelow(operation, place.after, lineAt);
  if (place.after !== null && below > 0) {
    found.push(`${name} ends with ${stood("follow", below, place.after, operation.body.at(-1) ?? "")}`);
  }
  const above = place.before === null ? 0 : echoAbove(operation, place.before, lineAt);
  if (place.before !== null && above > 0) {
    const first = place.before - above + 1;
    found.push(`${name} begins with ${stood("precede", above, first, operation.body[0] ?? "")}`);
  }
  const again = repeatedBlock(operation.body, originalOf(operation, lineAt));
  if (again !== null) {
    found.push(
      `${name} has the same block of lines twice, from its rows ${again.first + 1} and ${again.second + 1} on: ${quoted((operation.body[again.first] ?? "").trim())}`,
    );
  }
  return found;
}

function placeOf(operation: Operation): Place {
  switch (operation.kind) {
    case "replace":
      return { before: operation.first - 1, after: operation.last + 1 };
    case "insert before":
      return { before: operation.line - 1, after: operation.line };
    case "insert after":
      return { before: operation.line, after: operation.line + 1 };
    case "insert head":
      return { before: null, after: 1 };
    default:
      return { before: null, after: null };
  }
}

/** How many rows at the end of the body are the lines from `after` on. Such a run must hold more than blank lines. */
function echoBelow(
  operation: Operation & { body: readonly string[] },
  after: number,
  lineAt: LineAt,
): number {
  const { body } = operation;
  for (let run = Math.min(DOUBT_LINES, body.length); run > 0; run--) {
    const rows = body.slice(-run);
    if (!rows.every((row, at) => row === lineAt(after + at)) || rows.every(isBlank)) continue;
    // What is replaced may end that way itself: then it stood there twice before, and is left so.
    const same = operation.kind === "replace" && rows.every((row, at) => row === lineAt(after - run + at));
    return same ? 0 : run;
  }
  return 0;
}

/** How many rows at the beginning of the body are the lines up to `before`. */
function echoAbove(
  operation: Operation & { body: readonly string[] },
  before: number,
  lineAt: LineAt,
): number {
  const { body } = operation;
  for (let run = Math.min(DOUBT_LINES, body.length, before); run > 0; run--) {
    const rows = body.slice(0, run);
    if (!rows.every((row, at) => row === lineAt(before - run + 1 + at)) || rows.every(isBlank)) continue;
    const same = operation.kind === "replace" && rows.every((row, at) => row === lineAt(before + 1 + at));
    return same ? 0 : run;
  }
  return 0;
}

function isBlank(row: string): boolean {
  return row.trim() === "";
}

function stood(verb: string, run: number, first: number, row: string): string {
  return run === 1
    ? `the line that already ${verb}s it, line ${first} (${quoted(row)}): perhaps it is there twice now`
    : `the ${run} lines that already ${verb} it, lines ${first}-${first + run - 1}: perhaps they are there twice now`;
}

/** Lines with a word in them: blank ones and lone brackets are alike everywhere. */
const TELLING = /[\p{L}\p{N}]/u;
const BLOCK = 3;

interface Block {
  readonly key: string;
  /** Its first row, and which telling line that is. */
  readonly row: number;
  readonly at: number;
}

/** The first block of lines that comes a second time, unless it already did where the body goes. */
function repeatedBlock(
  body: readonly string[],
  original: () => readonly string[],
): { first: number; second: number } | null {
  const known = new Map<string, Block>();
  let before: Set<string> | null = null;
  for (const block of blocksOf(body)) {
    const first = known.get(block.key);
    if (first === undefined) known.set(block.key, block);
    else if (block.at >= first.at + BLOCK) {
      before ??= repeatedKeys(original());
      if (!before.has(block.key)) return { first: first.row, second: block.row };
    }
  }
  return null;
}

function repeatedKeys(rows: readonly string[]): Set<string> {
  const once = new Set<string>();
  const repeated = new Set<string>();
  for (const { key } of blocksOf(rows)) (once.has(key) ? repeated : once).add(key);
  return repeated;
}

/** Every three telling lines in a row that are not all the same, and where they start. */
function* blocksOf(rows: readonly string[]): Generator<Block> {
  const telling = rows.flatMap((row, at) => (TELLING.test(row) ? [at] : []));
  for (let at = 0; at + BLOCK <= telling.length; at++) {
    const lines = telling.slice(at, at + BLOCK).map((index) => rows[index] ?? "");
    if (new Set(lines).size > 1) yield { key: lines.join("\n"), row: telling[at] ?? 0, at };
  }
}

function originalOf(operation: Operation, lineAt: LineAt): () => readonly string[] {
  return () => {
    const lines: string[] = [];
    if (operation.kind !== "replace") return lines;
    for (let line = operation.first; line <= operation.last; line++) {
      const text = lineAt(line);
      if (text === null) break;
      lines.push(text);
    }
    return lines;
  };
}
