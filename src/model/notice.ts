/** What an answer has to say about itself: repaired, skipped, cut, guessed. Never an error, never silent. */

export type NoticeCode =
  /** The pattern did not parse as given and was read differently. */
  | "PATTERN_REPAIRED"
  /** Look-around or a back-reference: matched by PCRE2. */
  | "PCRE2_USED"
  /** The pattern holds a newline: matched across lines. */
  | "MULTILINE_USED"
  /** One of several paths is not there. */
  | "PATH_SKIPPED"
  /** A range of lines lies past the end of its file. */
  | "RANGE_EMPTY"
  /** A member of an archive, or a resource, that is no text or cannot be read. */
  | "SOURCE_SKIPPED"
  /** An archive ends without its end mark: it may lack members. */
  | "ARCHIVE_CUT"
  /** A glob that can match nothing as it is used. */
  | "GLOB_IDLE"
  /** A file or folder could not be read. */
  | "UNREADABLE"
  /** A link that leads back to one of its own parents was not followed. */
  | "LOOP_CUT"
  /** The time was up; the answer is what was found by then. */
  | "TIMED_OUT"
  /** ripgrep could not start its threads and ran with one. */
  | "SINGLE_THREAD"
  /** A line too long to hold: its text was left out. */
  | "TEXT_ELIDED"
  /** A file turned out to be binary after matches before its first NUL byte were already passed on. */
  | "LATE_BINARY"
  /** Binary files hold the pattern, and their lines are not shown. */
  | "BINARY_MATCHES"
  /** What the ignore rules left out of an answer without matches. */
  | "EXCLUDED"
  /** Something else that ripgrep had to say, such as a fault in an ignore file. */
  | "RIPGREP_WARNING"
  /** ripgrep ended early; the answer is what was found by then. */
  | "ENDED_EARLY";

export interface Notice {
  readonly code: NoticeCode;
  readonly message: string;
  /** The path it is about, where there is one. */
  readonly path?: string;
}
