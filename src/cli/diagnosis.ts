/**
 * Looks at what this installation runs on: Node, the platform, ripgrep, the time limit, the index. Called by
 * `quarry doctor`. What does not work becomes a problem in the report, so that the rest is still shown.
 */
import { ToolError } from "../model/errors.ts";
import { resolveBinary } from "../ripgrep/binary.ts";
import { isWsl, searchTimeLimit, timeLimitVariable } from "../ripgrep/time-limit.ts";
import { ripgrepVersion } from "../ripgrep/version.ts";
import { diagnoseIndex, type IndexDiagnosis } from "./index-diagnosis.ts";
import { packageVersion } from "./version.ts";

/** The oldest Node that works, as package.json says it. */
const OLDEST_NODE = [20, 12] as const;

export interface Diagnosis {
  readonly quarry: string;
  readonly node: string;
  readonly platform: string;
  readonly ripgrep: {
    readonly mode: "builtin" | "system";
    readonly path: string;
    readonly version: string;
    readonly pcre2: string | null;
  } | null;
  readonly timeLimit: { readonly ms: number; readonly from: string } | null;
  readonly wsl: boolean;
  readonly index: IndexDiagnosis | null;
  readonly problems: readonly ToolError[];
}

export async function diagnose(cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Diagnosis> {
  const problems: ToolError[] = [];
  /** The value, or null and one more problem. */
  const attempt = async <T>(look: () => Promise<T>): Promise<T | null> => {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      problems.push(error);
      return null;
    }
  };
  await attempt(async () => checkNode(process.versions.node));
  const ripgrep = await attempt(async () => {
    const { mode, path } = await resolveBinary(env);
    return { mode, path, ...(await ripgrepVersion(env)) };
  });
  return {
    quarry: await packageVersion(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    ripgrep,
    timeLimit: await attempt(async () => ({ ms: searchTimeLimit(env), from: timeLimitSource(env) })),
    wsl: isWsl(env),
    // Which lists the files: what is wrong with it is said once.
    index: ripgrep === null ? null : await attempt(() => diagnoseIndex(cwd, env, signal)),
    problems,
  };
}

function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new ToolError("INVALID_INPUT", `Node ${version} is older than ${OLDEST_NODE.join(".")}`, {
    hint: "Install a newer Node",
  });
}

function timeLimitSource(env: NodeJS.ProcessEnv): string {
  const variable = timeLimitVariable(env);
  if (variable !== null) return `from ${variable}`;
  return isWsl(env) ? "the default on WSL" : "the default";
}
