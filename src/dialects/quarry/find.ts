/** `find` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import type { Ground } from "../../engine/ground.ts";
import { findText } from "../../format/find-text.ts";
import { AGENT_TEXT, FIND_TIME, FIND_TIME_LEAST, FIND_TIME_MOST, PAGE_PATHS } from "../../model/limits.ts";
import { DEFAULTS } from "../../model/request.ts";
import { agentFind } from "../../tools/agent-find.ts";
import type { Session } from "../../workspace/session.ts";
import { type CommonDetails, commonDetails } from "../details.ts";
import { readFields } from "../fields.ts";
import { FIND_FIELDS } from "./definitions.ts";
import { keepWhole, type Truncation } from "../kept.ts";
import { number, wholeNumber } from "../numbers.ts";
import { type ToolResult, textResult } from "../result.ts";

export interface FindDetails extends CommonDetails {
  readonly truncated: boolean;
  readonly resultLimitReached: boolean;
  readonly timedOut: boolean;
  readonly meta: { readonly limits: { readonly results: number }; readonly truncation?: Truncation };
}

export async function quarryFind(
  session: Session,
  given: unknown,
  ground: Ground,
): Promise<ToolResult<FindDetails>> {
  const input = readFields(FIND_FIELDS, given);
  const limit = Math.min(wholeNumber("limit", input.limit ?? PAGE_PATHS, 1), PAGE_PATHS);
  const seconds = number("timeout", input.timeout ?? FIND_TIME / 1000);
  const timeoutMs = Math.min(Math.max(seconds * 1000, FIND_TIME_LEAST), FIND_TIME_MOST);
  const page = await agentFind(
    session,
    {
      sought: { paths: input.paths },
      kinds: "all",
      hidden: input.hidden ?? true,
      ignore: (input.gitignore ?? true) ? DEFAULTS.scope.ignore : "off",
      exclude: DEFAULTS.vcsFolders,
      links: "skip",
      limit,
      skip: wholeNumber("skip", input.skip ?? 0, 0),
      timeoutMs,
    },
    ground,
  );
  const printed = findText(page, AGENT_TEXT);
  const kept = printed.cut ? await keepWhole(session, printed.whole) : null;
  const text = printed.text(kept?.note ?? "");
  const entries = page.entries.slice(0, printed.entries);
  const files = entries.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
  return textResult(text, {
    ...commonDetails(page, files, printed.nextSkip),
    truncated: printed.nextSkip !== null || page.partial,
    resultLimitReached: page.more,
    timedOut: page.notices.some(({ code }) => code === "TIMED_OUT"),
    meta: {
      limits: { results: limit },
      ...(kept === null ? {} : { truncation: kept.truncation(printed.shown) }),
    },
  });
}
