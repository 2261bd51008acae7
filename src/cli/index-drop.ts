/** `quarry index drop [DIR]`: removes the saved index of a folder, which may be gone itself; `--all`: every one. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { count, size } from "../format/count.ts";
import { quoteName } from "../format/escape.ts";
import { removeIndex } from "../index/cache-bound.ts";
import { indexFolder, type SavedTree, savedTree, savedTrees } from "../index/places.ts";
import { ToolError } from "../model/errors.ts";
import type { Typed } from "./arguments.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

export async function indexDrop(typed: Typed, io: Io, out: Output): Promise<number> {
  const force = typed.on("force");
  if (typed.on("all")) return dropAll(typed, io, out);
  const asked = resolve(io.cwd, typed.positionals[0] ?? ".");
  const tree = await realpath(asked).catch(() => asked);
  const saved = savedTree(indexFolder(tree, io.env));
  if (saved === null) {
    await out.write(`There is no saved index of ${quoteName(tree)}.\n`);
    return 1;
  }
  if (saved.holder !== null && !force) throw held(tree, saved.holder);
  await remove(saved);
  await out.write(`Removed the index of ${quoteName(tree)}: ${size(saved.bytes)}.\n`);
  return 0;
}

/** Those that nobody holds go in any case. */
async function dropAll(typed: Typed, io: Io, out: Output): Promise<number> {
  if (typed.positionals.length > 0) {
    throw new ToolError("INVALID_INPUT", "--all removes every index, and a folder is named", {
      hint: "Leave out one of them",
    });
  }
  const trees = savedTrees(io.env);
  const going = typed.on("force") ? trees : trees.filter(({ holder }) => holder === null);
  for (const tree of going) await remove(tree);
  const total = going.reduce((sum, { bytes }) => sum + bytes, 0);
  await out.write(`Removed ${count(going.length, "index", "indexes")}: ${size(total)}.\n`);
  const busy = trees.find((tree) => !going.includes(tree));
  if (busy !== undefined) throw held(busy.tree ?? busy.folder, busy.holder);
  return trees.length === 0 ? 1 : 0;
}

async function remove({ folder }: SavedTree): Promise<void> {
  if (await removeIndex(folder)) return;
  throw new ToolError("WRITE_FAILED", `${folder} could not be removed`, {
    hint: "It may belong to another user",
  });
}

function held(tree: string, holder: number | null): ToolError {
  return new ToolError("SESSION_BUSY", `Process ${holder} holds the index of ${tree}`, {
    hint: "End it first; --force removes the index all the same, and the process goes on with ripgrep",
  });
}
