// Quarry through the library: the first page of the agent's tools, the index ready.
import { fileURLToPath } from "node:url";
import { startChild } from "./child.mjs";

const CHILD = fileURLToPath(new URL("./quarry-child.mjs", import.meta.url));

/** `warm`: measure the building alone, not what is loaded for it. */
export async function openQuarry(root, cache, { warm = false } = {}) {
  const env = { ...process.env, QUARRY_CACHE_DIR: cache };
  const { ask, close, pid } = startChild(process.execPath, [CHILD], { env });
  try {
    const opened = await ask("open", { root, warm });
    return {
      name: "quarry",
      opened,
      pid,
      settle: () => ask("settle"),
      search: (question) => ask("search", { question }),
      whole: async (question) => {
        const { counts, ...rest } = await ask("whole", { root, question });
        return { counts: new Map(counts), ...rest };
      },
      find: (glob) => ask("find", { glob }),
      wholeFind: async (glob) => {
        const { files, all } = await ask("wholeFind", { glob });
        return { files: new Set(files), all };
      },
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
