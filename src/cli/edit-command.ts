/** `quarry edit [FILE]`: a patch from a file or from stdin, applied. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { ToolError } from "../model/errors.ts";
import { parseTyped } from "./arguments.ts";
import { callTool } from "./call-tool.ts";
import { commandHelp } from "./help.ts";
import { type Io, say } from "./io.ts";
import type { Output } from "./output.ts";
import { everything } from "./read-command.ts";

export async function editCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("edit", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("edit"));
    return 0;
  }
  const [file = "-", extra] = typed.positionals;
  if (extra !== undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `quarry edit takes one patch, and ${JSON.stringify(extra)} is another`,
    );
  }
  const input = file === "-" ? await patchTyped(io, out) : await patchFrom(io, file);
  return callTool("edit", { input }, typed, io, out, everything(io));
}

async function patchTyped(io: Io, out: Output): Promise<string> {
  // Without a word it would look as if nothing happened.
  if ("isTTY" in io.stdin && io.stdin.isTTY === true)
    await say(io, "Type or paste a patch; Ctrl-D ends it\n");
  return readText(addAbortSignal(out.ended, io.stdin));
}

function patchFrom({ cwd }: Io, file: string): Promise<string> {
  return readFile(resolve(cwd, file), "utf8").catch((cause: unknown) => {
    const { code = "UNKNOWN" } = cause as NodeJS.ErrnoException;
    throw new ToolError(
      code === "ENOENT" ? "PATH_NOT_FOUND" : "PATH_UNREADABLE",
      `The patch ${file} cannot be read: ${code}`,
      {
        hint: "Name a file, or give the patch on stdin",
        cause,
      },
    );
  });
}
