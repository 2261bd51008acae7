import type { EngineName } from "./summary.ts";
import type { Target } from "./query.ts";

/** How a query will be answered: by which engine, why, and what it is asked. */
export interface Plan {
  readonly engine: EngineName;
  /** Why by this engine. */
  readonly why: string;
  /** Whether ripgrep opens just the files that are asked for, or more, which are sorted out behind it. */
  readonly exact: boolean;
  /** Targets that one run may walk together; runs follow one another, and no file is given twice. */
  readonly batches: readonly (readonly Target[])[];
  /** Globs on base names that every wanted file matches: a sieve that ripgrep applies while it walks. */
  readonly nameGlobs: readonly string[];
}
