import { ToolError } from "../model/errors.ts";
import { SEARCH_TIME, SEARCH_TIME_WSL } from "../model/limits.ts";

/** How long a search may take when the caller does not say: QUARRY_TIMEOUT_SECONDS, or 20 s, 60 s on WSL. */

export const TIMEOUT_VARIABLE = "QUARRY_TIMEOUT_SECONDS";

export function searchTimeLimit(env: NodeJS.ProcessEnv): number {
  const given = env[TIMEOUT_VARIABLE];
  if (given === undefined || given.trim() === "") return isWsl(env) ? SEARCH_TIME_WSL : SEARCH_TIME;
  const seconds = Number(given);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new ToolError("INVALID_INPUT", `${TIMEOUT_VARIABLE} is "${given}", not a number of seconds`, {
      hint: `Set it to a positive number such as 30, or unset it`,
    });
  }
  return seconds * 1000;
}

/** Windows' Linux sets one of these in every shell. */
export function isWsl(env: NodeJS.ProcessEnv): boolean {
  return env["WSL_DISTRO_NAME"] !== undefined || env["WSL_INTEROP"] !== undefined;
}
