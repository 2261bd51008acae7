import { ToolError } from "../model/errors.ts";
import { SEARCH_TIME, SEARCH_TIME_WSL } from "../model/limits.ts";

/**
 * How long a search may take when the caller does not say: what the first of two variables says that is set, ours
 * before the one that Claude's tools are known by, or 20 s, 60 s on WSL.
 */

const VARIABLES = ["QUARRY_TIMEOUT_SECONDS", "CLAUDE_CODE_GLOB_TIMEOUT_SECONDS"] as const;

export function searchTimeLimit(env: NodeJS.ProcessEnv): number {
  const variable = timeLimitVariable(env);
  if (variable === null) return isWsl(env) ? SEARCH_TIME_WSL : SEARCH_TIME;
  const given = env[variable] ?? "";
  const seconds = Number(given);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new ToolError("INVALID_INPUT", `${variable} is "${given}", not a number of seconds`, {
      hint: `Set it to a positive number such as 30, or unset it`,
    });
  }
  return seconds * 1000;
}

/** The variable that says it; null where none does. */
export function timeLimitVariable(env: NodeJS.ProcessEnv): string | null {
  return VARIABLES.find((name) => (env[name] ?? "").trim() !== "") ?? null;
}

/** Windows' Linux sets one of these in every shell. */
export function isWsl(env: NodeJS.ProcessEnv): boolean {
  return env["WSL_DISTRO_NAME"] !== undefined || env["WSL_INTEROP"] !== undefined;
}
