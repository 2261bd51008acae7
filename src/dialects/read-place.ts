/**
 * What the tools that read have in common, whatever they are called: the place that was read, as details, and a text
 * that describes something else than lines, cut and kept where it is too long.
 */
import { bounded, escapeText, quoteName } from "../format/escape.ts";
import { fit } from "../format/fit.ts";
import { AGENT_TEXT } from "../model/limits.ts";
import type { ReadAnswer, ReadPage, ToldPage } from "../model/read-page.ts";
import type { Session } from "../workspace/session.ts";
import { keepWhole, type Truncation } from "./kept.ts";

export interface PlaceDetails {
  readonly kind: ReadPage["kind"];
  readonly path: string;
  /** The file that was read, links resolved; null when it is none on the disk. */
  readonly resolvedPath: string | null;
  readonly isDirectory: boolean;
  /** A path that was not there, and the one that was taken for it. */
  readonly suffixResolution?: { readonly from: string; readonly to: string };
}

export function placeDetails({ page, resolved, realPath }: ReadAnswer): PlaceDetails {
  return {
    kind: page.kind,
    path: page.label,
    resolvedPath: realPath,
    isDirectory: page.kind === "folder",
    ...(resolved === null ? {} : { suffixResolution: resolved }),
  };
}

/** Which path was taken for another, as the first row of an answer; "" for none. */
export function resolvedText(resolved: ReadAnswer["resolved"]): string {
  if (resolved === null) return "";
  return `[${bounded(quoteName(resolved.from))} was not found; this is ${bounded(quoteName(resolved.to))}, the one path that fits]\n`;
}

export interface ToldText {
  readonly text: string;
  /** null when all of it is there. */
  readonly truncation: Truncation | null;
}

/** A text of its own behind what is said first; one that is too long is cut at a line and kept whole. */
export async function toldText(session: Session, page: ToldPage, said: string): Promise<ToldText> {
  const notes = page.notes.map((note) => `[${escapeText(note)}]`);
  const whole = [page.text, ...notes].filter((part) => part !== "").join("\n");
  if (Buffer.byteLength(said) + Buffer.byteLength(whole) <= AGENT_TEXT) {
    return { text: `${said}${whole}`, truncation: null };
  }
  const rows = whole.split("\n");
  const count = fit(rows.length, (shown) => said + rows.slice(0, shown).join("\n"), AGENT_TEXT - NOTE);
  const shown = rows.slice(0, count).join("\n");
  const kept = await keepWhole(session, whole);
  return { text: `${said}${shown}\n[Cut to fit: ${kept.note}]`, truncation: kept.truncation(shown) };
}

/** Room for what is said of a cut. */
const NOTE = 200;
