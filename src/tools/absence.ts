import { exclusions } from "../engine/exclusions.ts";
import type { Notice } from "../model/notice.ts";
import type { SearchRequest } from "../model/request.ts";
import { normaliseSearch } from "./normalise.ts";
import { search } from "./search.ts";

/**
 * For an answer without matches: is the pattern in something that the ignore rules left out? Absence must
 * not look like exclusion. Bounded in time, since it may have to look at a great deal.
 */

export const ABSENCE_TIME = 2_000;
const NAMED = 3;

export async function explainAbsence(
  request: SearchRequest,
  timeMs: number = ABSENCE_TIME,
): Promise<Notice[]> {
  if (request.ignore === "off") return [];
  const { query } = await normaliseSearch(request, process.env);
  const { hits, summary } = await search({
    ...request,
    mode: "files",
    ignore: "off",
    order: "none",
    maxFiles: NAMED,
    skipFiles: 0,
    timeoutMs: timeMs,
  }).collect();
  if (hits.length === 0 && summary.partial) {
    return [{ code: "EXCLUDED", message: "What ignore rules leave out was not looked at to its end" }];
  }
  if (hits.length === 0) return [];
  const excludedBy = await exclusions(query, { env: process.env, signal: request.signal }, timeMs);
  const named = hits.map(({ path }) => {
    const rule = excludedBy(path);
    return rule === null ? path : `${path} (left out by "${rule.rule}" in ${rule.file})`;
  });
  const more = summary.more ? ", and more" : "";
  return [
    {
      code: "EXCLUDED",
      message: `The pattern is in files that ignore rules leave out: ${named.join(", ")}${more}`,
    },
  ];
}
