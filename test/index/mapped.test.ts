/**
 * What is written through a shared memory map is told by no event. What is documented of it: it is seen when every file is
 * looked at, which is done now and then where something was asked.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { DISTRUSTED_YOUNG, INDEX_LOOK_AGAIN } from "../../src/model/limits.ts";
import { PATTERN } from "../support/query.ts";
import { plant } from "../support/tree.ts";
import { indexed, WHOLE_TREE } from "./indexed.ts";

/** Node has no memory maps. */
const WRITE = `
import mmap, sys
with open(sys.argv[1], "r+b") as file:
    with mmap.mmap(file.fileno(), 0) as map:
        map[0:6] = b"needle"
        map.flush()
`;
const hasPython = spawnSync("python3", ["-c", ""]).status === 0;

it.skipIf(!hasPython)("a write through memory is seen at the next sweep (needs python3)", async () => {
  const { root, remove } = plant({ "a.txt": "hay hay hay\n", "b.txt": "hay\n" });
  onTestFinished(remove);
  // While it is young it is looked at by every search.
  await sleep(DISTRUSTED_YOUNG + 100);
  const { keeper, close } = await indexed(root);
  onTestFinished(close);
  const files = async (): Promise<readonly string[]> => {
    const answer = await keeper.ask({ pattern: PATTERN, order: "path", scope: WHOLE_TREE, wanted: null });
    if (answer.kind === "unable") throw new Error(answer.why);
    return answer.first.hits.map(({ path }) => path);
  };
  expect(await files()).toEqual([]);
  expect(spawnSync("python3", ["-c", WRITE, join(root, "a.txt")]).status).toBe(0);
  expect(await files()).toEqual([]);
  const real = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => real() + INDEX_LOOK_AGAIN);
  onTestFinished(() => void vi.restoreAllMocks());
  await keeper.settled();
  expect(await files()).toEqual(["a.txt"]);
});
