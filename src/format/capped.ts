/**
 * An answer made of lines, within a cap on its bytes: as many lines as fit between what stands before and behind
 * them. Called by the dialects that print lists. Pure.
 */
import { fit } from "./fit.ts";

export interface Capped {
  /** `kept`: where all lines can be had, if some had to be left out. */
  readonly text: (kept: string) => string;
  /** The lines that are there. */
  readonly shown: readonly string[];
  readonly whole: string;
  readonly cut: boolean;
}

export interface Frame {
  readonly before: string;
  readonly lines: readonly string[];
  /** Notes, each on its line in brackets, `kept` first. */
  readonly notes: readonly string[];
  readonly behind: string;
}

/** As long as what will be said of an artifact. */
const KEPT = "x".repeat(120);

export function capped({ before, lines, notes, behind }: Frame, bytes: number): Capped {
  const render = (shown: number, kept: string | null): string => {
    const said = [...(kept === null ? [] : [`Cut to fit: ${kept}`]), ...notes].map((note) => `[${note}]`);
    const body = [before, ...lines.slice(0, shown)].filter((part, at) => at > 0 || part !== "").join("\n");
    return [body, behind, said.join("\n")].filter((part) => part !== "").join("\n\n");
  };
  const most = atMost(lines, bytes);
  const shown = fit(most, (count) => render(count, count < lines.length ? KEPT : null), bytes);
  const cut = shown < lines.length;
  return {
    text: (kept) => render(shown, cut ? kept : null),
    shown: lines.slice(0, shown),
    whole: render(lines.length, null),
    cut,
  };
}

/** How many could fit if nothing else were said: a million lines are not put together to find that out. */
function atMost(lines: readonly string[], bytes: number): number {
  let left = bytes;
  const over = lines.findIndex((line) => (left -= Buffer.byteLength(line) + 1) < -1);
  return over === -1 ? lines.length : over;
}
