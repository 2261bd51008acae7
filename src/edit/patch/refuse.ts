/** How a patch is refused: the row, what is wrong with it, and the shape to use. Called by all of `edit/patch/`. */
import { ToolError } from "../../model/errors.ts";
import { PATCH_QUOTED } from "../../model/limits.ts";

/** The shapes that go right, for every hint that has to name them all. */
export const OPERATIONS =
  "`replace N..M:`, `replace block N:`, `delete N..M`, `delete block N`, `insert before N:`, `insert after N:`, `insert after block N:`, `insert head:` or `insert tail:`";

export function refuse(row: number, what: string, hint: string): never {
  throw new ToolError("PATCH_INVALID", `Patch line ${row}: ${what}`, { hint });
}

/** A row of the patch as a message shows it, not longer than a message should be. */
export function quoted(text: string): string {
  const shown = text.trimEnd();
  return `\`${shown.length > PATCH_QUOTED ? `${shown.slice(0, PATCH_QUOTED)}…` : shown}\``;
}
