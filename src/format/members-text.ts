/** The members of one folder of an archive, as an agent reads them: folders, then files with their sizes. Pure. */
import { LISTED_MEMBERS } from "../model/limits.ts";
import type { LineRange } from "../model/selector.ts";
import { count, grouped, size } from "./count.ts";
import { bounded, quoteListed, quoteName } from "./escape.ts";

interface Listed {
  readonly path: string;
  readonly kind: "file" | "folder";
  readonly size: number;
  readonly skipped?: string;
}

export function membersText(
  members: readonly Listed[],
  folder: string,
  { archive, complete }: { readonly archive: string; readonly complete: boolean },
  { first, last }: LineRange = { first: 1, last: null },
): { readonly text: string; readonly cut: boolean } {
  const start = folder === "" ? "" : `${folder}/`;
  const folders = new Map<string, number>();
  const files = new Map<string, Listed>();
  for (const member of members) {
    if (!member.path.startsWith(start)) continue;
    const rest = member.path.slice(start.length);
    const slash = rest.indexOf("/");
    if (slash !== -1) folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1);
    else if (member.kind === "folder") folders.set(rest, folders.get(rest) ?? 0);
    else files.set(rest, member);
  }
  const rows = [
    ...[...folders].sort(byName).map(([name, inside]) => `${named(name)}/ (${count(inside, "member")})`),
    ...[...files].sort(byName).map(([name, file]) => `${named(name)}${remarks(file)}`),
  ];
  const end = Math.min(last ?? rows.length, rows.length);
  const shown = rows.slice(first - 1, Math.min(end, first - 1 + LISTED_MEMBERS));
  const next = first + shown.length;
  const place = bounded(quoteName(`${archive}${start === "" ? "" : `:${start}`}`));
  const notes = [
    ...(rows.length === 0 ? ["Empty"] : []),
    ...(rows.length > 0 && first > rows.length
      ? [`${place} has ${count(rows.length, "row")}, and ${grouped(first)} is past them`]
      : []),
    ...(next <= end
      ? [
          `Rows ${grouped(first)}-${grouped(next - 1)} of ${grouped(rows.length)}. Read ${place}:${next}- for more`,
        ]
      : []),
    ...(complete ? [] : ["The archive ends without its end mark and may have been cut off"]),
  ];
  return { text: [...shown, ...notes.map((note) => `[${note}]`)].join("\n"), cut: next <= end };
}

function named(name: string): string {
  return bounded(quoteListed(name));
}

function remarks(file: Listed): string {
  const parts = [
    ...(file.size > 0 ? [size(file.size)] : []),
    ...(file.skipped === undefined ? [] : [file.skipped]),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
