/**
 * What an in-place write changes, as the shortest stretch of bytes: it alone is kept in the journal and written.
 * And, after a crash, whether a file is such a write begun and not ended. Pure. Used by stage, in-place, recover.
 */
const PAGE = 4096;

/** From `offset` on, `old` stands or stood, and `new` shall stand. What follows both is the same in both. */
export interface Stretch {
  readonly offset: number;
  readonly old: Buffer;
  readonly new: Buffer;
}

export function stretchOf(before: Buffer, after: Buffer): Stretch {
  const shorter = Math.min(before.length, after.length);
  const offset = sameUntil(before, after, shorter);
  // Bytes behind a change move when the length does, so they are written too.
  const end = before.length === after.length ? sameFrom(before, after, offset) : null;
  return {
    offset,
    old: before.subarray(offset, end ?? before.length),
    new: after.subarray(offset, end ?? after.length),
  };
}

function sameUntil(one: Buffer, other: Buffer, limit: number): number {
  let at = 0;
  while (at + PAGE <= limit && one.compare(other, at, at + PAGE, at, at + PAGE) === 0) at += PAGE;
  while (at < limit && one[at] === other[at]) at += 1;
  return at;
}

/** Both are of one length. */
function sameFrom(one: Buffer, other: Buffer, floor: number): number {
  let at = one.length;
  while (at - PAGE >= floor && one.compare(other, at - PAGE, at, at - PAGE, at) === 0) at -= PAGE;
  while (at > floor && one[at - 1] === other[at - 1]) at -= 1;
  return at;
}

/** How long the file is before and after. */
export interface Sizes {
  readonly before: number;
  readonly after: number;
}

/**
 * Whether a file is the old one, partly overwritten with the new stretch: page by page either, one page at most
 * begun and not ended, and of a length in between. The bytes around the stretch are judged by `joined`'s hash.
 */
export function isTorn(content: Buffer, { offset, old, new: fresh }: Stretch, sizes: Sizes): boolean {
  if (content.length < Math.min(sizes.before, sizes.after)) return false;
  if (content.length > Math.max(sizes.before, sizes.after)) return false;
  const end = Math.min(content.length, offset + Math.max(old.length, fresh.length));
  let begun = 0;
  for (let at = offset; at < end; ) {
    const next = Math.min(end, at - (at % PAGE) + PAGE);
    const page = content.subarray(at, next);
    const oldPage = old.subarray(at - offset, next - offset);
    const newPage = fresh.subarray(at - offset, next - offset);
    if (!page.equals(oldPage) && !page.equals(newPage)) {
      begun += 1;
      const same = sameUntil(page, newPage, Math.min(page.length, newPage.length));
      if (begun > 1 || !page.subarray(same).equals(oldPage.subarray(same, page.length))) return false;
    }
    at = next;
  }
  return true;
}

/** The file as it is when the new stretch is written into what is there. */
export function joined(content: Buffer, { offset, old, new: fresh }: Stretch): Buffer {
  const rest = old.length === fresh.length ? content.subarray(offset + fresh.length) : Buffer.alloc(0);
  return Buffer.concat([content.subarray(0, offset), fresh, rest]);
}
