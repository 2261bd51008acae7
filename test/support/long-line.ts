/** One line of a size, and what a search of it costs the process that asks. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { runScript } from "./script.ts";
import { tree } from "./tree.ts";

export interface LongLine {
  readonly hits: readonly {
    readonly path: string;
    readonly line: number;
    readonly text: string;
    readonly elidedBytes?: number;
  }[];
  readonly notices: readonly { readonly code: string; readonly path?: string }[];
  readonly partial: boolean;
  /** How much the process grew while it searched, at most. */
  readonly growthMiB: number;
}

/** A file with a short line, then one of this many MiB that holds the needle at its end. */
export async function searchLongLine(mebibytes: number): Promise<LongLine> {
  const root = tree({ "short.txt": "a needle\n" });
  const file = openSync(join(root, "long.txt"), "w");
  const chunk = Buffer.alloc(1 << 20, 'quoted \\"text\\" ');
  writeSync(file, "first\n");
  for (let at = 0; at < mebibytes; at++) writeSync(file, chunk);
  writeSync(file, "needle\nlast\n");
  closeSync(file);
  return (await runScript(
    `const ask = async (paths) => search({ root: ${JSON.stringify(root)}, pattern: "needle$", paths, timeoutMs: 120_000 }).collect();
     await ask("short.txt");
     globalThis.gc?.();
     const before = process.memoryUsage.rss();
     let most = before;
     const clock = setInterval(() => { most = Math.max(most, process.memoryUsage.rss()); }, 5);
     const { hits, summary } = await ask(".");
     clearInterval(clock);
     most = Math.max(most, process.memoryUsage.rss());
     console.log(JSON.stringify({ hits, notices: summary.notices, partial: summary.partial, growthMiB: (most - before) / (1 << 20) }));`,
  )) as LongLine;
}
