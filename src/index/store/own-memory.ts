import { OWN_MEMORY, OWN_MEMORY_FROM } from "../../model/limits.ts";

/**
 * Much memory for a while, which the system has back as soon as it is free. glibc maps what is large by itself, but takes
 * every such block that is freed for a sign that blocks like it had better be kept: from then on they come from its
 * arenas, one for each thread, which outlive the thread and seldom shrink. Only of the largest it never thinks so. What
 * is not written to takes no memory. Used by whatever builds segments.
 */
export function ownMemory(length: number): ArrayBuffer {
  return new ArrayBuffer(length < OWN_MEMORY_FROM ? length : Math.max(length, OWN_MEMORY));
}

/** Memory for so many bytes, all zero. */
export type Take = (length: number) => Buffer<SharedArrayBuffer>;

/**
 * The same for many things that come and go together, such as the segments of one build: one behind the other, so that
 * they leave no holes between what lives longer, and the system has all of it back behind the last of them. Blocks are
 * shared ones, of which V8 does not think that what nobody has written to is memory that it had better collect.
 */
export function takeTogether(): Take {
  let block = new SharedArrayBuffer(0);
  let from = 0;
  return (length) => {
    // What a damaged file says must not lead into the memory of others.
    if (!Number.isSafeInteger(length) || length < 0) throw new RangeError(`${length} is no size`);
    if (from + length > block.byteLength) {
      block = new SharedArrayBuffer(Math.max(length, OWN_MEMORY));
      from = 0;
    }
    const taken = Buffer.from(block, from, length);
    // Whatever numbers come next.
    from = Math.ceil((from + length) / Float64Array.BYTES_PER_ELEMENT) * Float64Array.BYTES_PER_ELEMENT;
    return taken;
  };
}
