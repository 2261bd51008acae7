import { ToolError } from "../model/errors.ts";
import type { FilePath } from "../model/match.ts";
import { compileGlobs } from "../regex/glob.ts";
import { type Archive, openArchive } from "../sources/archive.ts";
import { archiveFormat } from "../sources/format.ts";
import { type Member, memberPath } from "../sources/member.ts";
import { openFile, type Opened } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";
import { rememberedArchive } from "./archive-memory.ts";

/** The archives that one call looks into: each opened, checked and listed once, all closed when the call ends. */

export interface OpenArchives {
  /** By its path on the session's ground. @throws what `openFile` and `openArchive` throw */
  open(path: string): Promise<Archive>;
  close(): Promise<void>;
}

export function openArchives(session: Session, signal: AbortSignal | undefined): OpenArchives {
  const files: Opened[] = [];
  const known = new Map<string, Promise<Archive>>();
  const open = async (path: string): Promise<Archive> => {
    const opened = await openFile(session.policy, path);
    files.push(opened);
    const format = archiveFormat(path);
    if (format === null) throw new ToolError("ARCHIVE_INVALID", `${path} is no archive by its name`);
    return rememberedArchive(session, opened, () =>
      openArchive({ file: opened.handle, format, name: path, signal }),
    );
  };
  return {
    open: (path) => {
      const archive = known.get(path) ?? open(path);
      known.set(path, archive);
      return archive;
    },
    close: async () => {
      await Promise.allSettled(known.values());
      await Promise.all(files.map(({ handle }) => handle.close()));
    },
  };
}

/** A member as the policy sees it: a file below its archive. */
export function memberFile(archive: string, { path }: Pick<Member, "path">): FilePath {
  return { path: `${archive}/${path}` };
}

/** Which members an input means. */
export type Chosen =
  | { readonly kind: "one"; readonly member: Member }
  | { readonly kind: "many"; readonly wants: (member: Member) => boolean };

const GLOB = /[*?[{]/;

/** `name` is what stands behind the colon: nothing, a folder, a file or a glob. null: there is no such member. */
export function chooseMembers(archive: Archive, name: string): Chosen | null {
  const path = memberPath(name);
  if (name === "" || path === "") return { kind: "many", wants: () => true };
  const exact = archive.members.findLast(
    (member) => member.kind === "file" && member.path === (path ?? name),
  );
  if (exact !== undefined && !name.endsWith("/")) return { kind: "one", member: exact };
  if (path === null) return null;
  const below = (member: Member): boolean => member.path.startsWith(`${path}/`);
  if (archive.members.some((member) => below(member) || (member.kind === "folder" && member.path === path))) {
    return { kind: "many", wants: below };
  }
  if (!GLOB.test(path)) return null;
  // As on disk: a glob with a slash is anchored, a bare one means any depth.
  const globs = compileGlobs([path], "path");
  return { kind: "many", wants: (member) => globs.matches(member.path, "file") };
}
