/** `str_replace` as an agent of Boris's dialect sees it: a text that stands once in a file gives way to another. */
import { replaceText } from "../../format/replace-text.ts";
import { unifiedDiff } from "../../format/unified-diff.ts";
import { BORIS_FILE } from "../../model/limits.ts";
import type { EditGround } from "../../tools/agent-edit.ts";
import { agentReplace } from "../../tools/agent-replace.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { type ToolResult, textResult } from "../result.ts";
import { STR_REPLACE_FIELDS } from "./file-definitions.ts";
import { inOwnWords } from "./own-words.ts";

export interface StrReplaceDetails {
  readonly path: string;
  readonly diff: string;
  /** As it is numbered now; null where nothing is left. */
  readonly firstChangedLine: number | null;
  readonly linesRemoved: number;
  readonly linesAdded: number;
  readonly warnings: readonly string[];
  readonly meta: { readonly source: string };
}

export async function borisStrReplace(
  session: Session,
  given: unknown,
  ground: EditGround,
): Promise<ToolResult<StrReplaceDetails>> {
  const { path, old_str, new_str } = readFields(STR_REPLACE_FIELDS, given);
  const file = await inOwnWords(() =>
    agentReplace(
      session,
      { path, oldText: old_str, newText: new_str ?? "", largest: session.settings.maxFileSize ?? BORIS_FILE },
      ground,
    ),
  );
  const printed = replaceText(file);
  file.show(printed.shown);
  const [hunk] = file.hunks;
  const changed = hunk?.added[0] ?? hunk?.below[0] ?? hunk?.above.at(-1);
  return textResult(printed.text, {
    path: file.label,
    diff: unifiedDiff(file),
    firstChangedLine: changed?.line ?? null,
    linesRemoved: hunk?.removed.length ?? 0,
    linesAdded: hunk?.added.length ?? 0,
    warnings: file.warnings,
    meta: { source: file.label },
  });
}
