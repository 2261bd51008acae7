/**
 * The mounts at a root and below it. No event tells that one came or went, so the table is read again at each settle;
 * and on some kinds of file system changes are made that no event of ours can tell. Used by `feed.ts`, and by whoever
 * decides whether a tree can be watched at all.
 */
import { closeSync, openSync, readSync } from "node:fs";

export interface Mount {
  /** Absolute, one character for each byte. */
  readonly point: string;
  /** As the system names it: ext4, nfs4, fuse.sshfs. */
  readonly type: string;
  /** The whole line: it tells one mount from another at the same place. */
  readonly line: string;
}

/** Everything that is written to these goes through this system, so that its events are complete. */
const COMPLETE = new Set(
  "ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs nilfs2 reiserfs tmpfs ramfs overlay aufs vfat exfat ntfs3 hfsplus squashfs erofs iso9660 udf".split(
    " ",
  ),
);

export const MOUNT_TABLE = "/proc/self/mountinfo";

/** Mounts on which changes may go unheard: the one that the root lies on, and those below. */
export function unheardMounts(root: string, table: string = MOUNT_TABLE): Mount[] {
  const reader = openMountTable(root, table);
  try {
    const mounts = parseMounts(reader.read().toString("latin1"));
    const place = Buffer.from(root).toString("latin1");
    // Of several mounts on the way, and several at one place, the last one that reaches furthest down is seen.
    let over: Mount | null = null;
    for (const mount of mounts) {
      if (isAtOrBelow(place, mount.point) && mount.point.length >= (over?.point.length ?? 0)) over = mount;
    }
    const below = mounts.filter((mount) => mount.point !== place && isAtOrBelow(mount.point, place));
    return [...(over === null ? [] : [over]), ...below].filter((mount) => !COMPLETE.has(mount.type));
  } finally {
    reader.close();
  }
}

export interface MountTable {
  /** The mounts at the root and below it, as one text to compare. */
  readonly state: () => string;
  readonly read: () => Buffer;
  readonly close: () => void;
}

/** Keeps the table open: reading it takes half as long then. Where the system has none, nothing is ever mounted. */
export function openMountTable(root: string, file: string = MOUNT_TABLE): MountTable {
  const place = Buffer.from(root).toString("latin1");
  const descriptor = open(file);
  let last: Buffer = Buffer.alloc(0);
  let state = "";
  let room = Buffer.alloc(16_384);

  function read(): Buffer {
    if (descriptor === null) return last;
    let length = 0;
    for (;;) {
      const more = readSync(descriptor, room, length, room.length - length, length);
      if (more === 0) return room.subarray(0, length);
      length += more;
      if (length === room.length) room = Buffer.concat([room, Buffer.alloc(room.length)]);
    }
  }

  return {
    read,
    state() {
      const now = read();
      if (now.equals(last)) return state;
      last = Buffer.from(now);
      state = parseMounts(last.toString("latin1"))
        .filter((mount) => isAtOrBelow(mount.point, place))
        .map((mount) => mount.line)
        .join("\n");
      return state;
    },
    close() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function open(file: string): number | null {
  try {
    return openSync(file, "r");
  } catch {
    return null;
  }
}

/** Lines of proc(5): the fifth field is the place, the one behind the lone hyphen is the kind. */
export function parseMounts(table: string): Mount[] {
  return table.split("\n").flatMap((line) => {
    const [fields, source] = line.split(" - ", 2);
    const point = fields?.split(" ")[4];
    if (point === undefined || source === undefined) return [];
    return [{ point: unescape(point), type: source.split(" ", 1)[0] ?? "", line }];
  });
}

/** Blanks, tabs, line ends and backslashes are written in octal. */
function unescape(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
