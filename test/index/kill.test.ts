import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";
import { type KillGround, killGround, killOften } from "./kill.ts";
import { indexed } from "./indexed.ts";
import { answersOf, faultsOf } from "./saved-ground.ts";
import { tree } from "../support/tree.ts";

let ground: KillGround;
beforeAll(async () => {
  ground = await killGround();
});
afterAll(() => ground.remove());

test("A process that is killed while it builds leaves nothing that is wrong, or for long", async () => {
  for (const left of await killOften(ground, 5)) {
    expect(left).toEqual({ said: answersOf([ground.expected]), able: true, faults: [] });
  }
});

test("What it leaves beside its segments goes with the next that saves", async () => {
  const [root, folder] = [tree({ a: "needle\n" }), tree()];
  // So old that it is trusted, and nothing saved anew.
  await sleep(DISTRUSTED_YOUNG + 100);
  const first = await indexed(root, {}, folder);
  await first.close();
  const sound = readdirSync(folder);
  // Of processes that are no more: a lock, one that was about to be taken, one that was taken away, a manifest.
  const dead = 2 ** 22 + 1;
  for (const name of ["lock", `lock.${dead}.x1`, `lock.${dead}.x2.aside`, "manifest.draft", "segment-x"])
    writeFileSync(join(folder, name), String(dead));
  const next = await indexed(root, {}, folder);
  expect(next.keeper.status()).toMatchObject({ phase: "ready", savedByAnother: false });
  await next.close();
  expect(faultsOf(folder, root)).toEqual([]);
  expect(readdirSync(folder)).toEqual(sound);
});
