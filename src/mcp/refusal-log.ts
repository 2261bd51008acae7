/**
 * Says that requests are refused, and not more often than somebody could read: whoever has no token must not fill the
 * log of the server. The first of a minute have a line each, the others one together. Called by `http.ts`.
 */
import { MCP_REFUSALS, MCP_REFUSALS_TIME } from "../model/limits.ts";
import type { Log } from "./log.ts";

export interface RefusalLog {
  readonly say: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Says what was not said yet. */
  readonly end: () => void;
}

export function refusalLog(log: Log): RefusalLog {
  let count = 0;
  let timer: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const more = count - MCP_REFUSALS;
    count = 0;
    if (more > 0) log("warn", "More requests were refused", { count: more });
  };
  return {
    say: (message, facts) => {
      timer ??= setTimeout(end, MCP_REFUSALS_TIME).unref();
      count += 1;
      if (count <= MCP_REFUSALS) log("warn", message, facts);
    },
    end,
  };
}
