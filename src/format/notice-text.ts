/**
 * What an answer has to say about itself, one line each: repaired, skipped, cut. Called before every closing
 * line. Nothing is dropped in silence: where many notices say the same kind of thing, the last line counts them.
 */
import type { Notice, NoticeCode } from "../model/notice.ts";
import { count } from "./count.ts";
import { escapeText, quoteName } from "./escape.ts";
import { paint, type Style } from "./style.ts";

/** Notices of one kind that are spelled out before the others are only counted. */
const SPELLED_OUT = 5;

export function noticeLines(style: Style, notices: readonly Notice[], all: boolean): string[] {
  const seen = new Map<NoticeCode, number>();
  const lines: string[] = [];
  for (const notice of notices) {
    const nth = (seen.get(notice.code) ?? 0) + 1;
    seen.set(notice.code, nth);
    if (all || nth <= SPELLED_OUT) lines.push(note(style, notice.message, notice.path));
  }
  if (all) return lines;
  for (const [code, total] of seen) {
    const held = total - SPELLED_OUT;
    if (held > 0) lines.push(note(style, `${count(held, "more notice")} of ${code} (--all shows every one)`));
  }
  return lines;
}

/** One line, whatever the message and the path hold. */
function note(style: Style, message: string, path?: string): string {
  const about = path === undefined ? "" : `${quoteName(path)}: `;
  return `${paint(style, "note", "note:")} ${about}${escapeText(message).replaceAll("\t", "\\t")}`;
}
