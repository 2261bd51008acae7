/** `create_file` as an agent of Boris's dialect sees it: a whole file, new or in the place of an old one. */
import { createText } from "../../format/create-text.ts";
import { BORIS_FILE } from "../../model/limits.ts";
import { agentCreate, type Created } from "../../tools/agent-create.ts";
import type { EditGround } from "../../tools/agent-edit.ts";
import type { Session } from "../../workspace/session.ts";
import { readFields } from "../fields.ts";
import { type ToolResult, textResult } from "../result.ts";
import { CREATE_FILE_FIELDS } from "./file-definitions.ts";
import { inOwnWords } from "./own-words.ts";

export interface CreateFileDetails {
  readonly path: string;
  readonly resolvedPath: string | null;
  /** false: it took the place of another. */
  readonly created: boolean;
  readonly bytes: number;
  readonly lines: number;
  readonly madeExecutable: boolean;
  /** What had been pasted along with the content, and was taken off. */
  readonly stripped: Created["stripped"];
  readonly warnings: readonly string[];
  readonly meta: { readonly source: string };
}

export async function borisCreateFile(
  session: Session,
  given: unknown,
  ground: EditGround,
): Promise<ToolResult<CreateFileDetails>> {
  const { path, file_text } = readFields(CREATE_FILE_FIELDS, given);
  const largest = session.settings.maxFileSize ?? BORIS_FILE;
  const file = await inOwnWords(() => agentCreate(session, { path, content: file_text, largest }, ground));
  return textResult(createText(file), {
    path: file.label,
    resolvedPath: file.realPath,
    created: file.created,
    bytes: file.bytes,
    lines: file.lines,
    madeExecutable: file.madeExecutable,
    stripped: file.stripped,
    warnings: file.warnings,
    meta: { source: file.label },
  });
}
