/** What a commit throws: the file is another one, or the disk refused. Used by everything in commit/. */
import { ToolError } from "../../model/errors.ts";
import { codeOf } from "../../workspace/real-path.ts";

/** FILE_CHANGED, with the path that it is about. */
export class FileChanged extends ToolError {
  readonly path: string;
  /** It says what became of somebody else's bytes: whoever tries again must not keep that to himself. */
  readonly mustBeTold: boolean;

  constructor(
    path: string,
    how: string,
    options: { hint?: string; cause?: unknown; mustBeTold?: boolean } = {},
  ) {
    super("FILE_CHANGED", `${path} ${how}`, { hint: "Read it again and repeat the edit", ...options });
    this.path = path;
    this.mustBeTold = options.mustBeTold ?? false;
  }
}

/** What could not be taken back when a commit was undone. */
export interface Undone {
  readonly said: string;
  /** Only because somebody put another version in its place, which stands whole. */
  readonly replaced: boolean;
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

/** The disk failed twice. The journal stays, and whoever comes next settles it. */
export function notUndone(first: unknown, second: unknown): ToolError {
  const why = first instanceof ToolError ? first.message : codeOf(first);
  return new ToolError("WRITE_FAILED", `${why}; it could not be undone either (${codeOf(second)})`, {
    hint: "Start a new session: it finishes or undoes what was begun",
    cause: first,
  });
}

/** With what could not be taken back. */
export function withWords(cause: unknown, words: readonly Undone[]): unknown {
  if (words.length === 0) return cause;
  const said = words.map(({ said }) => said).join("; ");
  const mustBeTold = words.some(({ replaced }) => !replaced);
  if (cause instanceof FileChanged)
    return new FileChanged(cause.path, `was changed by somebody else; ${said}`, { cause, mustBeTold });
  if (!(cause instanceof ToolError)) return cause;
  return new ToolError(cause.code, `${cause.message}; ${said}`, { hint: "Look at these files", cause });
}
