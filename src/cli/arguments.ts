/**
 * Turns argv into what was typed: positionals, and for each flag of the table its checked value. Called by
 * every command. What is not in the table, lacks its value or has a wrong one is a ToolError that names the
 * flag and the nearest way to say it.
 */
import { parseArgs } from "node:util";
import { ToolError } from "../model/errors.ts";
import { type ChoiceOf, type Command, FLAGS, type Flag, flagsOf, type NameOf } from "./flags.ts";
import { unknownFlag } from "./unknown.ts";
import { readBytes, readChoice, readDecimal, readInteger } from "./values.ts";

/** What was typed; a flag that was not is false, undefined or an empty list. */
export interface Typed {
  readonly positionals: readonly string[];
  on(name: NameOf<"switch">): boolean;
  text(name: NameOf<"text">): string | undefined;
  list(name: NameOf<"list">): readonly string[];
  integer(name: NameOf<"integer">): number | undefined;
  decimal(name: NameOf<"decimal">): number | undefined;
  bytes(name: NameOf<"bytes">): number | undefined;
  choice<N extends NameOf<"choice">>(name: N): ChoiceOf<N> | undefined;
}

export function parseTyped(command: Command, argv: readonly string[]): Typed {
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  const flags = new Map<string, Flag>(flagsOf(command));
  for (const token of tokensOf(command, argv)) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.get(token.name);
    if (flag === undefined) throw unknownFlag(command, token.rawName);
    const value = checkPresence(flag, token.rawName, token.value);
    given.set(token.name, [...(given.get(token.name) ?? []), value]);
  }
  // A flag given twice means its last value, as in ripgrep; a list means all of them.
  const last = (name: string): string | undefined => given.get(name)?.at(-1);
  return {
    positionals,
    on: (name) => given.has(name),
    text: (name) => last(name),
    list: (name) => given.get(name) ?? [],
    integer: (name) => readInteger(`--${name}`, last(name), FLAGS[name].min),
    decimal: (name) => readDecimal(`--${name}`, last(name), FLAGS[name].min),
    bytes: (name) => readBytes(`--${name}`, last(name)),
    choice: (name) => readChoice(`--${name}`, last(name), FLAGS[name].choices),
  };
}

type Token = NonNullable<ReturnType<typeof parseArgs<{ tokens: true; strict: false }>>["tokens"]>[number];

/** node's own tokens. Not its strict mode: that takes `-e -x` for a mistake, and has messages of its own. */
function tokensOf(command: Command, argv: readonly string[]): Token[] {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple: true }> = {};
  for (const [name, flag] of flagsOf(command)) {
    const type = flag.type === "switch" ? "boolean" : "string";
    options[name] = { type, multiple: true, ...(flag.short === undefined ? {} : { short: flag.short }) };
  }
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function checkPresence(flag: Flag, typed: string, value: string | undefined): string {
  if (flag.type === "switch") {
    if (value === undefined) return "";
    throw new ToolError("INVALID_INPUT", `${typed} takes no value`, { hint: `Leave out =${value}` });
  }
  if (value !== undefined && (value !== "" || flag.type === "list")) return value;
  throw new ToolError("INVALID_INPUT", `${typed} needs a value`, {
    hint: `Write it as ${typed} ${flag.value}`,
  });
}
