/**
 * `quarry call TOOL JSON`: one call of a tool as an agent makes it, and exactly the text it gets; with `--details`
 * the whole result. A workspace is opened for it and always closed again.
 */
import { addAbortSignal } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { ToolError } from "../model/errors.ts";
import { DIALECTS, toolDefinitions } from "../quarry.ts";
import { parseTyped, type Typed } from "./arguments.ts";
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
  checkTool(name, typed);
  const input = parseInput(
    given === "-" ? await readText(addAbortSignal(out.ended, io.stdin)) : (given ?? "{}"),
  );
  return callTool(name, input, typed, io, out, {});
}

/** Also of tools that a read-only session leaves out: that is another error. */
function checkTool(name: string, typed: Typed): void {
  const dialect = typed.choice("dialect") ?? "quarry";
  const names = toolDefinitions(dialect, { anthropicCompat: typed.on("anthropic-compat") }).map(
    (tool) => tool.name,
  );
  if (names.includes(name)) return;
  const other = DIALECTS.find((one) => toolDefinitions(one).some((tool) => tool.name === name));
  const near = nearest(name, names);
  const hint =
    other !== undefined && other !== dialect
      ? `It is one of --dialect ${other}; the tools here are ${names.join(", ")}`
      : near === null
        ? `The tools are ${names.join(", ")}`
        : `Did you mean ${near}?`;
  throw new ToolError("INVALID_INPUT", `There is no tool ${JSON.stringify(name)}`, { hint });
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
