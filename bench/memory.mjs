// Consumes so many matches and tells how much memory that took at its peak. Started by stream.mjs.
import { search } from "quarry";

const [root, pattern, count] = process.argv.slice(2);
const resident = () => process.memoryUsage().rss / 1e6;
const startMB = Math.round(resident());
let peak = 0;
const sampler = setInterval(() => (peak = Math.max(peak, resident())), 2);
let matches = 0;
for await (const _ of search({ root, pattern, order: "none", timeoutMs: 120_000 })) {
  matches++;
  if (matches % 1000 === 0) peak = Math.max(peak, resident());
  if (matches === Number(count)) break;
}
clearInterval(sampler);
process.send({ matches, startMB, peakMB: Math.round(peak) });
process.disconnect();
