// One commit of three files (renamed, in place, created) in a process of its own, from the build, for `crash.ts` to
// kill or to fail at any of its system calls. A first commit elsewhere loads what is loaded once. Then it says
// "ready", waits for a line, commits, and says how it went.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { commit } from "../../../dist/edit/commit/commit.js";
import { createPolicy } from "../../../dist/workspace/policy.js";

const [root, cache] = process.argv.slice(2);
const env = { QUARRY_CACHE_DIR: cache };
const policy = await createPolicy({ root, globs: () => () => false });
const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");

function changes(folder) {
  const change = (name, before, after) => ({
    path: `${root}/${folder}/${name}`,
    policy,
    before: before ? hash(`${root}/${folder}/${name}`) : null,
    after: Buffer.from(after),
  });
  return [
    change("a.txt", true, "A new\n"),
    change("b.txt", true, "B is new, and longer\n"),
    change("made/c.txt", false, "C new\n"),
  ];
}

await commit(changes("warm"), env);
const work = changes("work");
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
process.stdin.pause();
try {
  const written = await commit(work, env);
  process.stdout.write(written.some(({ overwrote }) => overwrote) ? "done, overwrote\n" : "done\n");
} catch (cause) {
  process.stdout.write(`${cause.code} ${cause.message}\n`);
}
process.exit(0);
