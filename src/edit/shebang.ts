/** Does a new file want to be run? Asked by write, which then makes it executable. */

/**
 * `#!` and an absolute path, at the very beginning: what the kernel takes for a script. A blank may stand between.
 * Rust's `#![allow(…)]` begins alike and names no path; behind a byte order mark the kernel sees no script.
 */
const SHEBANG = /^#![ \t]*\/[^\s/]/;

export function wantsExecutable(content: string): boolean {
  return SHEBANG.test(content.slice(0, 1024));
}
