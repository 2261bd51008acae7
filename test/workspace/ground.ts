/** Policies for tests, with the glob dialect that the tools use. */
import { compileGlobs } from "../../src/regex/glob.ts";
import type { GlobMatcher } from "../../src/workspace/deny.ts";
import { createPolicy, type Policy, type PolicyOptions } from "../../src/workspace/policy.ts";

export const globs: GlobMatcher = (list) => {
  const set = compileGlobs(list, "path");
  return (path, kind) => set.matches(path, kind);
};

export function policyOf(root: string, options: Partial<PolicyOptions> = {}): Promise<Policy> {
  return createPolicy({ root, globs, ...options });
}

/** The code of the ToolError that a promise ends with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "none";
  } catch (cause) {
    return (cause as { code?: string }).code ?? String(cause);
  }
}
