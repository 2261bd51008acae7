// Reads one page of a huge file and tells how long that took and how much memory. Started by read.mjs.
import { open } from "node:fs/promises";
import { AGENT_TEXT, READ_LINES } from "../dist/model/limits.js";
import { streamLines, tailLines } from "../dist/workspace/line-stream.js";

const [path, asked] = process.argv.slice(2);
const { first, last, tail } = JSON.parse(asked);
const budget = { lines: READ_LINES, bytes: AGENT_TEXT };
const resident = () => process.memoryUsage().rss / 1e6;

const startMB = resident();
let peak = startMB;
const sampler = setInterval(() => (peak = Math.max(peak, resident())), 5);
const started = performance.now();
const file = await open(path);
const { lines } = await (tail === undefined
  ? streamLines(file, [{ first, last }], budget, undefined)
  : tailLines(file, tail, budget, undefined));
await file.close();
const elapsedMs = performance.now() - started;
clearInterval(sampler);
peak = Math.max(peak, resident());
const text = lines.map((line) => `${line.text}\n`).join("");
process.send({ text, elapsedMs, growthMB: Math.round(peak - startMB) }, () => process.exit(0));
