import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

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

const shown = ["README.md", "docs/tools.md"].flatMap((page) =>
  blocks(page, "console").map((block) => {
    const [command = "", ...output] = block.split("\n");
    return { page, command: command.replace(/^\$ /, ""), output: output.join("\n") };
  }),
);

test("Both pages have examples of the command line", () => {
  expect(new Set(shown.map(({ page }) => page)).size).toBe(2);
  expect(shown.length).toBeGreaterThanOrEqual(10);
});

describe.each(shown)("The example `$command` of $page", ({ command, output }) => {
  test("prints what is shown", async () => {
    const script = `quarry() { node ${root}/dist/cli/main.js "$@"; }; ${command} 2>&1; true`;
    const { stdout } = await run("bash", ["-c", script], { cwd: `${root}/docs/example` });
    expect(withoutTime(stdout)).toBe(output);
  });
});

test("The README's library example prints what the README says", async () => {
  const [code = ""] = blocks("README.md", "js");
  const [output] = blocks("README.md", "text");
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: root });
  expect(stdout).toBe(output);
});
