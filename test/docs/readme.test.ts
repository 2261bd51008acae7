import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

/** What the README shows is what the program prints. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, text]) => text ?? "",
  );
}

/** The one thing that differs from run to run. */
function withoutTime(text: string): string {
  return text.replaceAll(/"elapsedMs":\d+/g, '"elapsedMs":7');
}

const shown = blocks("console").map((block) => {
  const [command = "", ...output] = block.split("\n");
  return { command: command.replace(/^\$ /, ""), output: output.join("\n") };
});

test("The README has examples of the command line", () => {
  expect(shown.length).toBeGreaterThanOrEqual(5);
});

describe.each(shown)("The README's example `$command`", ({ command, output }) => {
  test("prints what the README says", async () => {
    const script = `quarry() { node ${root}/dist/cli/main.js "$@"; }; ${command} 2>&1; true`;
    const { stdout } = await run("bash", ["-c", script], { cwd: `${root}/docs/example` });
    expect(withoutTime(stdout)).toBe(output);
  });
});

test("The README's library example prints what the README says", async () => {
  const [code = ""] = blocks("js");
  const [output] = blocks("text");
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], { cwd: root });
  expect(stdout).toBe(output);
});
