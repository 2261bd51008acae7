/**
 * `conflict://N`, which a merge conflict has once read has listed it. `/ours`, `/theirs` and `/base` are sides to
 * be read; several are named as `conflict://1,3-5` or `conflict://*`. Called by read and write. Pure.
 */
import type { ConflictSide } from "../model/conflict.ts";
import { ToolError } from "../model/errors.ts";
import { CONFLICTS_LISTED } from "../model/limits.ts";

export interface ConflictUrl {
  /** In order, each once. */
  readonly ids: readonly number[] | "all";
  readonly side: ConflictSide | null;
}

const SCHEME = /^conflict:\/\//i;
const RANGE = /^(\d{1,9})(?:-(\d{1,9}))?$/;
/** Longer than any that is meant. */
const LONGEST = 10_000;

/** With its scheme or without. Throws INVALID_INPUT; `listed` is what the message can offer. */
export function parseConflictUrl(path: string, listed: readonly number[] = []): ConflictUrl {
  const url = path.replace(SCHEME, "");
  const slash = url.indexOf("/");
  const numbers = slash === -1 ? url : url.slice(0, slash);
  const side = slash === -1 ? null : sideOf(url.slice(slash + 1), numbers);
  if (numbers === "") throw fault("conflict:// names no conflict", listed);
  if (numbers === "*") return { ids: "all", side };
  if (numbers.length > LONGEST) throw fault("conflict:// names more conflicts than can be listed", listed);
  return {
    ids: [...new Set(numbers.split(",").flatMap((range) => idsOf(range, listed)))].sort(ascending),
    side,
  };
}

/** What is listed, for a message. */
export function listedText(ids: readonly number[]): string {
  if (ids.length === 0) return "None is listed: read FILE:conflicts lists those of a file";
  return `Listed are ${runs(ids).slice(0, 20).join(",")}; read FILE:conflicts lists those of a file`;
}

function idsOf(range: string, listed: readonly number[]): number[] {
  const [, from, to] = RANGE.exec(range.trim()) ?? [];
  if (from === undefined) throw fault(`conflict://${cut(range)} is no number of a conflict`, listed);
  const [first, last] = [Number(from), Number(to ?? from)];
  if (first === 0) throw fault("Conflicts are counted from 1", listed);
  if (last < first) throw fault(`conflict://${range} ends before it starts`, listed);
  if (last - first >= CONFLICTS_LISTED) {
    throw fault(`conflict://${range} names more conflicts than can be listed`, listed);
  }
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function sideOf(text: string, numbers: string): ConflictSide {
  const side = text.toLowerCase();
  if (side === "ours" || side === "theirs" || side === "base") return side;
  throw new ToolError(
    "INVALID_INPUT",
    `A conflict has no side ${text === "" ? "without a name" : cut(text)}`,
    {
      hint: `Use conflict://${cut(numbers)} with /ours, /theirs or /base, or without any for the whole`,
    },
  );
}

function fault(message: string, listed: readonly number[]): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: listedText(listed) });
}

/** `1-3`, `7`: numbers in order, neighbours together. */
function runs(ids: readonly number[]): string[] {
  const found: [number, number][] = [];
  for (const id of ids) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === id - 1) last[1] = id;
    else found.push([id, id]);
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
}

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function ascending(a: number, b: number): number {
  return a - b;
}
