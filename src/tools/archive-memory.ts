import type { Stats } from "node:fs";
import { ARCHIVE_DISTRUSTED, ARCHIVES_REMEMBERED } from "../model/limits.ts";
import type { Archive, MemberText } from "../sources/archive.ts";
import type { Session } from "../workspace/session.ts";

/**
 * The members of archives that a session has looked into, so that the second search of one does not unpack it again.
 * An archive is the same only by device, inode, size and both times, and is opened and checked in every call.
 * Bounded in bytes over all archives; the one that was used longest ago goes first.
 */

interface Remembered {
  readonly identity: string;
  readonly archive: Pick<Archive, "members" | "complete">;
  readonly texts: Map<number, MemberText>;
  bytes: number;
}

const memories = new WeakMap<Session, Map<string, Remembered>>();

/** The archive as it is remembered, if this is it; `open` reads it, and is called only for what is not. */
export async function rememberedArchive(
  session: Session,
  file: { readonly realPath: string; readonly stat: Stats },
  open: () => Promise<Archive>,
): Promise<Archive> {
  const memory = memories.get(session) ?? new Map<string, Remembered>();
  memories.set(session, memory);
  const identity = identityOf(file.stat);
  const known = memory.get(file.realPath);
  let opened: Promise<Archive> | null = null;
  const archive = (): Promise<Archive> => (opened ??= open());
  if (known?.identity !== identity) memory.delete(file.realPath);
  const entry: Remembered =
    known?.identity === identity
      ? known
      : { identity, archive: pick(await archive()), texts: new Map(), bytes: 0 };
  const total = entry.archive.members.reduce((sum, { size }) => sum + size, 0);
  if (total > ARCHIVES_REMEMBERED || isYoung(file.stat)) return archive();
  // Used last, so it goes last.
  memory.delete(file.realPath);
  memory.set(file.realPath, entry);

  const remember = (at: number, text: MemberText): void => {
    if ("skipped" in text && text.skipped === "over-budget") return;
    entry.texts.set(at, text);
    entry.bytes += "bytes" in text ? text.bytes.length : 0;
    bound(memory, file.realPath);
  };

  return {
    ...entry.archive,
    read: async (path) => (await archive()).read(path),
    async *texts(select) {
      const missing = new Set<number>();
      for (const [at, member] of entry.archive.members.entries()) {
        if (member.kind !== "file" || !select(member)) continue;
        const text = entry.texts.get(at);
        if (text === undefined) missing.add(at);
        else yield text;
      }
      if (missing.size === 0) return;
      const source = await archive();
      const places = new Map(source.members.map((member, at) => [member, at]));
      const isMissing = (at: number | undefined): at is number => at !== undefined && missing.has(at);
      for await (const text of source.texts((member) => isMissing(places.get(member)))) {
        const at = places.get(text.member);
        if (isMissing(at)) remember(at, text);
        yield text;
      }
    },
  };
}

function pick({ members, complete }: Archive): Remembered["archive"] {
  return { members, complete };
}

function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs, ctimeMs].join(":");
}

/** A file that was just written may be written once more within the same tick of its clock. */
function isYoung({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs < ARCHIVE_DISTRUSTED;
}

function bound(memory: Map<string, Remembered>, newest: string): void {
  let bytes = [...memory.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  for (const [path, entry] of memory) {
    if (bytes <= ARCHIVES_REMEMBERED || path === newest) return;
    memory.delete(path);
    bytes -= entry.bytes;
  }
}
