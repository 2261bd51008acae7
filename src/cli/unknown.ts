/**
 * The errors for a command or a flag that is not known, with the way to say what was probably meant. Called by
 * the parser and by `run`. Whoever comes from grep or ripgrep is told what their flag is called here.
 */
import { ToolError } from "../model/errors.ts";
import { COMMANDS, type Command, flagsOf } from "./flags.ts";
import { nearest } from "../format/nearest.ts";

/** Flags of grep, ripgrep and fd that have another name here, or are how it works anyway. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "-l": "Use --mode files",
  "--files-with-matches": "Use --mode files",
  "-c": "Use --mode count",
  "--count": "Use --mode count",
  "-n": "Line numbers are always shown",
  "--line-number": "Line numbers are always shown",
  "-r": "Folders are always searched to the bottom",
  "--hidden": "Hidden files are searched anyway; --no-hidden leaves them out",
  "-.": "Hidden files are searched anyway; --no-hidden leaves them out",
  "-u": "Use --no-ignore",
  "-m": "Use --limit for files",
  "-P": "Look-around and back-references work without it",
  "-s": "Case counts anyway",
  "-H": "Names of files are always shown",
  "--files": "Use quarry find",
};

export function unknownFlag(command: Command, typed: string): ToolError {
  const names = flagsOf(command).map(([name]) => `--${name}`);
  const near = typed.startsWith("--") ? nearest(typed, names) : null;
  let hint = `quarry help ${command} lists the flags; what starts with a dash and is no flag goes after --`;
  if (near !== null) hint = `Did you mean ${near}?`;
  if (command === "search") hint = ELSEWHERE[typed] ?? hint;
  return new ToolError("INVALID_INPUT", `There is no flag ${typed} for quarry ${command}`, { hint });
}

export function unknownCommand(typed: string): ToolError {
  const near = nearest(typed, [...COMMANDS, "help", "--help", "--version"]);
  const hint =
    near === null
      ? `The commands are ${COMMANDS.join(", ")}; quarry help shows them`
      : `Did you mean quarry ${near}?`;
  return new ToolError("INVALID_INPUT", `There is no command ${JSON.stringify(typed)}`, { hint });
}

export function refusePositionals(command: Command, positionals: readonly string[]): void {
  const [first] = positionals;
  if (first === undefined) return;
  throw new ToolError("INVALID_INPUT", `quarry ${command} takes no argument ${JSON.stringify(first)}`, {
    hint: `quarry help ${command} shows how it is called`,
  });
}
