/** `quarry index status [DIR]`: what is saved of a folder's index and how far it is behind; `--all`: of every folder. */
import { count, grouped, size } from "../format/count.ts";
import { escapeText, quoteName } from "../format/escape.ts";
import { line } from "../format/json-lines.ts";
import { paint } from "../format/style.ts";
import { unfit } from "../index/fitness.ts";
import { type Freshness, freshness, type SavedIndex, savedIndex } from "../index/inspect.ts";
import { savedTrees } from "../index/places.ts";
import { indexCacheBytes } from "../index/settings.ts";
import type { Typed } from "./arguments.ts";
import { indexFacts, percent } from "./index-facts.ts";
import { treeOf } from "./index-tree.ts";
import { type Io, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";

export async function indexStatus(typed: Typed, io: Io, out: Output): Promise<number> {
  if (typed.on("all")) return everyIndex(typed, io, out);
  const root = await treeOf(typed, io);
  const against = unfit(root, io.env);
  const saved = savedIndex(root, io.env);
  const fresh = saved === null ? null : await freshness(saved, io.env, out.ended);
  if (typed.on("json")) {
    const facts = saved === null ? { root, saved: false } : { ...indexFacts(saved), freshness: fresh };
    await out.write(line({ type: "index", ...facts, against }));
  } else {
    const style = stdoutStyle(io, typed.choice("color"));
    for (const [name, value] of [
      ["root", quoteName(root)],
      ...rows(saved, fresh, against),
      ...reason(against),
    ])
      await out.write(`${paint(style, "line", (name ?? "").padEnd(9))} ${escapeText(value ?? "")}\n`);
  }
  return saved === null ? 1 : 0;
}

function rows(saved: SavedIndex | null, fresh: Freshness | null, against: string | null): string[][] {
  if (saved === null) return [["index", against === null ? "none; quarry index build makes one" : "none"]];
  const { files, textBytes, bytes, segments, damaged, savedMs, usedMs, holder, fallbacks, folder } = saved;
  const broken = damaged === 0 ? "" : `, ${grouped(damaged)} of them damaged`;
  const [first, ...more] = fallbacks.map(({ why, count: times }) => `${grouped(times)} times: ${why}`);
  return [
    ["index", `saved ${time(savedMs)}, used ${time(usedMs)}`],
    ["files", `${grouped(files)}, ${size(textBytes)}`],
    ["size", `${size(bytes)}${percent(saved)} in ${count(segments, "segment")}${broken}`],
    ["fresh", freshText(fresh)],
    ["held by", holder === null ? "no process" : `process ${holder}, which saves it`],
    [
      "ripgrep",
      first === undefined
        ? "not asked instead, in the last session"
        : `asked instead, in the last session, ${first}`,
    ],
    ...more.map((text) => ["", text]),
    ["folder", quoteName(folder)],
  ];
}

function freshText(fresh: Freshness | null): string {
  if (fresh === null) return "not known: the tree could not be listed";
  const { changed, added, gone } = fresh;
  if (changed + added + gone === 0) return "yes, nothing has changed since";
  return `${grouped(changed)} changed, ${grouped(added)} new, ${grouped(gone)} gone since; taken in when it is opened`;
}

function reason(against: string | null): string[][] {
  return against === null ? [] : [["not used", against]];
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
