/** What an agent reads of a file that it wrote, where files have no tags. Pure. */
import type { Written } from "../model/written.ts";
import { count } from "./count.ts";
import { bounded, escapeText, quoteName } from "./escape.ts";

export interface CreatedText extends Pick<Written, "label" | "created" | "madeExecutable" | "warnings"> {
  readonly stripped: "nothing" | "header" | "prefixes" | "both";
  readonly bytes: number;
  readonly lines: number;
}

export function createText(file: CreatedText): string {
  const { label, created, bytes, lines, madeExecutable, stripped, warnings } = file;
  const notes = [
    ...(madeExecutable ? ["Made executable, because it begins with #!"] : []),
    ...(stripped === "nothing" ? [] : [`${STRIPPED[stripped]} taken off the content`]),
    ...warnings.map((warning) => escapeText(warning)),
  ];
  const said = `${created ? "Created" : "Replaced"} ${bounded(quoteName(label))}: ${count(bytes, "byte")}, ${count(lines, "line")}`;
  return [said, ...notes.map((note) => `[${note}]`)].join("\n");
}

const STRIPPED = {
  header: "The pasted header was",
  prefixes: "The pasted line numbers were",
  both: "The pasted header and line numbers were",
} as const;
