/**
 * What the workspace of a client is opened with: what the server was started with, and where the client has roots,
 * these instead of the working folder, narrowed by what each of them says in its own settings. Called by
 * `client-ground.ts`.
 */
import { ToolError } from "../model/errors.ts";
import type { WorkspaceOptions } from "../quarry.ts";
import { narrowedBy } from "./narrowed.ts";
import { type Narrowing, narrowing } from "./narrowing.ts";
import type { McpOptions } from "./options.ts";
import type { Root } from "./roots.ts";

export interface GroundOptions {
  readonly workspace: WorkspaceOptions;
  readonly disabledTools: readonly string[];
}

/** @throws INVALID_INPUT when the settings of a root cannot be understood: nothing is done there without them */
export async function groundOptions(options: McpOptions, roots: readonly Root[]): Promise<GroundOptions> {
  const { root, allow, within, env, dialect, anthropicCompat } = options;
  const narrowings = await Promise.all(roots.map((one) => ownNarrowing(one, roots.length)));
  let narrowed = options;
  for (const own of narrowings) narrowed = await narrowedBy(narrowed, { ...own, allow: unchanged });
  const { deny, readOnly, maxFileSize, disabledTools, index } = narrowed;
  const [only, ...others] = roots;
  const allowed = await Promise.all(roots.map((one, at) => allowedIn(one, narrowings[at])));
  const places = allowed.flat();
  return {
    workspace: {
      root: only === undefined || others.length > 0 ? root : only.path,
      ...(others.length > 0 ? { roots } : {}),
      // The client's roots are inside what is allowed, and are what it works in. They were looked at with their links
      // resolved, and one that leads elsewhere by now is another folder.
      ...(only === undefined ? { allow: allow ?? undefined, within } : { allow: places, within: places }),
      deny,
      // What was denied was said of these, wherever the client's roots are.
      denyFrom: [root, ...(allow ?? []), ...roots.map(({ path }) => path)],
      dialect,
      anthropicCompat,
      readOnly,
      settings: maxFileSize === null ? {} : { maxFileSize },
      index,
      env,
    },
    disabledTools,
  };
}

const unchanged: Narrowing["allow"] = (given) => Promise.resolve(given);

async function allowedIn({ path }: Root, own: Narrowing | undefined): Promise<readonly string[]> {
  return (await own?.allow([path])) ?? [path];
}

/** Whoever reads of a mistake must know in which of the roots it is. */
async function ownNarrowing({ name, path }: Root, count: number): Promise<Narrowing> {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause;
      const place = count > 1 ? `${name}/${cause.message}` : cause.message;
      const hint =
        cause.hint ?? "Mend the file: nothing is done in this folder while it cannot be understood";
      throw new ToolError(cause.code, place, { hint, cause });
    }
  };
  const own = await told(narrowing(path));
  return { ...own, allow: (given) => told(own.allow(given)) };
}
