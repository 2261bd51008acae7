/** `write` as an agent of Quarry's own dialect sees it: what it sends, and the text and details it gets. */
import { writeText } from "../../format/write-text.ts";
import type { WritePage } from "../../model/written.ts";
import { agentWrite } from "../../tools/agent-write.ts";
import type { EditGround } from "../../tools/agent-edit.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { type ToolResult, textResult } from "../result.ts";
import { WRITE_FIELDS } from "./definitions.ts";

export interface WriteDetails {
  readonly kind: WritePage["kind"];
  readonly path: string;
  readonly resolvedPath: string | null;
  readonly created: boolean;
  readonly madeExecutable: boolean;
  /** What had been pasted along with the content, and was taken off. */
  readonly stripped: WritePage["stripped"];
  /** Files and the tags that they have now. */
  readonly snapshots: readonly { readonly path: string; readonly tag: string }[];
  readonly warnings: readonly string[];
  readonly meta: { readonly source: string };
}

export async function quarryWrite(
  session: Session,
  given: unknown,
  ground: EditGround,
): Promise<ToolResult<WriteDetails>> {
  const page = await agentWrite(session, readFields(WRITE_FIELDS, given), ground);
  return textResult(writeText(page), {
    kind: page.kind,
    path: page.label,
    resolvedPath: page.realPath,
    created: page.created,
    madeExecutable: page.madeExecutable,
    stripped: page.stripped,
    snapshots: page.snapshots.map(({ label, tag }) => ({ path: label, tag })),
    warnings: page.warnings,
    meta: { source: page.label },
  });
}
