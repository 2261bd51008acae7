/** The tools of Boris's dialect over one session. */
import type { Session } from "../../workspace/session.ts";
import type { GlobDetails } from "../glob-answer.ts";
import { findGround, type House, searchGround } from "../progress.ts";
import { answering, type Tool } from "../result.ts";
import type { CreateFileDetails } from "./create-file.ts";
import type { EditorDetails } from "./editor.ts";
import type { CreateFileInput, EditorInput, StrReplaceInput, ViewInput } from "./file-definitions.ts";
import { borisGlob } from "./glob.ts";
import type { GlobInput } from "./glob-definition.ts";
import { borisGrep, type GrepDetails } from "./grep.ts";
import type { GrepInput } from "./grep-definition.ts";
import type { StrReplaceDetails } from "./str-replace.ts";
import type { ViewDetails } from "./view.ts";

interface BorisSearchTools {
  readonly grep: Tool<GrepInput, GrepDetails>;
  readonly glob: Tool<GlobInput, GlobDetails>;
}

export interface BorisReadingTools extends BorisSearchTools {
  readonly view: Tool<ViewInput, ViewDetails>;
}

export interface BorisWritingTools {
  readonly str_replace: Tool<StrReplaceInput, StrReplaceDetails>;
  readonly create_file: Tool<CreateFileInput, CreateFileDetails>;
}

/** Under `--anthropic-compat`. */
export interface BorisCompatTools extends BorisSearchTools {
  readonly str_replace_editor: Tool<EditorInput, EditorDetails>;
}

export interface BorisOptions extends House {
  readonly readOnly: boolean;
  readonly anthropicCompat: boolean;
}

export function borisTools(
  session: Session,
  options: BorisOptions,
): (BorisReadingTools & Partial<BorisWritingTools>) | BorisCompatTools {
  const searching = searchTools(session, options);
  if (options.anthropicCompat) return { ...searching, str_replace_editor: editor(session, options) };
  const { env } = options;
  const reading: BorisReadingTools = {
    ...searching,
    view: (input, { signal } = {}) =>
      answering(async () => (await import("./view.ts")).borisView(session, input, { env, signal })),
  };
  return options.readOnly ? reading : { ...reading, ...writingTools(session, env) };
}

function searchTools(session: Session, house: BorisOptions): BorisSearchTools {
  const { anthropicCompat } = house;
  return {
    grep: (input, options) =>
      answering(() => borisGrep(session, input, searchGround(house, options), { anthropicCompat })),
    glob: (input, options) => answering(() => borisGlob(session, input, findGround(house, options))),
  };
}

/** Loaded with the first call. */
function writingTools(session: Session, env: NodeJS.ProcessEnv): BorisWritingTools {
  return {
    str_replace: (input, { signal } = {}) =>
      answering(async () =>
        (await import("./str-replace.ts")).borisStrReplace(session, input, { env, signal }),
      ),
    create_file: (input, { signal } = {}) =>
      answering(async () =>
        (await import("./create-file.ts")).borisCreateFile(session, input, { env, signal }),
      ),
  };
}

function editor(session: Session, { env, readOnly }: BorisOptions): BorisCompatTools["str_replace_editor"] {
  return (input, { signal } = {}) =>
    answering(async () =>
      (await import("./editor.ts")).borisEditor(session, input, { env, signal, readOnly }),
    );
}
