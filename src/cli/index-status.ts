/** `quarry index status [DIR]`: what is saved of a folder's index and how far it is behind; `--all`: of every folder. */
import { count, grouped, size } from "../format/count.ts";
import { escapeText, quoteName } from "../format/escape.ts";
import { line } from "../format/json-lines.ts";
import { paint } from "../format/style.ts";
import { damagedSegments } from "../index/damage.ts";
import { readFallbacks } from "../index/fallbacks.ts";
import { type Freshness, freshness, type SavedIndex, savedIndex } from "../index/inspect.ts";
import { indexFolder, savedTrees } from "../index/places.ts";
import { indexCacheBytes } from "../index/settings.ts";
import type { Fallback } from "../index/status.ts";
import { INDEX_LIST_TIME } from "../model/limits.ts";
import type { Typed } from "./arguments.ts";
import { indexFacts, percent } from "./index-facts.ts";
import { type Standing, standingOf } from "./index-standing.ts";
import { commandFor, treeOf } from "./index-tree.ts";
import { type Io, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";

export async function indexStatus(typed: Typed, io: Io, out: Output): Promise<number> {
  if (typed.on("all")) return everyIndex(typed, io, out);
  const root = await treeOf(typed, io);
  const { against, listed } = await standingOf(root, io.env, out.ended, INDEX_LIST_TIME);
  // Also of an index that could not be made.
  const fallbacks = readFallbacks(indexFolder(root, io.env));
  const saved = savedIndex(root, io.env);
  const condition = saved === null ? null : await conditionOf(saved, listed, out.ended);
  if (typed.on("json")) {
    const facts = saved === null ? { root, saved: false } : { ...indexFacts(saved), ...condition };
    await out.write(line({ type: "index", ...facts, fallbacks, against }));
  } else {
    const style = stdoutStyle(io, typed.choice("color"));
    const build = commandFor("build", typed);
    for (const [name, value] of [
      ["root", quoteName(root)],
      ...(saved === null || condition === null
        ? [["index", against === null ? `none; ${build} makes one` : "none"]]
        : savedRows(saved, condition, build)),
      ...(saved === null && fallbacks.length === 0 ? [] : fallbackRows(fallbacks)),
      ...(saved === null ? [] : [["folder", quoteName(saved.folder)]]),
      ...(against === null ? [] : [["not used", against]]),
    ])
      await out.write(`${paint(style, "line", (name ?? "").padEnd(9))} ${escapeText(value ?? "")}\n`);
  }
  return saved === null ? 1 : 0;
}

/** Whether what is saved can be read, and is what is on disk. */
interface Condition {
  readonly damaged: number;
  /** null: the tree was not listed to its end. */
  readonly freshness: Freshness | null;
}

async function conditionOf(
  saved: SavedIndex,
  listed: Standing["listed"],
  signal: AbortSignal,
): Promise<Condition> {
  const damaged = await damagedSegments(saved.folder, saved.root, signal);
  signal.throwIfAborted();
  return {
    damaged: damaged.length,
    freshness: listed === null ? null : await freshness(saved, listed, signal),
  };
}

function savedRows(saved: SavedIndex, condition: Condition, build: string): string[][] {
  const { files, textBytes, bytes, segments, savedMs, usedMs, holder } = saved;
  const { damaged } = condition;
  const broken = damaged === 0 ? "" : `, ${grouped(damaged)} of them damaged; ${build} builds it anew`;
  return [
    ["index", `saved ${time(savedMs)}, used ${time(usedMs)}`],
    ["files", `${grouped(files)}, ${size(textBytes)}`],
    ["size", `${size(bytes)}${percent(saved)} in ${count(segments, "segment")}${broken}`],
    ["fresh", freshText(condition)],
    ["held by", holder === null ? "no process" : `process ${holder}, which saves it`],
  ];
}

function fallbackRows(fallbacks: readonly Fallback[]): string[][] {
  const [first, ...more] = fallbacks.map(({ why, count: times }) => `${grouped(times)} times: ${why}`);
  const last =
    first === undefined
      ? "not asked instead, in the last session"
      : `asked instead, in the last session, ${first}`;
  return [["ripgrep", last], ...more.map((text) => ["", text])];
}

function freshText({ freshness: fresh }: Condition): string {
  if (fresh === null) return "not known: the tree was not listed to its end";
  const { changed, added, gone } = fresh;
  if (changed + added + gone === 0) return "yes, nothing has changed since";
  return `${grouped(changed)} changed, ${grouped(added)} new, ${grouped(gone)} gone since; taken in when it is opened`;
}

async function everyIndex(typed: Typed, io: Io, out: Output): Promise<number> {
  const most = indexCacheBytes(io.env);
  const trees = savedTrees(io.env).toSorted((one, other) => other.usedMs - one.usedMs);
  if (typed.on("json")) {
    for (const { tree, ...facts } of trees) await out.write(line({ type: "index", root: tree, ...facts }));
    return trees.length === 0 ? 1 : 0;
  }
  const style = stdoutStyle(io, typed.choice("color"));
  for (const { tree, readable, bytes, usedMs, holder } of trees) {
    const notes = [
      ...(readable ? [] : ["of another version"]),
      ...(holder === null ? [] : [`held by process ${holder}`]),
    ];
    const name = paint(style, "path", tree === null ? "(no name)" : quoteName(tree));
    const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    await out.write(`${size(bytes).padStart(9)}  ${time(usedMs)}  ${name}${note}\n`);
  }
  const total = trees.reduce((sum, { bytes }) => sum + bytes, 0);
  await out.write(
    `${count(trees.length, "saved index", "saved indexes")}, ${size(total)} of at most ${size(most)}.\n`,
  );
  return trees.length === 0 ? 1 : 0;
}

/** `2026-01-31 12:00 UTC`. */
function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
