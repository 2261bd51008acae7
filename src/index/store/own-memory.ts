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
