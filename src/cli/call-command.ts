/**
 * `quarry call TOOL JSON`: one call of a tool as an agent makes it, and exactly the text it gets; with `--details`
 * the whole result. A workspace is opened for it and always closed again.
 */
import { addAbortSignal } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { ToolError } from "../model/errors.ts";
import type { ToolName } from "../quarry.ts";
import { parseTyped } from "./arguments.ts";
import { callTool } from "./call-tool.ts";
import { commandHelp } from "./help.ts";
import { nearest } from "../format/nearest.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

export async function callCommand(argv: readonly string[], io: Io, out: Output): Promise<number> {
  const typed = parseTyped("call", argv);
  if (typed.on("help")) {
    await out.write(commandHelp("call"));
    return 0;
  }
  const [name, given, extra] = typed.positionals;
  if (extra !== undefined) throw usage(`quarry call takes no argument ${JSON.stringify(extra)}`);
  if (name === undefined) throw usage("There is no tool to call");
  const tool = toolName(name);
  const input = parseInput(
    given === "-" ? await readText(addAbortSignal(out.ended, io.stdin)) : (given ?? "{}"),
  );
  return callTool(tool, input, typed, io, out, {});
}

const TOOLS = ["search", "find", "read", "edit", "write"] as const;

function toolName(name: string): ToolName {
  const tool = TOOLS.find((one) => one === name);
  if (tool !== undefined) return tool;
  const near = nearest(name, TOOLS);
  throw new ToolError("INVALID_INPUT", `There is no tool ${JSON.stringify(name)}`, {
    hint: near === null ? `The tools are ${TOOLS.join(", ")}` : `Did you mean ${near}?`,
  });
}

function parseInput(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("INVALID_INPUT", `The input is no JSON: ${why}`, {
      hint: `Write it in single quotes: '{"pattern":"text"}'`,
      cause,
    });
  }
}

function usage(message: string): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint: "quarry help call shows how it is called" });
}
