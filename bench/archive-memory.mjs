// Searches an archive in which every member matches and tells how much memory that took. Started by archives.mjs.
import { createWorkspace } from "quarry";

const [root, scope] = process.argv.slice(2);
const resident = () => process.memoryUsage().rss / 1e6;
const workspace = await createWorkspace({ root });
// What a first call loads is no memory of the archive's.
await workspace.tools.search({ pattern: "\\w+ \\w", paths: "files/d0" });
const startMB = resident();
let peak = startMB;
const sampler = setInterval(() => (peak = Math.max(peak, resident())), 1);
const { details } = await workspace.tools.search({ pattern: "[a-z]", paths: scope });
clearInterval(sampler);
peak = Math.max(peak, resident());
await workspace.close();
process.send({ files: details.totalFiles, growthMB: Math.round(peak - startMB) });
process.disconnect();
