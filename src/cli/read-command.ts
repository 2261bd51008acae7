/** `quarry read PATH[:LINES]`: what an agent is shown of one path, for a person. */
import { parse } from "node:path";
import { ToolError } from "../model/errors.ts";
import { parseTyped } from "./arguments.ts";
import { callTool } from "./call-tool.ts";
import { commandHelp } from "./help.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

/** Where read and edit keep their tags, so that what the one shows the other knows. */
export const SHELL_SESSION = "shell";

export async function readCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("read", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("read"));
    return 0;
  }
  const [path, extra] = typed.positionals;
  if (path === undefined) {
    throw new ToolError("INVALID_INPUT", "There is no path to read", { hint: "quarry help read shows some" });
  }
  if (extra !== undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `quarry read takes one path, and ${JSON.stringify(extra)} is another`,
    );
  }
  return callTool("read", { path }, typed, io, out, everything(io));
}

/** A person at a terminal may touch what the system lets them. */
export function everything({ cwd }: Io): { readonly allow: readonly string[]; readonly session: string } {
  return { allow: [parse(cwd).root], session: SHELL_SESSION };
}
