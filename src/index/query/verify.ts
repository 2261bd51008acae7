import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { TEXT_IN_PROCESS } from "../../model/limits.ts";
import type { Pattern } from "../../model/query.ts";
import { isLineLocal } from "../../regex/line-local.ts";
import { textMatcher } from "../../regex/matcher.ts";
import { holdsOne } from "../../regex/needles.ts";
import { sameStamp } from "../../workspace/stamp.ts";
import type { Entry, Hold } from "../file-table.ts";
import { keyOnDisk } from "../path-key.ts";
import { type Bits, hasBit } from "./bits.ts";
import { prepared } from "./prepared.ts";

/**
 * Looks whether a file that may match does: only the blocks that may, where those decide, else all of it. What only
 * ripgrep can decide stays possible, and the caller asks it. Called by `cursor.ts` for one file after the other.
 */

/** `binary`: it matches before its first NUL byte, and is binary. */
export type Verdict = "matches" | "possible" | "binary" | "nothing";

export interface Verifier {
  /** `blocks`: those of its segment that may match, null for all. */
  readonly verify: (entry: Entry, blocks: Bits | null) => Verdict;
}

export function verifier(root: string, pattern: Pattern): Verifier {
  const matcher = textMatcher(pattern);
  const { needles } = prepared(pattern);
  const local = isLineLocal(pattern);

  const matches = (bytes: Buffer, isStart: boolean): boolean | null => {
    if (!holdsOne(bytes, needles)) return false;
    if (needles.enough) return true;
    if (matcher.kind === "undecided") return null;
    try {
      const text = bytes.toString("utf8");
      return matcher.matches(isStart ? withoutMark(text) : text).next().done !== true;
    } catch {
      // Too long to follow in process.
      return null;
    }
  };

  const whole = (fd: number, size: number): Verdict => {
    if (size > TEXT_IN_PROCESS) return "possible";
    const bytes = readAt(fd, 0, size + 1);
    // It grew: somebody writes, and whoever opens it next sees what it is.
    if (bytes.length > size || isUtf16(bytes)) return "possible";
    const nul = bytes.indexOf(0);
    // Across lines ripgrep does not look at every byte.
    if (nul !== -1 && !local) return "possible";
    const text = nul === -1 ? bytes : bytes.subarray(0, nul);
    if (!isUtf8(text)) return holdsOne(text, needles) ? "possible" : "nothing";
    const found = matches(text, true);
    if (found === false) return "nothing";
    if (found === null) return "possible";
    return nul === -1 ? "matches" : "binary";
  };

  /** null: the blocks do not decide. */
  const byBlocks = (fd: number, { segment, starts }: Hold, doc: number, blocks: Bits): Verdict | null => {
    const indexed = segment.docs[doc];
    if (indexed?.kind !== "text" || !local) return null;
    let from = 0;
    const first = starts[doc] ?? 0;
    for (const [at, length] of indexed.blocks.entries()) {
      if (hasBit(blocks, first + at)) {
        if (length > TEXT_IN_PROCESS) return null;
        const found = matches(readAt(fd, from, length), from === 0);
        if (found === null) return "possible";
        if (found) return "matches";
      }
      from += length;
    }
    return "nothing";
  };

  return {
    verify: (entry, blocks) => {
      let fd = -1;
      try {
        fd = openSync(keyOnDisk(root, entry.key), READ);
        const info = fstatSync(fd);
        if (!info.isFile()) return "nothing";
        const { hold, doc } = entry;
        const asIndexed = hold !== null && blocks !== null && sameStamp(entry, info);
        return (asIndexed ? byBlocks(fd, hold, doc, blocks) : null) ?? whole(fd, info.size);
      } catch (cause) {
        // What cannot be opened is the caller's to tell; what is gone is nothing.
        return (cause as NodeJS.ErrnoException).code === "ENOENT" ? "nothing" : "possible";
      } finally {
        if (fd !== -1) closeSync(fd);
      }
    },
  };
}

const READ = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** As many of these bytes as there are. */
function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  while (at < length) {
    const read = readSync(fd, bytes, at, length - at, from + at);
    if (read === 0) break;
    at += read;
  }
  return bytes.subarray(0, at);
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE();
  return mark === 0xfeff || mark === 0xfffe;
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
