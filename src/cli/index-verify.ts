/** `quarry index verify [DIR]`: brings the saved index up to date, compares it with disk and ripgrep, and says what differs. */
import { count, grouped } from "../format/count.ts";
import { quoteName } from "../format/escape.ts";
import { line } from "../format/json-lines.ts";
import { paint, show, type Style } from "../format/style.ts";
import { readManifest } from "../index/saved.ts";
import { indexFolder } from "../index/places.ts";
import type { OpenedIndex } from "../index/open-indexes.ts";
import { ToolError } from "../model/errors.ts";
import { VERIFY_PATTERNS } from "../model/limits.ts";
import { lockOwner } from "../workspace/lock.ts";
import { type Difference, type Verification, verifyIndex } from "../tools/verify-index.ts";
import type { Typed } from "./arguments.ts";
import { openProgress } from "./index-progress.ts";
import { openReady } from "./index-ready.ts";
import { commandFor, refuseUnfit, treeOf } from "./index-tree.ts";
import { type Io, stdoutStyle } from "./io.ts";
import type { Output } from "./output.ts";

export async function indexVerify(typed: Typed, io: Io, out: Output): Promise<number> {
  const root = await treeOf(typed, io);
  await refuseUnfit(root, io);
  const folder = indexFolder(root, io.env);
  if (readManifest(folder, root) === null) {
    throw new ToolError("PATH_NOT_FOUND", `There is no saved index of ${root}`, {
      hint: "quarry index build makes one",
    });
  }
  const seed = typed.integer("seed") ?? Math.floor(Math.random() * 1_000_000);
  const verified = await verify(root, seed, typed, io, out.ended);
  if (typed.on("json")) await out.write(line({ type: "verification", root, seed, ...verified }));
  else {
    const style = stdoutStyle(io, typed.choice("color"));
    await out.write(verdict(verified, root, seed, style) + wayOut(verified, lockOwner(folder), typed));
  }
  return verified.differences.length === 0 ? 0 : 1;
}

async function verify(
  root: string,
  seed: number,
  typed: Typed,
  io: Io,
  signal: AbortSignal,
): Promise<Verification> {
  const progress = openProgress(io, typed);
  let opened: OpenedIndex | null = null;
  try {
    opened = await openReady(root, io, progress);
    signal.throwIfAborted();
    if (opened === null) throw new ToolError("ABORTED", "The comparison was interrupted");
    return await verifyIndex(opened, {
      root,
      patterns: typed.integer("patterns") ?? VERIFY_PATTERNS,
      seed,
      env: io.env,
      signal,
      onProgress: (done, total) => progress.show("Comparing", done, total),
    });
  } finally {
    progress.end();
    await opened?.source.release();
  }
}

function verdict(
  { files, patterns, byIndex, fallbacks, differences }: Verification,
  root: string,
  seed: number,
  style: Style,
): string {
  const others = fallbacks.map(
    ({ why, count: times }) => `  ${grouped(times)} by ripgrep: ${show(style, why)}\n`,
  );
  const last =
    differences.length === 0
      ? "No differences.\n"
      : `${count(differences.length, "difference")}; --seed ${seed} makes the same patterns.\n`;
  return [
    ...differences.map((one) => differenceText(one, style)),
    `Compared ${count(files, "file")} of ${quoteName(root)} and the answers to ${count(patterns, "pattern")}, ${grouped(byIndex)} of them by the index.\n`,
    ...others,
    last,
  ].join("");
}

/** What to type next. `holder`: the process that saves the index, beside which nobody builds. */
function wayOut({ damaged, differences }: Verification, holder: number | null, typed: Typed): string {
  if (differences.length === 0) return "";
  const build = commandFor("build", typed);
  const what =
    damaged > 0
      ? `${build} builds anew what is damaged.`
      : `${commandFor("drop", typed)}, then ${build}, makes it anew.`;
  return holder === null ? `${what}\n` : `When process ${holder}, which saves it, has ended: ${what}\n`;
}

function differenceText({ what, request, missing, extra }: Difference, style: Style): string {
  const pattern = request === null ? "" : `: ${show(style, JSON.stringify(request))}`;
  const paths = [
    ...missing.map((path) => `  only ripgrep: ${quoteName(path)}\n`),
    ...extra.map((path) => `  only the index: ${quoteName(path)}\n`),
  ];
  return `${paint(style, "error", show(style, what))}${pattern}\n${paths.join("")}`;
}
