import { realpathSync } from "node:fs";
import type { Notice } from "../model/notice.ts";
import type { Session } from "../workspace/session.ts";
import { onDisk } from "../workspace/targets.ts";

/**
 * The notices that an agent may read: one about a path only if that is there and may be seen. ripgrep also complains
 * of what it met behind a link that was turned elsewhere while it walked. Where a path really leads is asked once:
 * two questions could have two answers.
 */
export function tellable(session: Session, notices: readonly Notice[]): readonly Notice[] {
  return notices.filter(({ path }) => path === undefined || isTellable(session, path));
}

export function isTellable(session: Session, path: string): boolean {
  const real = realOf(onDisk(session.root, path));
  return real !== null && session.policy.allowsReal(real);
}

function realOf(path: string | Buffer): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
