import { readFileSync } from "node:fs";
import { join } from "node:path";
import { INDEX_REASONS } from "../model/limits.ts";
import { writePrivateFile } from "../workspace/cache.ts";
import type { Fallback } from "./status.ts";

/**
 * Counts how often ripgrep answered although there is, or could be, an index, and why. `open-indexes.ts` has one for
 * each tree, and saves it beside the index for `quarry index status`.
 */

export interface Fallbacks {
  readonly add: (why: string, count?: number) => void;
  /** The most frequent first. */
  readonly list: () => readonly Fallback[];
}

/** Reasons that name a path may be any number. */
const OTHERS = "other reasons";

export function openFallbacks(): Fallbacks {
  const counts = new Map<string, number>();
  return {
    add: (why, count = 1) => {
      const reason = counts.has(why) || counts.size < INDEX_REASONS - 1 ? why : OTHERS;
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    list: () =>
      Array.from(counts, ([why, count]) => ({ why, count })).sort((one, other) => other.count - one.count),
  };
}

const NAME = "fallbacks";

export async function saveFallbacks(folder: string, fallbacks: readonly Fallback[]): Promise<void> {
  await writePrivateFile(join(folder, NAME), JSON.stringify(fallbacks));
}

/** Those of the last session that let the index go. */
export function readFallbacks(folder: string): readonly Fallback[] {
  try {
    const parsed = JSON.parse(readFileSync(join(folder, NAME), "utf8")) as unknown;
    return Array.isArray(parsed) ? parsed.filter(isFallback) : [];
  } catch {
    return [];
  }
}

function isFallback(value: unknown): value is Fallback {
  const { why, count } = (value ?? {}) as Partial<Fallback>;
  return typeof why === "string" && typeof count === "number";
}
