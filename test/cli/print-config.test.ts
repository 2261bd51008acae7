/** `quarry mcp --print-config`: what a client needs, with what counts of the environment, and never a token. */
import { describe, expect, test } from "vitest";
import { CLIENT_NAMES } from "../../src/cli/client-config.ts";
import { quarry } from "./helpers.ts";

const TOKEN = "0123456789abcdef-token";

async function printed(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return quarry("/home/me", ["mcp", "--print-config", "stdio", "--workdir", "/p", ...argv], { env });
}

describe("the environment", () => {
  test("is written out as flags, folders as they are meant here", async () => {
    const env = {
      QUARRY_READ_ONLY: "1",
      QUARRY_STRUCTURED: "no",
      QUARRY_DENY: "*.{pem,key},.env*",
      QUARRY_ALLOW_DIR: "lib:/x",
      QUARRY_DIALECT: "claude",
      QUARRY_LOG_LEVEL: "debug",
      QUARRY_WORKDIR: "/elsewhere",
    };
    const { stdout } = await printed([], env);
    expect(stdout).toBe(
      "quarry mcp --workdir /p --allow-dir=/home/me/lib --allow-dir=/x '--deny=*.{pem,key}' '--deny=.env*' --read-only --dialect=claude --log-level=debug\n",
    );
  });

  test("gives way to what is typed, and its lists are added to", async () => {
    const env = { QUARRY_DIALECT: "claude", QUARRY_DENY: "a" };
    const { stdout } = await printed(["--dialect", "boris", "--deny=b"], env);
    expect(stdout).toBe("quarry mcp --workdir /p --deny=a --dialect boris --deny=b\n");
  });

  test("is the folder where none is typed", async () => {
    const argv = ["mcp", "--print-config", "stdio"];
    const { stdout } = await quarry("/home/me", argv, { env: { QUARRY_WORKDIR: "sub" } });
    expect(stdout).toBe("quarry mcp --workdir /home/me/sub\n");
  });

  test.each(CLIENT_NAMES)(
    "of a server over HTTP is left out for %s, which is said without the token",
    async (name) => {
      const env = { QUARRY_TRANSPORT: "http", QUARRY_TOKEN: TOKEN, QUARRY_PORT: "9000" };
      const { code, stdout, stderr } = await quarry("/", ["mcp", "--print-config", name], { env });
      expect(code).toBe(0);
      expect(stderr).toContain("Left out, being for --transport http: QUARRY_PORT, QUARRY_TOKEN\n");
      expect(stdout).not.toMatch(/9000|--port|--token/);
      // A client that hands the environment on must get the server that it speaks to.
      expect(stdout).toContain("--transport=stdio");
      expect(`${stdout}${stderr}`).not.toContain(TOKEN);
    },
  );
});

test.each([
  ["--transport=http"],
  ["--transport", "http"],
  ["--host", "127.0.0.1"],
  ["--port=9000"],
  ["--token", TOKEN],
  [`--token=${TOKEN}`],
  ["--generate-token"],
  ["--allowed-host", "x"],
  ["--allowed-origin=x"],
])("%s %s is refused: it is for a server over HTTP", async (...flags) => {
  const { code, stdout, stderr } = await printed(flags.filter((flag) => flag !== undefined));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("[INVALID_INPUT]");
  expect(stderr).toContain("is for a server over HTTP");
  expect(stderr).not.toContain(TOKEN);
});

test("--transport stdio is no mistake", async () => {
  expect((await printed(["--transport", "stdio"])).stdout).toBe(
    "quarry mcp --workdir /p --transport stdio\n",
  );
});
