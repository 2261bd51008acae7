import type { Notice } from "../model/notice.ts";
import type { Query } from "../model/query.ts";
import { exclusions } from "./exclusions.ts";
import { planScope } from "./plan.ts";
import { type Ground, searchFiles } from "./search.ts";

/**
 * For an answer without matches: is the pattern in something that the ignore rules left out? Absence must
 * not look like exclusion. Bounded in time, since it may have to look at a great deal.
 */

const NAMED = 3;

export async function absence(asked: Query, ground: Ground, timeoutMs: number): Promise<Notice[]> {
  if (asked.ignore === "off") return [];
  const query: Query = { ...asked, mode: "files", ignore: "off", order: "none", timeoutMs };
  const found = searchFiles(query, planScope(query), { ...ground, onFound: undefined });
  const paths: string[] = [];
  for await (const { file } of found) {
    paths.push(file.path);
    // One more than is named tells that there are more.
    if (paths.length > NAMED) break;
  }
  if (paths.length === 0) {
    const message = "What ignore rules leave out was not looked at to its end";
    return found.ledger.read().partial ? [{ code: "EXCLUDED", message }] : [];
  }
  const excludedBy = await exclusions(asked, ground, timeoutMs);
  const named = paths.slice(0, NAMED).map((path) => {
    const rule = excludedBy(path);
    return rule === null ? path : `${path} (left out by "${rule.rule}" in ${rule.file})`;
  });
  const more = paths.length > NAMED ? ", and more" : "";
  return [
    {
      code: "EXCLUDED",
      message: `The pattern is in files that ignore rules leave out: ${named.join(", ")}${more}`,
    },
  ];
}
