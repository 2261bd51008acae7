/** Opens the tools of a dialect over a session; each dialect is loaded when it is asked for. */
import type { Session } from "../workspace/session.ts";
import type { DialectName } from "./dialects.ts";
import type { House } from "./progress.ts";
import type { CallOptions, ToolResult } from "./result.ts";

/** The tools by name, for whoever does not know which there are. */
export type AnyTools = Readonly<Record<string, (input: never, options?: CallOptions) => Promise<ToolResult>>>;

export interface OpenOptions extends House {
  readonly readOnly: boolean;
  readonly anthropicCompat: boolean;
}

export async function openTools(
  dialect: DialectName,
  session: Session,
  options: OpenOptions,
): Promise<AnyTools> {
  const { readOnly } = options;
  if (dialect === "claude") return { ...(await import("./claude/tools.ts")).claudeTools(session, options) };
  if (dialect === "boris") return { ...(await import("./boris/tools.ts")).borisTools(session, options) };
  const { quarryTools, readingTools } = await import("./quarry/tools.ts");
  return readOnly ? { ...readingTools(session, options) } : { ...quarryTools(session, options) };
}
