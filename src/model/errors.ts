/**
 * What can go wrong, as codes a program can branch on and sentences a person can act on.
 * The message names the thing, the hint names the way out.
 */

export type ErrorCode =
  /** An argument is of the wrong type, out of range, or not known. */
  | "INVALID_INPUT"
  /** The pattern does not parse, and no repair makes it. */
  | "INVALID_PATTERN"
  /** A glob does not parse. */
  | "INVALID_GLOB"
  /** A file type that ripgrep does not know. */
  | "UNKNOWN_TYPE"
  /** A path that is not there. */
  | "PATH_NOT_FOUND"
  /** A path that is there and may not be read. */
  | "PATH_UNREADABLE"
  /** A search from the root of a file system. */
  | "ROOT_REFUSED"
  /** The root is no folder. */
  | "NOT_A_FOLDER"
  /** A path that the policy denies. */
  | "PATH_DENIED"
  /** A path whose real place is outside the allowed folders. */
  | "PATH_OUTSIDE"
  /** A folder, pipe, socket or device where a file is needed. */
  | "NOT_A_FILE"
  /** A line selector that is read as one and makes no sense. */
  | "SELECTOR_INVALID"
  /** A URL whose protocol is not known. */
  | "URL_UNKNOWN"
  /** A glob in a URL. */
  | "URL_GLOB"
  /** A URL that can be read and not written. */
  | "URL_READ_ONLY"
  /** An artifact that was never there, or was let go. */
  | "ARTIFACT_NOT_FOUND"
  /** The cache folder belongs to somebody else, is open to others, or lies where it must not. */
  | "CACHE_UNSAFE"
  /** A named session that another process holds. */
  | "SESSION_BUSY"
  /** No archive of its kind, cut off, or with a damaged directory. */
  | "ARCHIVE_INVALID"
  /** An archive that would unpack to more than the limits allow. */
  | "ARCHIVE_TOO_LARGE"
  /** No such member in the archive. */
  | "MEMBER_NOT_FOUND"
  /** A member that is there and cannot be read: a link, encrypted, damaged. */
  | "MEMBER_UNREADABLE"
  /** A web page, an image, an office document: known, and not read here. */
  | "KIND_UNSUPPORTED"
  /** Not text, and of no other kind that is read. */
  | "BINARY_FILE"
  /** Bytes whose encoding is not known, where an edit would have to write them. */
  | "ENCODING_UNKNOWN"
  /** Too large to be edited, or to be held. */
  | "FILE_TOO_LARGE"
  /** A program wrote it, and would write it again. */
  | "GENERATED_FILE"
  /** A patch that does not parse. */
  | "PATCH_INVALID"
  /** A tag that this session never gave, or has let go. */
  | "TAG_UNKNOWN"
  /** A tag that was given for another file. */
  | "TAG_OF_OTHER_FILE"
  /** A line past the end of the version that the tag stands for. */
  | "LINE_NOT_FOUND"
  /** A line of that version that was never shown. */
  | "LINE_NOT_SHOWN"
  /** A text that is to be replaced, and is not in the file. */
  | "TEXT_NOT_FOUND"
  /** A text that is to be replaced, and stands there more than once. */
  | "TEXT_AMBIGUOUS"
  /** No block begins on a line. */
  | "BLOCK_NOT_FOUND"
  /** The file is another than the one the edit was made for, and the two cannot be merged. */
  | "FILE_CHANGED"
  /** An edit that leaves everything as it is. */
  | "NO_CHANGE"
  /** The disk refused: no space, no permission, read-only. */
  | "WRITE_FAILED"
  /** Another program listens where a server should. */
  | "PORT_BUSY"
  /** A server has more calls to answer than it takes on; the same call may be made again later. */
  | "SERVER_BUSY"
  /** The session may not change files. */
  | "READ_ONLY"
  /** A fault of ours. */
  | "INTERNAL"
  /** No notebook by its content. */
  | "NOTEBOOK_INVALID"
  /** No database by its content, or a damaged one. */
  | "DATABASE_INVALID"
  /** Another process has the database open, or left a log beside it. */
  | "DATABASE_BUSY"
  /** A statement that is not only a reading one, or more than one. */
  | "SQL_REFUSED"
  /** A statement that SQLite does not accept. */
  | "SQL_FAILED"
  /** No such table, column or row. */
  | "TABLE_NOT_FOUND"
  | "COLUMN_NOT_FOUND"
  | "ROW_NOT_FOUND"
  /** Content that is not what a row needs. */
  | "ROW_INVALID"
  /** A merge conflict that no read has listed, or that is resolved. */
  | "CONFLICT_NOT_FOUND"
  /** The work took longer than it may. */
  | "TIMED_OUT"
  /** No ripgrep where it should be. */
  | "RIPGREP_MISSING"
  /** ripgrep is there and does not start. */
  | "RIPGREP_NOT_EXECUTABLE"
  /** ripgrep ended with an error that fits no other code. */
  | "RIPGREP_FAILED"
  /** Look-around or a back-reference, and a ripgrep without PCRE2. */
  | "PCRE2_UNAVAILABLE"
  /** The caller's AbortSignal fired. */
  | "ABORTED";

export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  /** Rows of the file that the message is about, as they are shown. */
  readonly excerpt: string | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint?: string; excerpt?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.excerpt = options.excerpt;
  }
}
