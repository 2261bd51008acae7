/** What a commit throws: the file is another one, or the disk refused. Used by everything in commit/. */
import { ToolError } from "../../model/errors.ts";
import { codeOf } from "../../workspace/real-path.ts";

/** FILE_CHANGED, with the path that it is about. */
export class FileChanged extends ToolError {
  readonly path: string;

  constructor(path: string, how: string, options: { hint?: string; cause?: unknown } = {}) {
    super("FILE_CHANGED", `${path} ${how}`, { hint: "Read it again and repeat the edit", ...options });
    this.path = path;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left",
  EDQUOT: "the quota is used up",
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "the file system is read-only",
  EIO: "the disk failed",
  ETXTBSY: "it is being executed",
  ENAMETOOLONG: "its name is too long",
};

/** A failed file call as WRITE_FAILED; what is a ToolError stays what it is. */
export function writeFault(path: string, cause: unknown): ToolError {
  if (cause instanceof ToolError) return cause;
  const code = codeOf(cause);
  const reason = REASONS[code];
  const said = reason === undefined ? code : `${reason} (${code})`;
  return new ToolError("WRITE_FAILED", `${path} cannot be written: ${said}`, {
    hint: "Nothing was changed; make room or give permission, and repeat the call",
    cause,
  });
}
