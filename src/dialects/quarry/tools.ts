/** The tools of Quarry's own dialect over one session. */
import type { Ground } from "../../engine/ground.ts";
import { count } from "../../format/count.ts";
import { quoteName } from "../../format/escape.ts";
import { PAGE_PATHS } from "../../model/limits.ts";
import type { Session } from "../../workspace/session.ts";
import { answering, type Tool } from "../result.ts";
import { updates } from "../updates.ts";
import type { FindInput, SearchInput } from "./definitions.ts";
import { type FindDetails, quarryFind } from "./find.ts";
import { quarrySearch, type SearchDetails } from "./search.ts";

export interface QuarryTools {
  readonly search: Tool<SearchInput, SearchDetails>;
  readonly find: Tool<FindInput, FindDetails>;
}

export function quarryTools(session: Session, env: NodeJS.ProcessEnv): QuarryTools {
  return {
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
