import { describe, expect, test } from "vitest";
import { FLAGS, INDEX_COMMANDS } from "../../src/cli/flags.ts";
import { PAGE_FILES, PAGE_PATHS, SEARCH_TIME, SEARCH_TIME_WSL, FIND_TIME } from "../../src/model/limits.ts";
import packageJson from "../../package.json" with { type: "json" };
import { quarry } from "./helpers.ts";

describe("help", () => {
  test("is shown for no command, help, --help and -h", async () => {
    const { stdout, stderr, code } = await quarry("/", []);
    expect(stdout).toContain("quarry search PATTERN [PATH...]");
    expect([stderr, code]).toEqual(["", 0]);
    for (const argv of [["help"], ["--help"], ["-h"]]) expect((await quarry("/", argv)).stdout).toBe(stdout);
  });

  test.each([
    "search",
    "find",
    "index",
    "index status",
    "index build",
    "index verify",
    "index drop",
    "doctor",
  ])("of %s is the same by every way to ask", async (command) => {
    const words = command.split(" ");
    const { stdout, code } = await quarry("/", ["help", ...words]);
    expect(code).toBe(0);
    expect(stdout).toContain("Examples\n  quarry ");
    expect((await quarry("/", [...words, "--help"])).stdout).toBe(stdout);
    expect((await quarry("/", [...words, "-h"])).stdout).toBe(stdout);
  });

  test("names every flag of the table where it belongs, and fits a screen's width", async () => {
    for (const command of ["search", "find", ...INDEX_COMMANDS, "doctor"] as const) {
      const { stdout } = await quarry("/", ["help", ...command.split(" ")]);
      for (const [name, flag] of Object.entries(FLAGS)) {
        const belongs = flag.in.some((one) => one === command);
        expect(
          new RegExp(`^ {2}.{4}--${name}( [A-Z]+)? {2,}\\S`, "m").test(stdout),
          `${command} --${name}`,
        ).toBe(belongs);
      }
      for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  test("shows the numbers that hold", async () => {
    const search = (await quarry("/", ["help", "search"])).stdout;
    expect(search).toContain(`Files on a page: ${PAGE_FILES},`);
    expect(search).toContain(`by then: ${SEARCH_TIME / 1000}, on WSL ${SEARCH_TIME_WSL / 1000}`);
    const find = (await quarry("/", ["help", "find"])).stdout;
    expect(find).toContain(`Paths on a page: ${PAGE_PATHS},`);
    expect(find).toContain(`by then: ${FIND_TIME / 1000}`);
  });

  test("of a command that does not exist names the nearest", async () => {
    const { stderr, code } = await quarry("/", ["help", "serach"]);
    expect([stderr, code]).toEqual([
      'quarry: [INVALID_INPUT] There is no command "serach". Did you mean quarry search?\n',
      2,
    ]);
  });
});

describe("the program's name and version", () => {
  test("are shown by --version", async () => {
    expect(await quarry("/", ["--version"])).toEqual({
      code: 0,
      stdout: `quarry ${packageJson.version}\n`,
      stderr: "",
    });
    expect((await quarry("/", ["-V"])).stdout).toBe(`quarry ${packageJson.version}\n`);
  });
});

describe("an unknown command", () => {
  test("is refused with the nearest one, or with all of them", async () => {
    expect((await quarry("/", ["fnd", "x"])).stderr).toContain("Did you mean quarry find?");
    expect((await quarry("/", ["--verison"])).stderr).toContain("Did you mean quarry --version?");
    const { code, stdout, stderr } = await quarry("/", ["xyzzy"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      'quarry: [INVALID_INPUT] There is no command "xyzzy". The commands are search, find, read, edit, call, mcp, index, doctor; quarry help shows them.\n',
    );
  });
});
