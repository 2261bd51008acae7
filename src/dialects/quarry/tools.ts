/** The tools of Quarry's own dialect over one session. */
import type { Ground } from "../../engine/ground.ts";
import { count } from "../../format/count.ts";
import { quoteName } from "../../format/escape.ts";
import { PAGE_PATHS } from "../../model/limits.ts";
import type { Session } from "../../workspace/session.ts";
import { answering, type Tool } from "../result.ts";
import { updates } from "../updates.ts";
import type { EditInput, FindInput, ReadInput, SearchInput, WriteInput } from "./definitions.ts";
import type { EditDetails } from "./edit.ts";
import { type FindDetails, quarryFind } from "./find.ts";
import type { ReadDetails } from "./read.ts";
import { quarrySearch, type SearchDetails } from "./search.ts";
import type { WriteDetails } from "./write.ts";

export interface ReadingTools {
  readonly search: Tool<SearchInput, SearchDetails>;
  readonly find: Tool<FindInput, FindDetails>;
  readonly read: Tool<ReadInput, ReadDetails>;
}

export interface WritingTools {
  readonly edit: Tool<EditInput, EditDetails>;
  readonly write: Tool<WriteInput, WriteDetails>;
}

export type QuarryTools = ReadingTools & WritingTools;

export function quarryTools(session: Session, env: NodeJS.ProcessEnv): QuarryTools {
  return { ...readingTools(session, env), ...writingTools(session, env) };
}

/** Those that change files; left out where that is not wanted. Loaded with the first call. */
function writingTools(session: Session, env: NodeJS.ProcessEnv): WritingTools {
  return {
    edit: (input, { signal } = {}) =>
      answering(async () => (await import("./edit.ts")).quarryEdit(session, input, { env, signal })),
    write: (input, { signal } = {}) =>
      answering(async () => (await import("./write.ts")).quarryWrite(session, input, { env, signal })),
  };
}

export function readingTools(session: Session, env: NodeJS.ProcessEnv): ReadingTools {
  return {
    read: (input, { signal } = {}) =>
      answering(async () => (await import("./read.ts")).quarryRead(session, input, { env, signal })),
    search: (input, { signal, onUpdate } = {}) => {
      const update = updates(onUpdate);
      let files = 0;
      const ground: Ground = {
        env,
        signal,
        onFound: () => {
          files += 1;
          update(() => `${count(files, "file")} with matches so far`);
        },
      };
      return answering(() => quarrySearch(session, input, ground));
    },
    find: (input, { signal, onUpdate } = {}) => {
      const update = updates(onUpdate);
      const paths: string[] = [];
      let found = 0;
      const ground: Ground = {
        env,
        signal,
        onFound: ({ path, pathBytes }, kind) => {
          found += 1;
          if (paths.length < PAGE_PATHS)
            paths.push(`${quoteName(path, pathBytes)}${kind === "folder" ? "/" : ""}`);
          update(() =>
            [...paths, ...(found > paths.length ? [`[${count(found, "path")} so far]`] : [])].join("\n"),
          );
        },
      };
      return answering(() => quarryFind(session, input, ground));
    },
  };
}
