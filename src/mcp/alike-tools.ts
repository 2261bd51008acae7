/**
 * What the tools of the dialects have in common, and which of them are left out. A name stands for what the tool does: where another dialect has that under another name, or
 * as a command of one tool, it goes as well. Called wherever tools are listed, opened or named in settings.
 */
import { nearest } from "../format/nearest.ts";
import { ToolError } from "../model/errors.ts";
import type { AnyTools } from "../quarry.ts";

const SEARCHES = ["search", "grep", "Grep"];
const FINDS = ["find", "glob", "Glob"];

/** What does the same in each dialect; in the editor of `--anthropic-compat` it is a command. */
const SAME: readonly { readonly names: readonly string[]; readonly commands: readonly string[] }[] = [
  { names: SEARCHES, commands: [] },
  { names: FINDS, commands: [] },
  { names: ["read", "view"], commands: ["view"] },
  { names: ["edit", "str_replace"], commands: ["str_replace"] },
  { names: ["write", "create_file"], commands: ["create", "create_file"] },
];

const EDITOR = "str_replace_editor";

/** Whether a tool looks through whole trees, in any dialect. */
export function isSearch(name: string): boolean {
  return SEARCHES.includes(name) || FINDS.includes(name);
}

interface LeftOut {
  readonly tools: ReadonlySet<string>;
  /** Of the editor. */
  readonly commands: ReadonlySet<string>;
}

function leftOut(disabled: readonly string[]): LeftOut {
  const isNamed = ({ names, commands }: (typeof SAME)[number]): boolean =>
    names.some((name) => disabled.includes(name)) || (commands.length > 0 && disabled.includes(EDITOR));
  const gone = SAME.filter(isNamed);
  const commands = new Set(gone.flatMap((one) => one.commands));
  const hasEditor = SAME.some((one) => one.commands.some((command) => !commands.has(command)));
  return {
    tools: new Set([...gone.flatMap(({ names }) => names), ...(hasEditor ? [] : [EDITOR])]),
    commands,
  };
}

export function isDisabled(name: string, disabled: readonly string[]): boolean {
  return leftOut(disabled).tools.has(name);
}

/** Those that are left. A command that is not is refused where it is called. */
export function withoutDisabled(all: AnyTools, disabled: readonly string[]): AnyTools {
  const { tools, commands } = leftOut(disabled);
  const left = Object.entries(all).filter(([name]) => !tools.has(name));
  if (commands.size === 0) return Object.fromEntries(left);
  return Object.fromEntries(
    left.map(([name, tool]) => [name, name === EDITOR ? refusing(tool, commands) : tool]),
  );
}

function refusing(tool: AnyTools[string], commands: ReadonlySet<string>): AnyTools[string] {
  return async (input, options) => {
    const { command } = (input ?? {}) as { readonly command?: unknown };
    if (typeof command === "string" && commands.has(command)) {
      throw new ToolError("READ_ONLY", `The command ${command} is disabled`, {
        hint: "The server's --disable-tools or the settings of the project leave it out",
      });
    }
    return tool(input, options);
  };
}

/**
 * Of any dialect: a project may be served in each of them. A mistyped one would stay offered.
 * @throws INVALID_INPUT. `isQuoted`: whether a wrong name may be repeated
 */
export async function knownTools(
  where: string,
  names: readonly string[],
  isQuoted = true,
): Promise<readonly string[]> {
  if (names.length === 0) return names;
  const { DIALECTS, toolDefinitions } = await import("../dialects/dialects.ts");
  const all = new Set(
    [...DIALECTS.map((one) => toolDefinitions(one)), toolDefinitions("boris", { anthropicCompat: true })]
      .flat()
      .map(({ name }) => name),
  );
  const unknown = names.find((name) => !all.has(name));
  if (unknown === undefined) return names;
  const near = isQuoted ? nearest(unknown, [...all]) : null;
  const quoted = isQuoted ? `: ${JSON.stringify(unknown)}` : "";
  throw new ToolError("INVALID_INPUT", `${where} names no tool${quoted}`, {
    hint: near === null ? `The tools are ${[...all].join(", ")}` : `Did you mean ${near}?`,
  });
}
