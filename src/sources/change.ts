/** What is to be changed in an archive, and may it be? Called by whoever rewrites archives, before and after. */
import { ToolError } from "../model/errors.ts";
import type { Member } from "./member.ts";

export interface Change {
  /** In its one form, as `entryName` gives it. */
  readonly path: string;
  readonly content: Buffer;
  /** Is this the member, or one of several, that the new content takes the place of? */
  concerns(member: Member | null): boolean;
}

export function changeOf(path: string, content: Buffer): Change {
  return {
    path,
    content,
    concerns: (member) =>
      member !== null && member.kind === "file" && member.path === path && member.skipped !== "unsafe-path",
  };
}

export function notAFile(archive: string, path: string, what: string): ToolError {
  return new ToolError("NOT_A_FILE", `${archive}:${path} is ${what}`, {
    hint: "Write to another name, or change the archive with its own tool",
  });
}

/** A file may stand here when nothing else of that name does, and nothing above it is a file. */
export function checkPlace(archive: string, members: readonly Member[], { path }: Change): void {
  for (const member of members) {
    if (member.skipped === "unsafe-path") continue;
    if ((member.kind === "folder" && member.path === path) || member.path.startsWith(`${path}/`))
      throw notAFile(archive, path, "a folder");
    if (member.kind === "file" && path.startsWith(`${member.path}/`))
      throw new ToolError("INVALID_INPUT", `${archive}:${member.path} is a file, and holds no others`, {
        hint: "Name an entry whose folders are folders in the archive",
      });
  }
  const { skipped } = members.findLast((member) => member.kind === "file" && member.path === path) ?? {};
  if (skipped === "link") throw notAFile(archive, path, "a link, and links in archives are not followed");
  if (skipped === "encrypted")
    throw new ToolError("MEMBER_UNREADABLE", `${archive}:${path} is encrypted, and would be so no more`, {
      hint: "Change it with the archive's own tool and its password",
    });
}

/** Are all other members there as before, in their order, and the changed one once? */
export function onlyChanged(before: readonly Member[], after: readonly Member[], change: Change): boolean {
  const others = (members: readonly Member[]): string =>
    JSON.stringify(members.filter((member) => !change.concerns(member)));
  return others(before) === others(after) && after.filter((member) => change.concerns(member)).length === 1;
}
