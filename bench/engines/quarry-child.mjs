// Quarry through the library, in a process of its own. Started by quarry.mjs.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { createWorkspace } from "quarry";
import { answerLines, timed } from "./lines.mjs";

const PAGES = 20;
const POLL = 100;
/** Nothing has happened for so long. */
const SETTLED = 5_000;
let workspace = null;
/** Claude's dialect counts all files in one call; ours goes by pages. The index is the same. */
let counting = null;

await answerLines({
  /** Resolves when the index is ready or cannot be. `warm`: what is only loaded is no part of the times. */
  open: async ({ root, warm }) => {
    if (warm) await (await createWorkspace({ root, readOnly: true })).close();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const built = await timed(async () => {
      workspace = await createWorkspace({ root, index: "now", readOnly: true });
      return ready(workspace);
    });
    delay.disable();
    return {
      status: built.value,
      ms: built.ms,
      // The clock of this process began with it.
      sinceStartMs: performance.now(),
      lag: { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 },
    };
  },
  /** Until the changes so far are indexed, or nothing more happens. */
  settle: async () => {
    let [left, still] = [Infinity, 0];
    while (left > 0 && still < SETTLED) {
      await sleep(POLL);
      const { unindexed = 0 } = (await workspace.indexStatus()) ?? {};
      still = unindexed === left ? still + POLL : 0;
      left = unindexed;
    }
  },
  search: async ({ question }) => {
    const { ms, value } = await timed(() => workspace.tools.search(asked(question)));
    return { ms, ...said(value) };
  },
  whole: async ({ root, question }) => {
    counting ??= await openCounting(root);
    const { pattern, i, type, glob, path } = question;
    const answer = await counting.tools.Grep({
      pattern,
      "-i": i,
      type,
      glob,
      path,
      output_mode: "count",
      head_limit: 0,
    });
    const { engine, engineWhy, partial } = said(answer);
    const text = await wholeText(answer);
    const rows = text.split("\n").map((row) => /^(.+):(\d+)$/.exec(row));
    return {
      engine,
      engineWhy,
      partial,
      counts: rows.flatMap((row) => (row === null ? [] : [[row[1], Number(row[2])]])),
    };
  },
  find: async ({ glob }) => {
    const { ms, value } = await timed(() => workspace.tools.find({ paths: glob }));
    return { ms, ...said(value) };
  },
  /** Page by page, as far as is reasonable. */
  wholeFind: async ({ glob }) => {
    const files = [];
    let skip = 0;
    for (let page = 0; page < PAGES && skip !== null; page++) {
      const { details, isError } = await workspace.tools.find({ paths: glob, skip });
      if (isError && details.code !== "PATH_NOT_FOUND") throw new Error(details.message);
      files.push(...(details.files ?? []));
      skip = details.nextSkip ?? null;
    }
    return { files: files.filter((path) => !path.endsWith("/")), all: skip === null };
  },
});
await counting?.close();
await workspace?.close();

async function openCounting(root) {
  const opened = await createWorkspace({ root, index: "now", dialect: "claude", readOnly: true });
  await ready(opened);
  return opened;
}

async function ready(workspace) {
  for (;;) {
    const status = await workspace.indexStatus();
    if (status !== null && status.phase !== "starting" && status.phase !== "building") return status;
    await sleep(2);
  }
}

function asked({ pattern, i, type, glob, path }) {
  return { pattern, i, type, paths: glob ?? path };
}

function said({ details, isError }) {
  if (isError) throw new Error(details.message);
  const { engine, engineWhy, partial, totalFiles, files, fileMatches } = details;
  return { engine, engineWhy, partial, totalFiles, files, fileMatches };
}

/** What did not fit in the answer was kept whole. */
async function wholeText({ details, content }) {
  const id = details.meta?.truncation?.artifactId;
  if (id === undefined) return content[0].text;
  if (id === null) throw new Error("The whole answer could not be kept");
  return counting.resources.read(`artifact://${id}`);
}
