import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { collect } from "../cli/helpers.ts";

const CHILD = fileURLToPath(new URL("thread-child.mjs", import.meta.url));

it("leaves no descriptor open at whatever moment a thread is ended, and has ended it", async () => {
  const { code, stdout, stderr } = await collect(
    spawn(process.execPath, [CHILD], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  expect([code, stderr]).toEqual([0, ""]);
  // A thread that has ended has no number any more.
  expect(JSON.parse(stdout)).toEqual({ left: [], ids: Array.from({ length: 60 }, () => -1) });
});
