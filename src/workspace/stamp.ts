/**
 * What a file looks like from outside, by which it is told that nobody wrote to it: the index and the snapshots keep
 * one beside what they hold of a file.
 */
import { STAMP_SETTLES } from "../model/limits.ts";

export interface Stamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

export function sameStamp(one: Stamp, other: Stamp): boolean {
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  );
}

/**
 * Whether a file that is read now will look otherwise after its next change. Not so shortly after a change: the clock
 * of a file system is coarse, and what is written through memory counts as written once until it reaches the disk.
 */
export function isSettled({ ctimeMs }: Pick<Stamp, "ctimeMs">, now: number): boolean {
  return now - ctimeMs >= STAMP_SETTLES;
}
