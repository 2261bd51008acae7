/** A ground, a cache and shorthands for the tests of commits. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, commit, type Written } from "../../../src/edit/commit/commit.ts";
import type { Environment } from "../../../src/workspace/cache.ts";
import type { Policy } from "../../../src/workspace/policy.ts";
import { type Files, tree } from "../../support/tree.ts";
import { policyOf } from "../../workspace/ground.ts";

export interface Ground {
  readonly root: string;
  readonly env: Environment;
  readonly policy: Policy;
  readonly text: (path: string) => string;
  readonly change: (path: string, after: string, options?: Partial<Change>) => Change;
  readonly write: (path: string, after: string, options?: Partial<Change>) => Promise<Written>;
}

export function hash(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export async function ground(files: Files): Promise<Ground> {
  const root = tree(files);
  const env = { QUARRY_CACHE_DIR: tree() };
  const policy = await policyOf(root);
  const text = (path: string): string => readFileSync(join(root, path), "utf8");
  const change: Ground["change"] = (path, after, options = {}) => ({
    path: join(root, path),
    policy,
    before: existsSync(join(root, path)) ? hash(readFileSync(join(root, path))) : null,
    after: Buffer.from(after),
    ...options,
  });
  const write: Ground["write"] = async (path, after, options) => {
    const [written] = await commit([change(path, after, options)], env);
    if (written === undefined) throw new Error("Nothing was written");
    return written;
  };
  return { root, env, policy, text, change, write };
}

/** What a commit must not leave behind: staged files, journals, locks, rescued bytes. */
export function leftovers({ root, env }: Pick<Ground, "root" | "env">): string[] {
  const beside = (readdirSync(root, { recursive: true }) as string[]).filter((name) =>
    name.includes(".quarry-"),
  );
  const cache = env["QUARRY_CACHE_DIR"] as string;
  const kept = ["journal", "locks", "rescued"].flatMap((folder) =>
    existsSync(join(cache, folder))
      ? readdirSync(join(cache, folder)).map((name) => `${folder}/${name}`)
      : [],
  );
  return [...beside, ...kept];
}
