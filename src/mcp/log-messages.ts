/** The levels of MCP log messages, from the least to the most. */

/** To the client, where it asked for log messages. */
export type Say = (level: "debug" | "warning" | "error", message: string) => void;

export const LEVELS: readonly string[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

/** Whether a message of this level is said to a client that asked from another level on; null: it did not ask. */
export function isSaid(level: string, from: string | null): boolean {
  return from !== null && LEVELS.indexOf(level) >= LEVELS.indexOf(from);
}
