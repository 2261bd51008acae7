/** An agent that reads, and goes on reading by the selectors it is told. */
import type { ReadDetails, WorkspaceOptions } from "../../src/quarry.ts";
import type { Files } from "../support/tree.ts";
import { type Editor, editor, type Refusal } from "./editor.ts";

export interface Reader extends Editor {
  readonly details: (path: string) => Promise<ReadDetails>;
  /** The error of a read; an answer fails the test. */
  readonly unread: (path: string) => Promise<Refusal>;
  /** What it reads when it follows each answer's next selector to the end. */
  readonly pages: (path: string) => Promise<string[]>;
}

/** More pages than any test has: an answer that leads to itself is found. */
const PAGES = 100;

export async function reader(
  files: Files,
  options: Omit<WorkspaceOptions, "dialect" | "readOnly" | "anthropicCompat"> = {},
): Promise<Reader> {
  const one = await editor(files, options);
  const ask = (path: string): ReturnType<typeof one.workspace.tools.read> =>
    one.workspace.tools.read({ path });
  const details = async (path: string): Promise<ReadDetails> => {
    const result = await ask(path);
    if (result.isError === true) throw new Error(result.content[0].text);
    return result.details as ReadDetails;
  };
  return {
    ...one,
    details,
    unread: async (path) => {
      const result = await ask(path);
      const [{ text }] = result.content;
      if (result.isError !== true) throw new Error(`No error but: ${text}`);
      return { ...(result.details as Refusal), text };
    },
    pages: async (path) => {
      const pages: string[] = [];
      for (let next: string | null = path; next !== null; ) {
        if (pages.length >= PAGES) throw new Error(`No end after ${PAGES} pages: ${next}`);
        pages.push(await one.read(next));
        const said = nextCall(pages.at(-1) ?? "");
        const { path: name, nextSelector } = await details(next);
        const told: string | null = nextSelector === null ? null : `${name}:${nextSelector}`;
        if (said !== told) throw new Error(`The text says ${said}, the details ${told}`);
        next = told;
      }
      return pages;
    },
  };
}

/** The call that an answer's last row names. */
export function nextCall(text: string): string | null {
  return /^\[(?:.* )?Read (.*) for more\]$/.exec(text.split("\n").at(-1) ?? "")?.[1] ?? null;
}

/** The lines of an answer, by their numbers. */
export function numbered(text: string): [line: number, text: string][] {
  return [...text.matchAll(/^(\d+)[:|](.*)$/gm)].map(([, line, row = ""]) => [Number(line), row]);
}

/** The numbers of an answer's lines as ranges: `4-9`, `12`. */
export function shownRanges(text: string): string {
  const ranges: [number, number][] = [];
  for (const [line] of numbered(text)) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/** What stands in brackets at an answer's end, one to a row, without them. */
export function notesIn(text: string): string[] {
  return [...text.matchAll(/^\[(.*)\]$/gm)].map(([, note = ""]) => note);
}

/** The ranges that a summary says it left out. */
export function leftOut(text: string): [first: number, last: number][] {
  const [, ranges = ""] = /lines left out; read what you need of .*?:([\d,-]+)\]$/m.exec(text) ?? [];
  return ranges
    .split(",")
    .filter((range) => range !== "")
    .map((range) => range.split("-").map(Number) as [number, number]);
}
