/** `edit` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import { editText } from "../../format/edit-text.ts";
import { unifiedDiff } from "../../format/unified-diff.ts";
import { AGENT_TEXT } from "../../model/limits.ts";
import type { EditedFile } from "../../model/edited.ts";
import { agentEdit, type EditGround } from "../../tools/agent-edit.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { type ToolResult, textResult } from "../result.ts";
import { EDIT_FIELDS } from "./definitions.ts";

export interface FileEdit {
  readonly path: string;
  readonly tag: string;
  readonly op: "update";
  readonly diff: string;
  /** As it is numbered now. */
  readonly firstChangedLine: number | null;
  /** Changes that others made since were kept. */
  readonly merged: boolean;
  /** Lines of the version that was shown, and what is added to their numbers now; `last` null: to the end. */
  readonly moves: readonly { readonly first: number; readonly last: number | null; readonly by: number }[];
  readonly warnings: readonly string[];
}

export interface EditDetails {
  readonly op: "update";
  /** Of all files. */
  readonly diff: string;
  readonly firstChangedLine: number | null;
  readonly warnings: readonly string[];
  readonly perFileResults: readonly FileEdit[];
  readonly meta: { readonly source: readonly string[] };
}

export async function quarryEdit(
  session: Session,
  given: unknown,
  ground: EditGround,
): Promise<ToolResult<EditDetails>> {
  const { input } = readFields(EDIT_FIELDS, given);
  const { files, warnings } = await agentEdit(session, input, ground);
  const printed = editText(files, warnings, AGENT_TEXT);
  for (const [at, file] of files.entries()) file.show(printed.shown[at] ?? []);
  const results = files.map(fileEdit);
  return textResult(printed.text, {
    op: "update",
    diff: results.map(({ diff }) => diff).join(""),
    firstChangedLine: results[0]?.firstChangedLine ?? null,
    warnings: [...warnings, ...files.flatMap((file) => file.warnings)],
    perFileResults: results,
    meta: { source: files.map(({ label }) => label) },
  });
}

function fileEdit(file: EditedFile): FileEdit {
  const [first] = file.hunks;
  const changed = first?.added[0] ?? first?.below[0] ?? first?.above.at(-1);
  return {
    path: file.label,
    tag: file.tag,
    op: "update",
    diff: unifiedDiff(file),
    firstChangedLine: changed?.line ?? null,
    merged: file.merged,
    moves: file.moves.map(({ first, last, by }) => ({
      first,
      last: Number.isFinite(last) ? last : null,
      by,
    })),
    warnings: file.warnings,
  };
}
