// The memory of a running process, in MB: what is resident, and its fair share of what it shares with others.
import { readFileSync } from "node:fs";

export function memoryOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const kilobytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text)?.[1]);
    return { rss: (kilobytes("Rss") * 1024) / 1e6, pss: (kilobytes("Pss") * 1024) / 1e6 };
  } catch {
    // Only Linux says it.
    return null;
  }
}
