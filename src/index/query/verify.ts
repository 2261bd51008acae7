import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { TEXT_IN_PROCESS } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { isLineLocal } from "../../regex/line-local.ts";
import { textMatcher } from "../../regex/matcher.ts";
import { Haystack, holdsAll } from "../../regex/needles.ts";
import { sameStamp } from "../../workspace/stamp.ts";
import { keyOnDisk } from "../path-key.ts";
import type { Look } from "./look.ts";
import { prepared } from "./prepared.ts";

/**
 * Looks whether a file that may match does: only the parts that may, where those decide, else all of it. What only
 * ripgrep can decide stays possible, and the caller asks it. Called by `looking.ts` and `second-thread.ts` for one file
 * after the other.
 */

/** `binary`: it matches before its first NUL byte, and is binary. */
export type Verdict = "matches" | "possible" | "binary" | "nothing";

export function verifier(root: string, pattern: Pattern): (look: Look) => Verdict {
  const matcher = textMatcher(pattern);
  const { needles } = prepared(pattern);
  const local = isLineLocal(pattern);

  const matches = (bytes: Buffer, isStart: boolean): boolean | null => {
    const text = isStart ? withoutMark(bytes) : bytes;
    try {
      if (matcher.kind === "matcher" && matcher.isIn !== null && !needles.enough) return matcher.isIn(text);
      if (!holdsAll(new Haystack(text), needles)) return false;
      if (needles.enough) return true;
      return matcher.kind === "undecided"
        ? null
        : matcher.matches(text.toString("utf8")).next().done !== true;
    } catch {
      // It cannot be decided in process after all.
      return null;
    }
  };

  const whole = (fd: number, size: number): Verdict => {
    if (size > TEXT_IN_PROCESS) return "possible";
    const bytes = readAt(fd, 0, size + 1, size);
    // It grew: somebody writes, and whoever opens it next sees what it is.
    return bytes.length > size ? "possible" : inBytes(bytes);
  };

  const inBytes = (bytes: Buffer): Verdict => {
    if (isUtf16(bytes)) return "possible";
    // Before anything else is asked of the bytes: this rules most files out.
    if (!holdsAll(new Haystack(bytes), needles)) return "nothing";
    const nul = bytes.indexOf(0);
    // Across lines ripgrep does not look at every byte.
    if (nul !== -1 && !local) return "possible";
    const text = nul === -1 ? bytes : bytes.subarray(0, nul);
    if (!isUtf8(text)) return holdsAll(new Haystack(text), needles) ? "possible" : "nothing";
    const found = matches(text, true);
    if (found === false) return "nothing";
    if (found === null) return "possible";
    return nul === -1 ? "matches" : "binary";
  };

  /** null: the parts do not decide. */
  const inParts = (fd: number, parts: readonly number[]): Verdict | null => {
    for (let at = 0; at < parts.length; at += 2) {
      const [from = 0, length = 0] = [parts[at], parts[at + 1]];
      if (length > TEXT_IN_PROCESS) return null;
      const found = matches(readAt(fd, from, length), from === 0);
      if (found === null) return "possible";
      if (found) return "matches";
    }
    return "nothing";
  };

  return (look) => {
    let fd = -1;
    try {
      fd = openSync(keyOnDisk(root, look.key), READ);
      // One that was just seen is not looked at again if it has as many bytes: a tenth of the time.
      if (look.parts === null && look.size <= TEXT_IN_PROCESS) {
        const bytes = readAt(fd, 0, look.size + 1, look.size);
        if (bytes.length === look.size) return inBytes(bytes);
      }
      const info = fstatSync(fd);
      if (!info.isFile()) return "nothing";
      const asIndexed = look.parts !== null && sameStamp(look, info);
      return (asIndexed ? inParts(fd, look.parts) : null) ?? whole(fd, info.size);
    } catch (cause) {
      // What cannot be opened is the caller's to tell; what is gone, or no file, is nothing.
      return NO_FILE.has((cause as NodeJS.ErrnoException).code ?? "") ? "nothing" : "possible";
    } finally {
      if (fd !== -1) closeSync(fd);
    }
  };
}

/** Gone; a folder; a pipe, of which nothing is read at a place. */
const NO_FILE = new Set(["ENOENT", "EISDIR", "ESPIPE"]);
/** Most blocks, and most files. */
const SCRATCH = 256 * 1024;
const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Read into again and again: nothing of it is kept. */
const scratch = Buffer.allocUnsafeSlow(SCRATCH);

/** As many of these bytes as there are, until the next call. Once there are `enough` the system is not asked again. */
function readAt(fd: number, from: number, length: number, enough: number = length): Buffer {
  const bytes = length <= scratch.length ? scratch : Buffer.allocUnsafeSlow(length);
  let at = 0;
  do {
    const read = readSync(fd, bytes, at, length - at, from + at);
    if (read === 0) break;
    at += read;
  } while (at < enough);
  return bytes.subarray(0, at);
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  return mark === 0xfeff || mark === 0xfffe;
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
