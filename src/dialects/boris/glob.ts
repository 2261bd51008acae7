/** `glob` as the sibling of Boris's grep: files and folders by their names, under the rules of its walk, newest first. */
import type { Ground } from "../../engine/ground.ts";
import { AGENT_TEXT } from "../../model/limits.ts";
import { agentFind } from "../../tools/agent-find.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { globAnswer, type GlobDetails } from "../glob-answer.ts";
import type { ToolResult } from "../result.ts";
import { GLOB_FIELDS } from "./glob-definition.ts";
import { BORIS_SCOPE } from "./scope.ts";

const KINDS = { file: "files", directory: "folders", both: "all" } as const;

export async function borisGlob(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<GlobDetails>> {
  const { pattern, path, type = "both" } = readFields(GLOB_FIELDS, given);
  const page = await agentFind(
    session,
    {
      sought: { pattern, folder: path },
      kinds: KINDS[type],
      ...BORIS_SCOPE,
      limit: null,
      skip: 0,
      timeoutMs: undefined,
    },
    ground,
  );
  return globAnswer(session, page, AGENT_TEXT);
}
