/**
 * A list within the cap on an answer's text: as many of its items as fit beside what is said about them, and the
 * whole of it to be kept elsewhere. Pure; called by the texts of find and glob.
 */
import { fit } from "./fit.ts";

export interface Fitted {
  /** `kept`: where the whole list can be read, if it had to be cut. */
  readonly text: (kept: string) => string;
  readonly whole: string;
  /** What the answer has of the list, without what it says about itself. */
  readonly shown: string;
  readonly entries: number;
  readonly cut: boolean;
}

export interface Parts {
  readonly body: (shown: number) => string;
  /** `kept` is null where nothing was cut. */
  readonly closing: (shown: number, kept: string | null) => string;
  readonly between: string;
}

/** As long as what will be said of an artifact. */
const KEPT = "x".repeat(120);

export function fitted(all: number, bytes: number, { body: bodyOf, closing, between }: Parts): Fitted {
  const bodies = new Map<number, string>();
  // Most lists fit as they are, and are asked for again and again.
  const body = (shown: number): string => {
    const known = bodies.get(shown) ?? bodyOf(shown);
    bodies.set(shown, known);
    return known;
  };
  const render = (shown: number, kept: string): string =>
    [body(shown), closing(shown, shown < all ? kept : null)].filter((part) => part !== "").join(between);
  const entries = fit(all, (shown) => render(shown, KEPT), bytes);
  return {
    text: (kept) => render(entries, kept),
    whole: render(all, ""),
    shown: body(entries),
    entries,
    cut: entries < all,
  };
}
