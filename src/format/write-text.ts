/** What an agent reads of its own write: the new tag, what was done, and what was done besides. Pure. */
import type { WritePage } from "../model/written.ts";
import { escapeText, quoteName } from "./escape.ts";

const STRIPPED: Readonly<Record<WritePage["stripped"], string | null>> = {
  nothing: null,
  header: "The pasted ¶PATH#TAG header was taken off the content",
  prefixes: "The pasted LINE: prefixes were taken off the content",
  both: "The pasted ¶PATH#TAG header and LINE: prefixes were taken off the content",
};

export function writeText(page: WritePage): string {
  const { snapshots, kind, message, madeExecutable, stripped, warnings } = page;
  const headers = snapshots.map(({ label, tag }) => `¶${quoteName(label)}#${tag}`);
  const single = headers.length === 1;
  const told = STRIPPED[stripped];
  const notes = [
    ...(madeExecutable ? ["Made executable, because it begins with #!"] : []),
    ...(told === null ? [] : [told]),
    ...warnings.map((warning) => escapeText(warning)),
  ].map((note) => `[${note}]`);
  const several = !single && kind === "conflicts" ? ["", "Snapshots:", ...headers] : [];
  return [...(single ? headers : []), escapeText(message), ...notes, ...several].join("\n");
}
