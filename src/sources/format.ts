/** Which files are archives: told by their names, whatever the case. Asked wherever a path is read. */

export type ArchiveFormat = "zip" | "tar" | "tar.gz";

const ENDINGS: readonly (readonly [string, ArchiveFormat])[] = [
  [".zip", "zip"],
  [".jar", "zip"],
  [".whl", "zip"],
  [".tar", "tar"],
  [".tar.gz", "tar.gz"],
  [".tgz", "tar.gz"],
];

export function archiveFormat(path: string): ArchiveFormat | null {
  const name = path.slice(-7).toLowerCase();
  return ENDINGS.find(([ending]) => name.endsWith(ending))?.[1] ?? null;
}
