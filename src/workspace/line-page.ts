/**
 * Picks the lines of some ranges out of a file's bytes, fed chunk by chunk, and lets all others go: what it holds is
 * bounded by the budget, however long the file and its lines are. Called by `line-stream.ts`. Pure.
 */
import type { LineRange } from "../model/selector.ts";
import type { LineCoding } from "./line-coding.ts";

export interface StreamedLine {
  readonly line: number;
  readonly text: string;
  /** false: it was cut to what the budget had left, and is the last one. */
  readonly whole: boolean;
}

/** Lines, and bytes of their text as UTF-8. */
export interface LineBudget {
  readonly lines: number;
  readonly bytes: number;
}

/** Longer than a character and a carriage return together. */
const SLACK = 6;

export class LinePage {
  readonly lines: StreamedLine[] = [];
  readonly #coding: LineCoding;
  readonly #ranges: readonly LineRange[];
  readonly #budget: LineBudget;
  #line: number;
  /** Some of that line was there before. */
  #begun = false;
  #range = 0;
  #bytesLeft: number;
  #cut = false;
  /** Of the current line, what earlier chunks had. */
  #held: Buffer[] = [];
  #heldBytes = 0;

  /** The first byte fed belongs to `line`; ranges are in order, and begin behind that line unless it begins here. */
  constructor(coding: LineCoding, ranges: readonly LineRange[], budget: LineBudget, line: number) {
    this.#coding = coding;
    this.#ranges = ranges;
    this.#budget = budget;
    this.#bytesLeft = budget.bytes;
    this.#line = line;
  }

  /** The line that the next byte belongs to. */
  get line(): number {
    return this.#line;
  }

  /** false: it has all that it may have, and the file goes on behind it. */
  feed(bytes: Buffer): boolean {
    for (let at = 0; at < bytes.length; ) {
      const range = this.#ranges[this.#range];
      if (range === undefined || this.#isFull()) return false;
      at = this.#line < range.first ? this.#skip(bytes, at, range.first) : this.#take(bytes, at, range);
    }
    return true;
  }

  /** At the end of the file: how many lines it has. */
  end(): number {
    const range = this.#ranges[this.#range];
    if (this.#begun && range !== undefined && this.#line >= range.first && !this.#isFull()) this.#push(false);
    return this.#begun ? this.#line : this.#line - 1;
  }

  #isFull(): boolean {
    return this.#cut || this.lines.length >= this.#budget.lines || this.#bytesLeft <= 0;
  }

  #skip(bytes: Buffer, from: number, first: number): number {
    const { newline, unit } = this.#coding;
    let at = from;
    let line = this.#line;
    for (; line < first; line++) {
      const end = newline(bytes, at);
      if (end === -1) break;
      at = end + unit;
    }
    this.#begun = line < first && at < bytes.length;
    this.#line = line;
    return line < first ? bytes.length : at;
  }

  #take(bytes: Buffer, from: number, range: LineRange): number {
    const { newline, unit } = this.#coding;
    const end = newline(bytes, from);
    this.#begun = true;
    this.#hold(bytes.subarray(from, end === -1 ? bytes.length : end), end === -1);
    if (end !== -1 || this.#heldBytes > this.#most()) this.#push(end !== -1);
    if (end === -1) return bytes.length;
    this.#begun = false;
    this.#line += 1;
    if (range.last !== null && this.#line > range.last) this.#range += 1;
    return end + unit;
  }

  /** More bytes than these are more text than may be kept: no coding has less text than bytes, but for UTF-16. */
  #most(): number {
    return (this.#bytesLeft + SLACK) * this.#coding.unit;
  }

  /** `kept` beyond this chunk, whose memory is used again. */
  #hold(piece: Buffer, kept: boolean): void {
    const part = piece.subarray(0, Math.max(0, this.#most() + this.#coding.unit - this.#heldBytes));
    this.#heldBytes += part.length;
    this.#held.push(kept ? Buffer.from(part) : part);
  }

  #push(ended: boolean): void {
    const [only] = this.#held;
    const bytes = this.#held.length === 1 && only !== undefined ? only : Buffer.concat(this.#held);
    const text = this.#coding.decode(bytes, ended);
    this.#held = [];
    this.#heldBytes = 0;
    const length = Buffer.byteLength(text);
    this.#cut = length > this.#bytesLeft;
    this.lines.push({
      line: this.#line,
      text: this.#cut ? clip(text, this.#bytesLeft) : text,
      whole: !this.#cut,
    });
    this.#bytesLeft -= length;
  }
}

/** The beginning of a text that has no more bytes than these, no character cut in two. */
function clip(text: string, length: number): string {
  const bytes = Buffer.from(text);
  let end = length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}
