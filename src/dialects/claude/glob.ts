/** `Glob` as Claude's tools have it: files by their names, newest first, whatever the ignore rules say. */
import type { Ground } from "../../engine/ground.ts";
import { CLAUDE_TEXT, GLOB_FILES } from "../../model/limits.ts";
import { DEFAULTS } from "../../model/request.ts";
import { agentFind } from "../../tools/agent-find.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { globAnswer, type GlobDetails } from "../glob-answer.ts";
import type { ToolResult } from "../result.ts";
import { GLOB_FIELDS } from "./glob-definition.ts";

export async function claudeGlob(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<GlobDetails>> {
  const { pattern, path } = readFields(GLOB_FIELDS, given);
  const { CLAUDE_CODE_GLOB_HIDDEN: hidden, CLAUDE_CODE_GLOB_NO_IGNORE: noIgnore } = ground.env;
  const page = await agentFind(
    session,
    {
      sought: { pattern, folder: path },
      kinds: "files",
      hidden: !isFalsy(hidden),
      ignore: isFalsy(noIgnore) ? DEFAULTS.scope.ignore : "off",
      exclude: DEFAULTS.vcsFolders,
      links: "skip",
      limit: GLOB_FILES,
      skip: 0,
      timeoutMs: undefined,
    },
    ground,
  );
  return globAnswer(session, page, CLAUDE_TEXT);
}

const FALSY: ReadonlySet<string> = new Set(["false", "0", "no", "off"]);

/** Set to a word for no; what is not set is on. */
function isFalsy(word: string | undefined): boolean {
  return FALSY.has((word ?? "").trim().toLowerCase());
}
