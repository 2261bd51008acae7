/**
 * What the operations of one file come to: which lines are taken out, what takes their place, and which lines must
 * still be as they were. Every line that a patch names is looked at before anything is done: is it there, was it
 * shown, does a block begin on it, do two operations want the same line. Called by `edit`.
 */
import { ToolError } from "../model/errors.ts";
import { AGENT_TEXT } from "../model/limits.ts";
import type { Operation } from "../model/patch.ts";
import type { LineSpan } from "../model/selector.ts";
import { blocksAt } from "../syntax/blocks.ts";
import type { TextLines } from "../workspace/text-lines.ts";

/** An operation in the lines of the version that its tag stands for. */
export interface Planned {
  readonly operation: Operation;
  /** Where it begins, and how many lines it takes out; `body` is put there. */
  readonly at: number;
  readonly remove: number;
  readonly body: readonly string[];
  /** Lines that must be unchanged since they were shown; null at the head and the tail. */
  readonly names: LineSpan | null;
  /** The lines of the block that was meant. */
  readonly block: LineSpan | null;
}

export interface Version {
  /** How messages call the file. */
  readonly name: string;
  /** Tells the language. */
  readonly path: string;
  readonly text: TextLines;
  readonly wasShown: (line: number) => boolean;
  /** Rows around lines, for an error; they count as shown. */
  readonly excerpt: (lines: readonly number[]) => string;
}

/** In the order of the lines. */
export async function planOperations(
  operations: readonly Operation[],
  version: Version,
): Promise<readonly Planned[]> {
  for (const operation of operations) refuseMissing(operation, version);
  refuseUnseen(operations, version);
  const blocks = await resolveBlocks(operations, version);
  const planned = operations.map((operation) => plan(operation, blocks.get(operation) ?? null, version));
  return planned
    .map((one, order) => ({ one, order }))
    .sort((a, b) => a.one.at - b.one.at || rank(a.one) - rank(b.one) || a.order - b.order)
    .map(({ one }) => one);
}

/** Between two lines: what was put behind the one, what was put before the other, what takes its place. */
const RANK: Readonly<Record<Operation["kind"], number>> = {
  "insert head": 0,
  "insert after": 1,
  "insert after block": 1,
  "insert before": 2,
  replace: 3,
  "replace block": 3,
  delete: 3,
  "delete block": 3,
  "insert tail": 4,
};

function rank({ operation }: Planned): number {
  return RANK[operation.kind];
}

/** The lines that are written in the patch. */
function writtenLines(operation: Operation): readonly number[] {
  if ("first" in operation) return [...new Set([operation.first, operation.last])];
  return "line" in operation ? [operation.line] : [];
}

function refuseMissing(operation: Operation, { name, text }: Version): void {
  for (const line of writtenLines(operation)) {
    if (text.span(line) !== null) continue;
    const count = text.count();
    throw new ToolError(
      "LINE_NOT_FOUND",
      `Patch line ${operation.row}: line ${line} does not exist (${name} has ${count} ${count === 1 ? "line" : "lines"})`,
      {
        hint:
          count === 0
            ? "Use insert head: to fill an empty file"
            : "Take line numbers from what was shown under this tag",
      },
    );
  }
}

/** What was never shown is guessed, and a guess is not edited. */
function refuseUnseen(operations: readonly Operation[], version: Version): void {
  const { name, wasShown, excerpt } = version;
  const lines = [...new Set(operations.flatMap(writtenLines))]
    .filter((line) => !wasShown(line))
    .sort((a, b) => a - b);
  const [first] = lines;
  if (first === undefined) return;
  const list = lines.slice(0, 8).join(", ") + (lines.length > 8 ? ` and ${lines.length - 8} more` : "");
  const subject = lines.length === 1 ? `Line ${list} of ${name} was` : `Lines ${list} of ${name} were`;
  const rows = excerpt(lines);
  const left = lines.filter((line) => !wasShown(line));
  throw new ToolError("LINE_NOT_SHOWN", `${subject} not shown in full under this tag`, {
    hint: wayToSee(left, version),
    excerpt: rows,
  });
}

function wayToSee(lines: readonly number[], { name, text }: Version): string {
  const [from, to] = [lines[0], lines.at(-1)];
  if (from === undefined) return "They are shown below: check them, and send the edit again";
  const long = lines.find((line) => Buffer.byteLength(text.line(line) ?? "") > LONGEST_SHOWN);
  if (long === undefined)
    return `Read ${name}:${from === to ? from : `${from}-${to}`}, then edit what it shows`;
  return `Line ${long} is too long for any answer: change it with a program such as sed, or write the whole file`;
}

/** A line that an answer of read holds beside its heading and notes. */
const LONGEST_SHOWN = AGENT_TEXT - 1024;

type BlockOperation = Extract<Operation, { readonly line: number }>;

async function resolveBlocks(
  operations: readonly Operation[],
  version: Version,
): Promise<ReadonlyMap<Operation, LineSpan>> {
  const blocks = new Map<Operation, LineSpan>();
  const wanting = operations.filter(
    (operation): operation is BlockOperation => "line" in operation && operation.kind.endsWith("block"),
  );
  if (wanting.length === 0) return blocks;
  const found = await blocksAt(
    version.path,
    wholeText(version.text),
    wanting.map(({ line }) => line),
  );
  for (const [at, operation] of wanting.entries()) {
    const block = found[at];
    if (block?.kind !== "block") throw noBlock(operation, block?.why ?? "nothing was found", version);
    blocks.set(operation, { first: block.first, last: block.last });
  }
  return blocks;
}

/** As agents see it: without the byte order mark, a newline behind every line. */
export function wholeText(text: TextLines): string {
  const lines: string[] = [];
  for (let line = 1; ; line += 1) {
    const content = text.line(line);
    if (content === null) return lines.join("");
    lines.push(`${content}\n`);
  }
}

function noBlock({ kind, line, row }: BlockOperation, why: string, { name, excerpt }: Version): ToolError {
  const instead = {
    "insert after block": "insert after M:",
    "delete block": `delete ${line}..M`,
  }[kind as string];
  return new ToolError(
    "BLOCK_NOT_FOUND",
    `Patch line ${row}: \`${kind} ${line}\` finds no block that begins on line ${line} of ${name}: ${why}`,
    {
      hint: `Use \`${instead ?? `replace ${line}..M:`}\` with the number of the block's last line`,
      excerpt: excerpt([line]),
    },
  );
}

function plan(operation: Operation, block: LineSpan | null, { text }: Version): Planned {
  const body = "body" in operation ? operation.body : [];
  const replacing = (span: LineSpan): Planned => ({
    operation,
    at: span.first,
    remove: span.last - span.first + 1,
    body,
    names: span,
    block,
  });
  const inserting = (at: number, names: LineSpan | null): Planned => ({
    operation,
    at,
    remove: 0,
    body,
    names,
    block,
  });
  if ("first" in operation) return replacing(operation);
  switch (operation.kind) {
    case "insert head":
      return inserting(1, null);
    case "insert tail":
      return inserting(text.count() + 1, null);
    case "insert before":
      return inserting(operation.line, { first: operation.line, last: operation.line });
    case "insert after":
      return inserting(operation.line + 1, { first: operation.line, last: operation.line });
    case "insert after block": {
      const span = block ?? { first: operation.line, last: operation.line };
      return inserting(span.last + 1, span);
    }
    default:
      return replacing(block ?? { first: operation.line, last: operation.line });
  }
}
