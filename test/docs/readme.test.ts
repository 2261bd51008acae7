import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plant } from "../support/tree.ts";

/** What the README and the documentation show is what the program prints. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

function blocks(page: string, language: string): string[] {
  const text = readFileSync(`${root}/${page}`, "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text]) => text ?? "",
  );
}

/** The one thing that differs from run to run. */
function withoutTime(text: string): string {
  return text.replaceAll(/"elapsedMs":\d+/g, '"elapsedMs":7');
}

interface Example {
  readonly command: string;
  readonly output: string;
}

/** The first line is the command; lines that begin with `> ` go on with it. */
function example(block: string): Example {
  const [first = "", ...rest] = block.split("\n");
  const end = rest.findIndex((line) => !line.startsWith("> "));
  const more = rest.slice(0, end).map((line) => line.slice(2));
  return { command: [first.replace(/^\$ /, ""), ...more].join("\n"), output: rest.slice(end).join("\n") };
}

/** One after the other, in a copy of the example: what one shows, the next may change. */
describe.each([
  ["README.md", 5],
  ["docs/tools.md", 5],
  ["docs/dialects.md", 1],
])("The examples of %s", (page, least) => {
  const shown = blocks(page, "console").map(example);
  const [copy, cache] = [plant({}), plant({})];
  const env = { ...process.env, QUARRY_CACHE_DIR: cache.root };
  beforeAll(() => cpSync(`${root}/docs/example`, copy.root, { recursive: true, preserveTimestamps: true }));
  afterAll(() => {
    copy.remove();
    cache.remove();
  });

  test("are there", () => {
    expect(shown.length).toBeGreaterThanOrEqual(least);
  });

  test.each(shown)("print what is shown: $command", async ({ command, output }) => {
    const script = `quarry() { node ${root}/dist/cli/main.js "$@"; }; { ${command}\n} 2>&1; true`;
    const { stdout } = await run("bash", ["-c", script], { cwd: copy.root, env });
    expect(withoutTime(stdout)).toBe(output);
  });
});

test("The README's library example prints what the README says", async () => {
  const [code = ""] = blocks("README.md", "js");
  const [output] = blocks("README.md", "text");
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: root });
  expect(stdout).toBe(output);
});
