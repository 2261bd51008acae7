/**
 * What the feed has to tell, gathered between two takes. A path that is told of may have changed; one that is not told
 * of has not, unless `lost` says that nobody knows. Filled by `feed.ts`, read by whoever takes the changes.
 */
import type { PathKey } from "../path-key.ts";

export type LossReason =
  /** More events than the system's queue holds. */
  | "overflow"
  /** The cookie does not come back: its folder was taken away. */
  | "barrier"
  /** More folders than the system lets be watched. */
  | "watch-limit"
  /** More paths than are worth to be told one by one. */
  | "too-many"
  /** Another folder is where the root was, or the root has other permissions. */
  | "root-replaced"
  | "root-gone"
  /** Something was mounted or unmounted at the root or below it. */
  | "mount"
  /** A folder cannot be watched or read, for a reason that is no permission. */
  | "unreadable";

export interface Loss {
  readonly reason: LossReason;
  /** For a person. */
  readonly message: string;
  /** For `watch-limit`: folders that were watched, and what the system allows, if it says. */
  readonly watched?: number;
  readonly limit?: number;
}

export interface Changes {
  /** Paths that were created, deleted, renamed, written to or given other attributes, and all that is in `entered`. */
  readonly touched: ReadonlySet<PathKey>;
  /** Paths that were only written to and were sifted since the last take. */
  readonly sifted: ReadonlySet<PathKey>;
  /** Folders that are new, may be others than before, or have other attributes: what was known below holds no more. */
  readonly entered: ReadonlySet<PathKey>;
  /** What was a watched folder and is none now, or is one that is not entered; all below it is gone with it. */
  readonly gone: ReadonlySet<PathKey>;
  /** When not null, changes may be missing, and will be until `resync` and a look at everything. */
  readonly lost: Loss | null;
}

/** Sets that are filled, before they are handed out. */
export interface Gathered {
  readonly touched: Set<PathKey>;
  readonly entered: Set<PathKey>;
  readonly gone: Set<PathKey>;
}

export function nothingYet(): Gathered {
  return { touched: new Set(), entered: new Set(), gone: new Set() };
}
