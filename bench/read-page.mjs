// Reads one page of a huge file through the read tool and tells how long that took and how much memory. Started by
// read.mjs. A small file is read before it: a session's first call loads the tool.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createWorkspace } from "../dist/quarry.js";

const [path, asked] = process.argv.slice(2);
const { first, last, tail } = JSON.parse(asked);
const resident = () => process.memoryUsage().rss / 1e6;

const root = dirname(path);
const workspace = await createWorkspace({
  root,
  env: { ...process.env, QUARRY_CACHE_DIR: join(root, "../cache") },
});
writeFileSync(join(root, "small.txt"), "small\n");
await workspace.tools.read({ path: "small.txt" });

const startMB = resident();
let peak = startMB;
const sampler = setInterval(() => (peak = Math.max(peak, resident())), 5);
const started = performance.now();
const lines = tail === undefined ? `${first}-${last}` : `-${tail}`;
const { content } = await workspace.tools.read({ path: `big.log:raw:${lines}` });
const elapsedMs = performance.now() - started;
clearInterval(sampler);
peak = Math.max(peak, resident());
await workspace.close();
process.send({ text: `${content[0].text}\n`, elapsedMs, growthMB: Math.round(peak - startMB) }, () =>
  process.exit(0),
);
