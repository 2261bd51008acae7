/**
 * Says that requests are refused, and not more often than somebody could read: whoever has no token must not fill the
 * log of the server. The first of a minute and a kind have a line each, the others one together. Called by `http.ts`.
 */
import { MCP_REFUSALS, MCP_REFUSALS_TIME } from "../model/limits.ts";
import type { Log } from "./log.ts";

export interface RefusalLog {
  readonly say: (message: string, facts: Readonly<Record<string, unknown>>) => void;
  /** Says what was not said yet. */
  readonly end: () => void;
}

export function refusalLog(log: Log): RefusalLog {
  /** By what was said: many of one kind must not hide another. */
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    for (const [message, count] of counts) {
      if (count > MCP_REFUSALS) log("warn", message, { more: count - MCP_REFUSALS });
    }
    counts.clear();
  };
  return {
    say: (message, facts) => {
      timer ??= setTimeout(end, MCP_REFUSALS_TIME).unref();
      const count = (counts.get(message) ?? 0) + 1;
      counts.set(message, count);
      if (count <= MCP_REFUSALS) log("warn", message, facts);
    },
    end,
  };
}
