// oh-my-pi's natives (@oh-my-pi/pi-natives): no index, threads in the process, no program to start.
import { fileURLToPath } from "node:url";
import { NOWHERE } from "../questions.mjs";
import { startChild } from "./child.mjs";

const CHILD = fileURLToPath(new URL("./pi-natives-child.mjs", import.meta.url));

export async function openPiNatives(root, folder, bun) {
  const { ask, close, pid } = startChild(bun, [CHILD, folder]);
  try {
    await ask("search", { root, question: NOWHERE });
    return {
      name: "pi-natives",
      pid,
      search: (question) => ask("search", { root, question }),
      whole: async (question) => ({ counts: new Map((await ask("whole", { root, question })).counts) }),
      close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
