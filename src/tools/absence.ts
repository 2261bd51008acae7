import { absence } from "../engine/absence.ts";
import { listExclusions } from "../engine/exclusions.ts";
import { ABSENCE_TIME } from "../model/limits.ts";
import type { Notice } from "../model/notice.ts";
import type { SearchRequest } from "../model/request.ts";
import { normaliseSearch } from "./normalise.ts";

/** Whether the pattern of a search without matches is in something that the ignore rules left out. */
export async function explainAbsence(
  request: SearchRequest,
  timeMs: number = ABSENCE_TIME,
): Promise<Notice[]> {
  if (request.ignore === "off") return [];
  const { query } = await normaliseSearch(request, process.env);
  const ground = { env: process.env, signal: request.signal };
  const excluded = await listExclusions(query, ground, timeMs);
  return absence(query, { ground, excluded, timeoutMs: timeMs });
}
