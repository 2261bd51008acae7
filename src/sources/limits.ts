/**
 * How much an archive may cost, once, with the reasons (T16). `openArchive` takes these unless told otherwise.
 * Sizes are bytes.
 */

const KiB = 1024;
const MiB = 1024 * KiB;

export interface ArchiveLimits {
  /** Records of an archive, folders and a tar's extended headers among them. */
  readonly entries: number;
  /** A zip's directory: names, extra fields and comments. */
  readonly directory: number;
  /** One member; a larger one is listed and not read. */
  readonly member: number;
  /** What one `texts()` unpacks, and what a compressed tar may unpack to at all. */
  readonly total: number;
  /** Unpacked to packed, for the whole archive, and from which unpacked size on it counts. */
  readonly ratio: number;
  readonly ratioFloor: number;
  /** An unpacked tar up to this size is held after the first pass; a larger one is unpacked again when asked. */
  readonly held: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  // Five times the members of the largest jar in common use; listing them takes a quarter of a second.
  entries: 100_000,
  // 100,000 names of 100 characters are 15 MiB with all their fields.
  directory: 64 * MiB,
  // As a file on disk: beyond it there is no snapshot and no tag either.
  member: 32 * MiB,
  // About a second of inflating.
  total: 512 * MiB,
  // Source text packs 4:1 to 12:1, generated tables 50:1; deflate ends at 1032:1, and bombs live near there.
  ratio: 200,
  // Small enough to stop a bomb in 50 ms, large enough for a member of zeros in an honest archive.
  ratioFloor: 32 * MiB,
  held: 64 * MiB,
};

/** An archive that is rewritten is held whole, as it was and as it will be: packed, and a tar unpacked too. */
export const REWRITTEN: number = 256 * MiB;

/** One header record of a tar that describes another (pax, long name): names are short, 1 MiB is a trap. */
export const TAR_META: number = 1 * MiB;
/** Members, packed or unpacked, that are read and inflated together: small steps, so that the first comes soon. */
export const READ_TOGETHER: number = 4 * MiB;
/** Bytes between two wanted members that are cheaper read than a second time asked for. */
export const GAP: number = 64 * KiB;
/** Groups that are read and inflated while one is looked at; Node has four threads for such work. */
export const IN_FLIGHT = 3;
/** Windows for walking headers, and for feeding gunzip. */
export const WINDOW: number = 1 * MiB;
/** Milliseconds of work before other callers get their turn. */
export const TURN = 8;
