/**
 * How far something is that takes a while, on stderr: a bar that is drawn over on a terminal, a line every few seconds
 * elsewhere. Used by `quarry index build` and `verify`.
 */
import { grouped } from "../format/count.ts";
import { paint } from "../format/style.ts";
import type { Typed } from "./arguments.ts";
import { type Io, stderrStyle } from "./io.ts";

export interface Progress {
  /** `total` null: nobody knows yet. */
  readonly show: (what: string, done: number, total: number | null, more?: string) => void;
  /** Leaves the line as if nothing had been there. */
  readonly end: () => void;
}

const BAR = 24;
/** Milliseconds between two lines where no terminal is. */
const LINE_PAUSE = 5_000;
/** Clears from here to the end of the line. */
const CLEAR = "\r\x1b[K";

export function openProgress(io: Io, typed: Typed): Progress {
  const style = stderrStyle(io, typed.choice("color"));
  const terminal = io.stderrIsTerminal && io.env["TERM"] !== "dumb";
  const begun = performance.now();
  let lined = begun;
  let drawn = false;
  return {
    show: (what, done, total, more = "") => {
      const amount = total === null ? grouped(done) : `${grouped(done)}/${grouped(total)}`;
      const seconds = `${Math.floor((performance.now() - begun) / 1000)} s`;
      const words = [amount, more, seconds].filter((word) => word !== "").join("  ");
      if (terminal) {
        const [full, empty] = bar(done, total);
        const room = columns(io) - what.length - BAR - 3;
        const line = `${what} ${paint(style, "line", full)}${paint(style, "quiet", empty)} ${words.slice(0, room)}`;
        io.stderr.write(`${CLEAR}${line}`);
        drawn = true;
      } else if (performance.now() - lined >= LINE_PAUSE) {
        lined = performance.now();
        io.stderr.write(`${what} ${words}\n`);
      }
    },
    end: () => {
      if (drawn) io.stderr.write(CLEAR);
      drawn = false;
    },
  };
}

function bar(done: number, total: number | null): [string, string] {
  const full = total === null || total === 0 ? 0 : Math.round((BAR * Math.min(done, total)) / total);
  return ["━".repeat(full), "─".repeat(BAR - full)];
}

/** One short of its width: a full line would begin the next. */
function columns({ stderr }: Io): number {
  const width = "columns" in stderr && typeof stderr.columns === "number" ? stderr.columns : 80;
  return Math.max(40, width) - 1;
}
