/**
 * How text for people looks: the colours of its parts, and whether it is meant for a terminal at all.
 * The command line decides the style once; everything else in this room only obeys it.
 */
import { escapeText } from "./escape.ts";

export interface Style {
  readonly colour: boolean;
  /** The text will be shown by a terminal: unsafe characters are spelled out. */
  readonly escape: boolean;
}

/** The parts that have a colour, and ripgrep's own choice for the first three. */
const COLOURS = {
  path: "\x1b[35m",
  line: "\x1b[32m",
  match: "\x1b[1;31m",
  quiet: "\x1b[2m",
  note: "\x1b[33m",
  error: "\x1b[1;31m",
} as const;

export function paint(style: Style, part: keyof typeof COLOURS, text: string): string {
  return style.colour && text !== "" ? `${COLOURS[part]}${text}\x1b[0m` : text;
}

/** A piece of a file's text, as this style shows it. */
export function show(style: Style, text: string): string {
  return style.escape ? escapeText(text) : text;
}
