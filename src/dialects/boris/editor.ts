/**
 * `str_replace_editor`: view, str_replace and create_file as the commands of one tool, as Anthropic's models know it.
 * Each command takes its own fields and no others. A session that may not change files only views.
 */
import { ToolError } from "../../model/errors.ts";
import type { EditGround } from "../../tools/agent-edit.ts";
import type { Session } from "../../workspace/session.ts";
import { type InputOf, readFields } from "../fields.ts";
import type { ToolResult } from "../result.ts";
import type { CreateFileDetails } from "./create-file.ts";
import { EDITOR_FIELDS } from "./file-definitions.ts";
import type { StrReplaceDetails } from "./str-replace.ts";
import { borisView, type ViewDetails } from "./view.ts";

export type EditorDetails = ViewDetails | StrReplaceDetails | CreateFileDetails;

type Input = InputOf<typeof EDITOR_FIELDS>;
type Command = Input["command"];
type Own = Exclude<keyof Input, "command" | "path">;

/** The fields of each command beside its path, and whether it can do without. */
const TAKES: Readonly<Record<Command, Readonly<Partial<Record<Own, "needed" | "optional">>>>> = {
  view: { view_range: "optional" },
  str_replace: { old_str: "needed", new_str: "optional" },
  create: { file_text: "needed" },
};

const OWN: readonly Own[] = ["view_range", "old_str", "new_str", "file_text"];

export interface EditorGround extends EditGround {
  /** Nothing may be changed. */
  readonly readOnly: boolean;
}

export async function borisEditor(
  session: Session,
  given: unknown,
  { readOnly, ...ground }: EditorGround,
): Promise<ToolResult<EditorDetails>> {
  const { command, ...input } = readFields(EDITOR_FIELDS, withOwnName(given));
  if (readOnly && command !== "view") {
    throw new ToolError("READ_ONLY", `${command} changes files, and this session may not`, {
      hint: "Only view can be used",
    });
  }
  refuseFields(command, input);
  const { path } = input;
  switch (command) {
    case "view":
      return borisView(session, { path, view_range: input.view_range }, ground);
    case "str_replace": {
      const { borisStrReplace } = await import("./str-replace.ts");
      return borisStrReplace(session, { path, old_str: input.old_str, new_str: input.new_str }, ground);
    }
    default: {
      const { borisCreateFile } = await import("./create-file.ts");
      return borisCreateFile(session, { path, file_text: input.file_text }, ground);
    }
  }
}

/** The tool by itself is called create_file, and a model may call the command so. */
function withOwnName(given: unknown): unknown {
  const isCreate =
    typeof given === "object" && given !== null && "command" in given && given.command === "create_file";
  return isCreate ? { ...given, command: "create" } : given;
}

function refuseFields(command: Command, input: Omit<Input, "command">): void {
  const takes = TAKES[command];
  for (const name of OWN) {
    const isGiven = input[name] !== undefined;
    if (isGiven && takes[name] === undefined) throw unused(command, name);
    if (!isGiven && takes[name] === "needed") {
      throw new ToolError("INVALID_INPUT", `${command} needs ${name}, and it is missing`);
    }
  }
}

function unused(command: Command, name: Own): ToolError {
  const used = ["path", ...Object.keys(TAKES[command])].join(", ");
  const other = (Object.keys(TAKES) as Command[]).find((one) => TAKES[one][name] !== undefined);
  return new ToolError("INVALID_INPUT", `${command} does not use ${name}; it takes ${used}`, {
    hint: `Leave it out, or use the command ${other}`,
  });
}
