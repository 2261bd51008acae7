import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFiles } from "../../../src/edit/commit/file-locks.ts";
import { runScript, startScript } from "../../support/script.ts";
import { tree } from "../../support/tree.ts";
import { codeOf } from "../../workspace/ground.ts";

const LOCKS = new URL("../../../src/edit/commit/file-locks.ts", import.meta.url).href;

/** Reads a number, waits a little, and writes the next one, so many times. */
async function count(file: string, cache: string, times: number): Promise<void> {
  for (let done = 0; done < times; done++) {
    await withFiles([file], { env: { QUARRY_CACHE_DIR: cache } }, async () => {
      const number = Number(readFileSync(file, "utf8"));
      await new Promise((resolve) => setTimeout(resolve, 1));
      writeFileSync(file, String(number + 1));
    });
  }
}

test("one at a time, in this process and between processes", async () => {
  const cache = tree();
  const file = join(tree({ n: "0" }), "n");
  const script = `const { withFiles } = await import(${JSON.stringify(LOCKS)});
    const { readFileSync, writeFileSync } = await import("node:fs");
    const file = ${JSON.stringify(file)};
    for (let done = 0; done < 40; done++) {
      await withFiles([file], { env: { QUARRY_CACHE_DIR: ${JSON.stringify(cache)} } }, async () => {
        const number = Number(readFileSync(file, "utf8"));
        await new Promise((resolve) => setTimeout(resolve, 1));
        writeFileSync(file, String(number + 1));
      }, 100_000);
    }
    console.log("1");`;
  await Promise.all([count(file, cache, 40), count(file, cache, 40), runScript(script), runScript(script)]);
  expect(readFileSync(file, "utf8")).toBe("160");
  expect(readdirSync(join(cache, "locks"))).toEqual([]);
});

test("calls that want several files in different orders do not wait for each other for ever", async () => {
  const env = { QUARRY_CACHE_DIR: tree() };
  const names = ["/a", "/b", "/c"];
  const calls = Array.from({ length: 30 }, (_, turn) => {
    const wanted = turn % 2 === 0 ? names : names.toReversed();
    return withFiles(wanted, { env }, async () => turn);
  });
  expect(await Promise.all(calls)).toHaveLength(30);
});

test("is let go after an error, and waits no longer than it may", async () => {
  const env = { QUARRY_CACHE_DIR: tree() };
  await expect(withFiles(["/a"], { env }, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  const inner = await withFiles(["/a"], { env }, async () => {
    // Nested in the call that holds it: at once. By another call: not at all.
    const nested = await withFiles(["/a"], { env }, async () => "nested");
    return nested;
  });
  expect(inner).toBe("nested");
  let free: () => void = () => {};
  const holding = withFiles(["/a"], { env }, () => new Promise<void>((resolve) => (free = resolve)));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await codeOf(withFiles(["/a"], { env }, async () => {}, 20))).toBe("WRITE_FAILED");
  free();
  await holding;
  expect(await withFiles(["/a"], { env }, async () => "again")).toBe("again");
});

test("the lock of a process that was killed is taken over by one of many", async () => {
  const cache = tree();
  const file = join(tree({ n: "0" }), "n");
  const child = startScript(
    `const { withFiles } = await import(${JSON.stringify(LOCKS)});
     await withFiles([${JSON.stringify(file)}], { env: { QUARRY_CACHE_DIR: ${JSON.stringify(cache)} } }, async () => {
       console.log("held"); await new Promise(() => setInterval(() => {}, 1000)); });`,
  );
  await new Promise((resolve) => child.stdout?.once("data", resolve));
  expect(readdirSync(join(cache, "locks"))).toHaveLength(1);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));
  await Promise.all([count(file, cache, 3), count(file, cache, 3), count(file, cache, 3)]);
  expect(readFileSync(file, "utf8")).toBe("9");
  expect(readdirSync(join(cache, "locks"))).toEqual([]);
});
