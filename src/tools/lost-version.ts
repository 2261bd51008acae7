import type { Written } from "../edit/commit/commit.ts";

/**
 * Words about what a commit has overwritten: somebody put another file in its place in the instant between the last
 * look and the rename, which nothing can prevent, and nobody shall learn it from the loss. Told by edit and write.
 */
export function lostVersion(label: string, written: Written | undefined): string[] {
  if (written?.overwrote !== true) return [];
  return [
    `${label} was replaced by another program in the instant before it was written, and that version is lost: read it again, and repeat what that program did if it is missing`,
  ];
}
