/**
 * A member of an archive, and what its name may be. Used by every reader of this room.
 * A member's path is a label: it never becomes a path of the operating system (T6), and a name that could be
 * taken for a way out of the archive is listed as it is and never read.
 */

/** Why a member's text is not to be had, known from the archive's directory. */
export type MemberSkip =
  /** `..`, absolute, a drive letter, a backslash, NUL, or empty. */
  | "unsafe-path"
  /** A hard or symbolic link; links are never followed. */
  | "link"
  | "encrypted"
  /** A compression or a kind of member that is not read: bzip2, sparse files, devices. */
  | "unsupported"
  | "too-large"
  /** A later member has the same path; unpacking would have replaced this one. */
  | "replaced";

export interface Member {
  /** With `/`, without `.` segments, no slash at either end; the raw name when it is an unsafe path. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Unpacked, as the archive says. */
  readonly size: number;
  readonly mtimeMs: number | null;
  readonly skipped?: MemberSkip;
}

type MemberFacts = Pick<Member, "kind" | "size" | "mtimeMs">;

/** An empty, `.` or `..` segment, a slash at the end among them: few names have one. */
const UNTIDY = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** The path of a member in its one form, empty for the top; null when it is none that is ever read. */
export function memberPath(name: string): string | null {
  if (name === "" || name.startsWith("/") || /[\0\\]/.test(name) || /^[a-z]:/i.test(name)) return null;
  if (!UNTIDY.test(name)) return name;
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? null : parts.join("/");
}

/** A member as listed; null for the top folder itself, which says nothing. */
export function listed(name: string, facts: MemberFacts, skipped: MemberSkip | null): Member | null {
  const { kind, size, mtimeMs } = facts;
  const path = memberPath(name);
  if (path === "" && kind === "folder") return null;
  if (path === null || path === "") return { path: name, kind, size, mtimeMs, skipped: "unsafe-path" };
  return skipped === null ? { path, kind, size, mtimeMs } : { path, kind, size, mtimeMs, skipped };
}

/** Members that a later one of the same path replaces are marked; order and number stay. */
export function markReplaced(members: readonly Member[]): readonly Member[] {
  const last = new Map<string, Member>();
  for (const member of members) if (isNamedFile(member)) last.set(member.path, member);
  return members.map((member) =>
    isNamedFile(member) && last.get(member.path) !== member ? { ...member, skipped: "replaced" } : member,
  );
}

function isNamedFile(member: Member): boolean {
  return member.kind === "file" && member.skipped !== "unsafe-path";
}
