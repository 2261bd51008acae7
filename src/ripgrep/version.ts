import { resolveBinary } from "./binary.ts";
import { typeListArgv, versionArgv } from "./argv.ts";
import { run } from "./run.ts";

/** What ripgrep says of itself: its version, and the file types it knows. */

export interface RipgrepVersion {
  readonly version: string;
  /** PCRE2's version, null where this ripgrep was built without it. */
  readonly pcre2: string | null;
}

export async function ripgrepVersion(env: NodeJS.ProcessEnv = process.env): Promise<RipgrepVersion> {
  const text = await ask(versionArgv, env);
  return {
    version: /^ripgrep (\S+)/.exec(text)?.[1] ?? (text.split("\n", 1)[0] || "unknown"),
    pcre2: /PCRE2 (\S+) is available/.exec(text)?.[1] ?? null,
  };
}

type FileTypes = ReadonlyMap<string, readonly string[]>;

/** By program: what one answered it answers again, and starting it takes longer than most searches. */
const known = new Map<string, Promise<FileTypes>>();

/** Type names with their globs. */
export async function fileTypes(env: NodeJS.ProcessEnv = process.env): Promise<FileTypes> {
  const { path } = await resolveBinary(env);
  const types = known.get(path) ?? askTypes(env);
  known.set(path, types);
  types.catch(() => known.delete(path));
  return types;
}

async function askTypes(env: NodeJS.ProcessEnv): Promise<FileTypes> {
  const text = await ask(typeListArgv, env);
  const types = text.split("\n").filter((line) => line.includes(": "));
  return new Map(
    types.map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2).split(", ")] as const;
    }),
  );
}

async function ask(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const answer = run<Buffer>({
    argv: () => argv,
    cwd: process.cwd(),
    env,
    timeoutMs: 10_000,
    signal: undefined,
    reader: (push) => ({
      feed: (chunk) => push(chunk, chunk.length),
      complete: (code) => code === 0,
    }),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
