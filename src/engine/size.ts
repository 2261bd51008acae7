import { stat } from "node:fs/promises";
import type { Scope, Target } from "../model/query.ts";
import { onDisk } from "../workspace/targets.ts";
import type { Ledger } from "./ledger.ts";

/** ripgrep exempts files named by themselves from its limit on size; we do not. */
export async function withoutLargeFiles(
  scope: Scope,
  targets: readonly Target[],
  ledger: Ledger,
): Promise<Target[]> {
  const limit = scope.maxFileSize;
  if (limit === null) return [...targets];
  const kept: Target[] = [];
  for (const target of targets) {
    const size =
      target.kind === "file"
        ? await stat(onDisk(scope.root, target.path)).then(
            ({ size }) => size,
            () => 0,
          )
        : 0;
    if (size > limit) ledger.tooLarge(1);
    else kept.push(target);
  }
  return kept;
}
