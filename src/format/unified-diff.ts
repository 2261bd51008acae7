/** An edit as a unified diff, for programs that show or keep one. Made from what was done, not found by comparing. Pure. */
import type { EditedFile } from "../model/edited.ts";
import { quoteName } from "./escape.ts";

export function unifiedDiff({ label, hunks }: Pick<EditedFile, "label" | "hunks">): string {
  const name = quoteName(label);
  let by = 0;
  const parts = hunks.map(({ above, removed, added, below }) => {
    const start = (above[0] ?? added[0] ?? below[0])?.line ?? (removed[0]?.line ?? 1) + by;
    const now = above.length + added.length + below.length;
    const was = above.length + removed.length + below.length;
    const head = `@@ -${range(start - by, was)} +${range(start, now)} @@`;
    by += added.length - removed.length;
    return [
      head,
      ...above.map(({ text }) => ` ${text}`),
      ...removed.map(({ text }) => `-${text}`),
      ...added.map(({ text }) => `+${text}`),
      ...below.map(({ text }) => ` ${text}`),
    ].join("\n");
  });
  return [`--- a/${name}`, `+++ b/${name}`, ...parts, ""].join("\n");
}

/** Of nothing, the line behind which it would be. */
function range(start: number, count: number): string {
  return count === 0 ? `${start - 1},0` : `${start},${count}`;
}
