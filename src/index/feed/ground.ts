/**
 * What no watch tells of: that the root is another folder than before, or that something was mounted on it or below it.
 * Looked at in each settle of `feed.ts`.
 */
import { lstatSync } from "node:fs";
import type { LossReason } from "./changes.ts";
import { openMountTable } from "./mounts.ts";

export interface Ground {
  /** Takes it as it is now. */
  readonly accept: () => void;
  /** What is otherwise than when it was accepted. `moved`: the root's own events say that it was moved or deleted. */
  readonly changed: (moved: boolean) => { readonly reason: LossReason; readonly message: string } | null;
  readonly close: () => void;
}

export function openGround(root: string): Ground {
  const mounts = openMountTable(root);
  let mounted = "";
  let accepted: string | null = null;
  return {
    accept() {
      mounted = mounts.state();
      accepted = identityOf(root);
    },
    changed(moved) {
      const identity = identityOf(root);
      if (identity === null) return { reason: "root-gone", message: `${root} is no folder any more` };
      if (identity !== accepted || (moved && hasNoBirth(identity))) {
        return { reason: "root-replaced", message: `${root} is another folder, or others may read it` };
      }
      if (mounts.state() === mounted) return null;
      return { reason: "mount", message: `Something was mounted or unmounted below ${root}` };
    },
    close: () => mounts.close(),
  };
}

/** Tells a folder from another at its place, also one that got its inode, and who may read it; null for no folder. */
function identityOf(root: string): string | null {
  try {
    const info = lstatSync(root, { bigint: true });
    if (!info.isDirectory()) return null;
    return [info.dev, info.ino, info.mode, info.uid, info.gid, info.birthtimeNs].join(":");
  } catch {
    return null;
  }
}

/** Not every file system keeps the time at which a folder was made; then another one may look the same. */
function hasNoBirth(identity: string): boolean {
  return identity.endsWith(":0");
}
