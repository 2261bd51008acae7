/** The `glob` tools of the other dialects over a root, for their tests. */
import { onTestFinished } from "vitest";
import type { GlobDetails } from "../../src/dialects/glob-answer.ts";
import { answering, type Failure, type ToolResult } from "../../src/dialects/result.ts";
import type { Ground } from "../../src/engine/ground.ts";
import { openSession, type Session, type SessionOptions } from "../../src/workspace/session.ts";
import { globs } from "../workspace/ground.ts";
import { cacheEnv, textOf } from "./workspaces.ts";

type GlobTool = (session: Session, given: unknown, ground: Ground) => Promise<ToolResult<GlobDetails>>;

export interface Globber {
  readonly session: Session;
  readonly call: (input: unknown, ground?: Partial<Ground>) => Promise<ToolResult<GlobDetails | Failure>>;
  readonly text: (input: unknown) => Promise<string>;
  /** An error fails the test. */
  readonly details: (input: unknown) => Promise<GlobDetails>;
  readonly names: (input: unknown) => Promise<readonly string[]>;
  /** The code and the text of an error; an answer fails the test. */
  readonly error: (input: unknown) => Promise<readonly [code: string, text: string]>;
}

/** `env` is added to an environment with a cache of its own. */
export async function globber(
  tool: GlobTool,
  root: string,
  options: Partial<SessionOptions> = {},
): Promise<Globber> {
  const env: NodeJS.ProcessEnv = { ...cacheEnv(), ...options.env };
  const session = await openSession({ root, globs, ...options, env });
  onTestFinished(() => session.close());
  const call: Globber["call"] = (input, ground) =>
    answering(() => tool(session, input, { env, signal: undefined, ...ground }));
  const details: Globber["details"] = async (input) => {
    const result = await call(input);
    if (result.isError === true) throw new Error(textOf(result));
    return result.details as GlobDetails;
  };
  return {
    session,
    call,
    text: async (input) => textOf(await call(input)),
    details,
    names: async (input) => (await details(input)).filenames,
    error: async (input) => {
      const result = await call(input);
      if (result.isError !== true) throw new Error(`No error but: ${textOf(result)}`);
      return [(result.details as Failure).code, textOf(result)];
    },
  };
}
