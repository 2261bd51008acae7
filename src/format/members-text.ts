/** The members of one folder of an archive, as an agent reads them: folders, then files with their sizes. Pure. */
import { LISTED_MEMBERS } from "../model/limits.ts";
import { count, size } from "./count.ts";
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
  const cut = rows.length > LISTED_MEMBERS;
  const place = `${quoteName(archive)}${start === "" ? "" : `:${start}`}`;
  const notes = [
    ...(rows.length === 0 ? ["Empty"] : []),
    ...(cut
      ? [`${count(rows.length - LISTED_MEMBERS, "more member")}; name a folder of ${place}, or use find`]
      : []),
    ...(complete ? [] : ["The archive ends without its end mark and may have been cut off"]),
  ];
  return { text: [...rows.slice(0, LISTED_MEMBERS), ...notes.map((note) => `[${note}]`)].join("\n"), cut };
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
