/** `quarry index status|build|verify|drop [DIR]`: picks which, and reads what they have in common. */
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";
import { parseTyped, type Typed } from "./arguments.ts";
import { INDEX_COMMANDS } from "./flags.ts";
import { commandHelp } from "./help.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

export async function indexCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const [verb = "--help", ...rest] = argv;
  if (verb === "--help" || verb === "-h") {
    await out.write(commandHelp("index"));
    return 0;
  }
  const command = INDEX_COMMANDS.find((one) => one === `index ${verb}`);
  if (command === undefined) throw unknownVerb(verb);
  const typed = parseTyped(command, rest);
  if (typed.on("help")) {
    await out.write(commandHelp(command));
    return 0;
  }
  refuseMore(command, typed);
  switch (command) {
    case "index status":
      return (await import("./index-status.ts")).indexStatus(typed, io, out);
    case "index build":
      return (await import("./index-build.ts")).indexBuild(typed, io, out);
    case "index verify":
      return (await import("./index-verify.ts")).indexVerify(typed, io, out);
    case "index drop":
      return (await import("./index-drop.ts")).indexDrop(typed, io, out);
    default:
      return command satisfies never;
  }
}

function refuseMore(command: string, { positionals: [, extra] }: Typed): void {
  if (extra === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `quarry ${command} takes one folder, and ${JSON.stringify(extra)} is another`,
  );
}

function unknownVerb(verb: string): ToolError {
  const verbs = INDEX_COMMANDS.map((one) => one.slice("index ".length));
  const near = nearest(verb, verbs);
  return new ToolError("INVALID_INPUT", `There is no command "index ${verb}"`, {
    hint: near === null ? `The commands are ${verbs.join(", ")}` : `Did you mean quarry index ${near}?`,
  });
}
