/**
 * JSON written as the text around it is: indentation, line ends, blanks, escapes. Called by `notebook.ts`. Pure.
 */
import type { MemberSpan, ValueSpan } from "./json-spans.ts";

export interface JsonStyle {
  /** Empty when all stands on one line. */
  readonly newline: string;
  /** The indentation of one level. */
  readonly unit: string;
  /** Between a key and its value, and between two items on one line. */
  readonly colon: string;
  readonly comma: string;
  /** Is everything beyond ASCII written as an escape? */
  readonly ascii: boolean;
}

/** What stands before the first item of a list or an object, between two, and behind the last. */
export interface Layout {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

/** The style of a text by its outermost object, which has members. */
export function styleOf(text: string, members: readonly MemberSpan[]): JsonStyle {
  const [first, second] = members;
  const before = first === undefined ? "" : blanksBefore(text, first.keyStart);
  const newline = /\r\n|\n|\r/.exec(before)?.[0] ?? "";
  const between = (start = 0, end = 0, usual: string): string => {
    const found = text.slice(start, end);
    return found === "" || /[\r\n]/.test(found) ? usual : found;
  };
  return {
    newline,
    unit: newline === "" ? "" : lastLine(before),
    colon: between(first?.keyEnd, first?.start, ": "),
    comma: newline === "" ? between(first?.end, second?.keyStart, ",") : ", ",
    ascii: !/[^\0-\x7f]/.test(text.slice(1)) && /\\u(?!00[0-7])[0-9a-fA-F]{4}/.test(text),
  };
}

function blanksBefore(text: string, at: number): string {
  return /[ \t\r\n]*$/.exec(text.slice(Math.max(0, at - 1_000), at))?.[0] ?? "";
}

/** What follows the last newline. */
export function lastLine(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}

/** The indentation of the line that an item begins; null when something stands before it on its line. */
export function indentAt(text: string, at: number): string | null {
  const blanks = blanksBefore(text, at);
  return /[\r\n]/.test(blanks) ? lastLine(blanks) : null;
}

/** How items are laid out below a line with this indentation; null: on one line. */
export function layoutAt(style: JsonStyle, indent: string | null): Layout {
  if (indent === null || style.newline === "") return { open: "", separator: style.comma, close: "" };
  const open = `${style.newline}${indent}${style.unit}`;
  return { open, separator: `,${open}`, close: `${style.newline}${indent}` };
}

/** How the items of a list are laid out that has some. */
export function layoutOf(text: string, list: ValueSpan, items: readonly ValueSpan[], comma: string): Layout {
  const first = items[0]?.start ?? list.end - 1;
  const open = text.slice(list.start + 1, first);
  const [, second] = items;
  return {
    open,
    separator:
      second === undefined
        ? /[\r\n]/.test(open)
          ? `,${open}`
          : comma
        : text.slice(items[0]?.end, second.start),
    close: text.slice(items.at(-1)?.end ?? first, list.end - 1),
  };
}

export function writeString(value: string, style: JsonStyle): string {
  const written = JSON.stringify(value);
  if (!style.ascii) return written;
  return written.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function writeList(items: readonly string[], layout: Layout): string {
  return items.length === 0 ? "[]" : `[${layout.open}${items.join(layout.separator)}${layout.close}]`;
}

export function writeObject(
  items: readonly (readonly [key: string, value: string])[],
  layout: Layout,
  style: JsonStyle,
): string {
  const members = items.map(([key, value]) => `${JSON.stringify(key)}${style.colon}${value}`);
  return `{${layout.open}${members.join(layout.separator)}${layout.close}}`;
}
