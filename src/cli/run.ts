/**
 * One run of the command line: picks the command, prints whatever goes wrong as one clear line, and returns the
 * exit code. Called by `main.ts`, and by tests with streams of their own. It never throws, and a command's code
 * is loaded only when it is called.
 */
import { errorText } from "../format/error-text.ts";
import { type Io, say, stderrStyle } from "./io.ts";
import { Output, ReaderGone } from "./output.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const out = new Output(io.stdout, io.signal);
  try {
    const code = await command(argv, io, out);
    await out.flush();
    return code;
  } catch (error) {
    return failed(error, io, out);
  }
}

async function command([name, ...rest]: readonly string[], io: Io, out: Output): Promise<number> {
  switch (name) {
    case "search":
      return (await import("./search-command.ts")).searchCommand(rest, io, out);
    case "find":
      return (await import("./find-command.ts")).findCommand(rest, io, out);
    case "read":
      return (await import("./read-command.ts")).readCommand(rest, io, out);
    case "edit":
      return (await import("./edit-command.ts")).editCommand(rest, io, out);
    case "call":
      return (await import("./call-command.ts")).callCommand(rest, io, out);
    case "mcp":
      return (await import("./mcp-command.ts")).mcpCommand(rest, io, out);
    case "index":
      return (await import("./index-command.ts")).indexCommand(rest, io, out);
    case "doctor":
      return (await import("./doctor-command.ts")).doctorCommand(rest, io, out);
    case "--version":
    case "-V":
      await out.write(`quarry ${await (await import("./version.ts")).packageVersion()}\n`);
      return 0;
    case undefined:
    case "help":
    case "--help":
    case "-h":
      await out.write((await import("./help.ts")).help(helpOf(rest)));
      return 0;
    default: {
      const { unknownCommand } = await import("./unknown.ts");
      throw unknownCommand(name);
    }
  }
}

/** Only the commands of `quarry index` have two words. */
function helpOf([name, second]: readonly string[]): string | undefined {
  return name === "index" && second !== undefined ? `${name} ${second}` : name;
}

async function failed(thrown: unknown, io: Io, out: Output): Promise<number> {
  if (io.signal.aborted) {
    await say(io, "quarry: interrupted; what is shown is not everything\n");
    return 2;
  }
  // What was found before the error stays. If it cannot be written any more, that is the news.
  await out.flush().catch(() => {});
  const reason: unknown = out.ended.aborted ? out.ended.reason : thrown;
  if (reason instanceof ReaderGone) return 0;
  await say(io, errorText(stderrStyle(io), reason));
  return 2;
}
