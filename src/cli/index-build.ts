/** `quarry index build [DIR]`: builds the index, or brings it up to date, saves it and says what there is now. */
import { count, size } from "../format/count.ts";
import { quoteName } from "../format/escape.ts";
import { line } from "../format/json-lines.ts";
import { damagedSegments, removeDamaged } from "../index/damage.ts";
import { savedIndex } from "../index/inspect.ts";
import { indexFolder } from "../index/places.ts";
import { ToolError } from "../model/errors.ts";
import { lockOwner } from "../workspace/lock.ts";
import type { Typed } from "./arguments.ts";
import { indexFacts, percent } from "./index-facts.ts";
import { openProgress } from "./index-progress.ts";
import { openReady, untilSaved } from "./index-ready.ts";
import { refuseUnfit, treeOf } from "./index-tree.ts";
import { type Io, say } from "./io.ts";
import type { Output } from "./output.ts";

/** As a shell says that Ctrl-C ended something. */
const INTERRUPTED = 130;

export async function indexBuild(typed: Typed, io: Io, out: Output): Promise<number> {
  const tree = await treeOf(typed, io);
  await refuseUnfit(tree, io);
  refuseHeld(tree, io);
  const begun = performance.now();
  const rebuilt = await build(tree, typed, io);
  if (rebuilt === null) {
    const left =
      savedIndex(tree, io.env) === null ? "no index is saved" : "what was saved before is still there";
    await say(io, `quarry: interrupted; ${left}\n`);
    return INTERRUPTED;
  }
  const saved = savedIndex(tree, io.env);
  if (saved === null) {
    throw new ToolError("WRITE_FAILED", `The index of ${tree} could not be saved`, {
      hint: "quarry doctor shows the cache folder; it may be full",
    });
  }
  if (typed.on("json")) {
    const elapsedMs = Math.round(performance.now() - begun);
    await out.write(line({ type: "index", ...indexFacts(saved), rebuilt, elapsedMs }));
    return 0;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  await out.write(
    `Indexed ${count(saved.files, "file")} of ${quoteName(tree)}, ${size(saved.textBytes)}, in ${seconds} s.\n` +
      (rebuilt === 0 ? "" : `Built ${count(rebuilt, "damaged segment")} anew.\n`) +
      `Saved ${size(saved.bytes)}${percent(saved)} in ${quoteName(saved.folder)}\n`,
  );
  return 0;
}

/** Builds it and lets it go: how many saved segments were damaged and are built anew; null: interrupted. */
async function build(tree: string, typed: Typed, io: Io): Promise<number | null> {
  const progress = openProgress(io, typed);
  try {
    progress.show("Checking", 0, null);
    const damaged = await damagedSegments(indexFolder(tree, io.env), tree, io.signal);
    removeDamaged(damaged);
    const opened = await openReady(tree, io, progress);
    if (opened === null) return null;
    await untilSaved(opened, io, progress);
    await opened.source.release();
    return damaged.length;
  } finally {
    progress.end();
  }
}

/** Who saves the index is the only one to do so, and keeps it up to date. */
function refuseHeld(tree: string, { env }: Io): void {
  const holder = lockOwner(indexFolder(tree, env));
  if (holder === null) return;
  throw new ToolError("SESSION_BUSY", `Process ${holder} builds and saves the index of ${tree}`, {
    hint: "quarry index status shows how far it is",
  });
}
