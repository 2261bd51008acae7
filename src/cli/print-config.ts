/**
 * `quarry mcp --print-config CLIENT`: on stdout what goes into the client's file, on stderr which file that is. The
 * client starts the server by itself and may not see the environment of this call, so what is set there is written out.
 */
import { resolve } from "node:path";
import { ToolError } from "../model/errors.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { clientConfig } from "./client-config.ts";
import { twinOf, twins } from "./environment-twins.ts";
import { type Flag, flagsOf } from "./flags.ts";
import { type Io, say } from "./io.ts";
import type { Output } from "./output.ts";

/** What only a server over HTTP has. */
const HTTP_ONLY = ["host", "port", "token", "generate-token", "allowed-host", "allowed-origin"] as const;

/** `typed`: with the twins of the environment. */
export async function printConfig(
  client: string,
  typed: Typed,
  argv: readonly string[],
  io: Io,
  out: Output,
): Promise<number> {
  refuseHttp(argv);
  const root = resolve(io.cwd, typed.text("workdir") ?? ".");
  const flags = otherFlags([...fromEnvironment(argv, io.env), ...argv], io.cwd);
  const { title, file, text } = clientConfig(client, root, flags);
  await say(io, `${title}: ${file}\n`);
  const unused = HTTP_ONLY.map((name) => twinOf(name) ?? "").filter((twin) => (io.env[twin] ?? "") !== "");
  if (unused.length > 0) await say(io, `Left out, being for --transport http: ${unused.join(", ")}\n`);
  await out.write(`${text}\n`);
  return 0;
}

/** Their values are not repeated: one of them is a token. @throws INVALID_INPUT */
function refuseHttp(argv: readonly string[]): void {
  const typed = parseTyped("mcp", argv);
  const named = HTTP_ONLY.find((name) => namesFlag(argv, name));
  const wrong = typed.choice("transport") === "http" ? "transport http" : named;
  if (wrong === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `--${wrong} is for a server over HTTP, and --print-config is for one over stdio`,
    {
      hint: "Leave it out; docs/clients.md says what a client of a server over HTTP needs",
    },
  );
}

function namesFlag(argv: readonly string[], name: string): boolean {
  return argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
}

/** What is set there and counts for a server over stdio, as flags; what is typed wins over it, and lists are added to. */
function fromEnvironment(argv: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const flags = new Map<string, Flag>(flagsOf("mcp"));
  const left = new Set<string>(["workdir", "transport", ...HTTP_ONLY]);
  const set = twins("mcp", env).filter((word) => {
    const [, name = ""] = /^--([^=]+)/.exec(word) ?? [];
    return !left.has(name) && (flags.get(name)?.type === "list" || !namesFlag(argv, name));
  });
  // A client that hands on this environment would start another server than the one it speaks to.
  const other = env["QUARRY_TRANSPORT"] === "http" && !namesFlag(argv, "transport");
  return other ? [...set, "--transport=stdio"] : set;
}

/** All but what only concerns this call; a folder is meant from here, wherever a client starts servers. */
function otherFlags(argv: readonly string[], cwd: string): readonly string[] {
  const own = /^--(?:print-config|workdir)(=|$)/;
  return argv
    .filter((word, at) => !own.test(word) && !/^--(?:print-config|workdir)$/.test(argv[at - 1] ?? ""))
    .map((word, at, words) => {
      if (words[at - 1] === "--allow-dir") return resolve(cwd, word);
      const [, folder] = /^--allow-dir=(.*)$/s.exec(word) ?? [];
      return folder === undefined ? word : `--allow-dir=${resolve(cwd, folder)}`;
    });
}
