/** A feed in a process of its own, to be stopped, or to run as another user. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { tree } from "../support/tree.ts";

const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const CHILD = fileURLToPath(new URL("./feed-child.ts", import.meta.url));

export interface Told {
  readonly touched: readonly string[];
  readonly lost: string | null;
  readonly unreadable: number;
  /** Of every folder, so that it can be said when nothing was heard. */
  readonly hears: boolean;
}

export interface FeedProcess {
  readonly child: ChildProcess;
  readonly look: () => Promise<Told>;
}

/** When it answers, the tree is watched. As another user, once it is loaded. */
export async function feedProcess(root: string, user?: number): Promise<FeedProcess> {
  const child = spawn(process.execPath, ["--import", TSX, CHILD, root, tree(), String(user ?? "")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  return {
    child,
    async look() {
      child.stdin.write("look\n");
      const { value } = await lines.next();
      return JSON.parse(String(value)) as Told;
    },
  };
}
