// fff (@ff-labs/fff-node), its content index ready. It has no file types: such questions are not put to it.
import { fileURLToPath } from "node:url";
import { startChild } from "./child.mjs";

const CHILD = fileURLToPath(new URL("./fff-child.mjs", import.meta.url));

export async function openFff(root, folder) {
  const { ask, close, pid } = startChild(process.execPath, [CHILD, folder]);
  try {
    const opened = await ask("open", { root });
    return {
      name: "fff",
      opened,
      pid,
      asks: ({ type }) => type === undefined,
      search: (question) => ask("search", { question }),
      whole: async (question) => ({ counts: new Map((await ask("whole", { question })).counts) }),
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
