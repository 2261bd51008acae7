/**
 * One session's ground, put together: policy, snapshots, artifacts, URLs, settings. `createWorkspace` opens one;
 * a named one keeps its tags, artifacts and scratch files between processes. A child shares its parent's
 * artifacts and `local://` folder. `close` removes what was temporary, and saves what is named.
 */
import { join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { CONTEXT_AFTER, CONTEXT_BEFORE, SESSION_WAIT } from "../model/limits.ts";
import { type Artifacts, createArtifacts } from "./artifacts.ts";
import { cacheFolder, type Environment, homeFolder, preparePrivateFolder } from "./cache.ts";
import { loadConflicts, saveConflicts } from "./conflict-files.ts";
import { ConflictList } from "./conflict-list.ts";
import type { GlobMatcher } from "./deny.ts";
import { lockFolder } from "./lock.ts";
import { createPolicy, type Policy } from "./policy.ts";
import { artifactProtocol } from "./protocols/artifact.ts";
import { docsProtocol } from "./protocols/docs.ts";
import { localProtocol } from "./protocols/local.ts";
import { linkRoots, type NamedRoot, realRoots } from "./root-folder.ts";
import { createSessionFolder } from "./session-folder.ts";
import { Sketches } from "./sketches.ts";
import { loadSnapshots, saveSnapshots } from "./snapshot-files.ts";
import { SnapshotStore } from "./snapshots.ts";
import { resolveRoot } from "./targets.ts";
import { createRouter, type Protocol, type Router } from "./urls.ts";

export interface Settings {
  /** Lines shown before and after a match. @default 1 and 3 */
  readonly contextBefore: number;
  readonly contextAfter: number;
  /** Larger files are not searched. @default null: no limit */
  readonly maxFileSize: number | null;
}

export interface SessionOptions {
  readonly root: string;
  /** Several instead of the one: paths begin with the name of theirs. */
  readonly roots?: readonly NamedRoot[] | undefined;
  /** Folders that may be touched, instead of the root. @default [root] */
  readonly allow?: readonly string[] | undefined;
  /** Where these must lie. @default anywhere */
  readonly within?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly denyFrom?: readonly string[] | undefined;
  readonly globs: GlobMatcher;
  readonly env: Environment;
  /** Keeps tags, artifacts and scratch files under this name. @default none: they go when it is closed */
  readonly name?: string | undefined;
  /** Shares its artifacts and `local://` folder. */
  readonly parent?: Session | undefined;
  readonly settings?: Partial<Settings> | undefined;
  /** Protocols besides artifact, local and docs. */
  readonly protocols?: readonly Protocol[] | undefined;
}

export interface Session {
  /** Absolute, as it was named; of several roots, a folder with a link to each. */
  readonly root: string;
  /** Where there are several. */
  readonly roots: readonly NamedRoot[];
  readonly home: string;
  readonly policy: Policy;
  readonly snapshots: SnapshotStore;
  /** Of files that are not held; null where what was shown has to last for another process. */
  readonly sketches: Sketches | null;
  readonly artifacts: Artifacts;
  /** Merge conflicts that were listed. */
  readonly conflicts: ConflictList;
  /** The policy of the `local://` folder. */
  readonly local: () => Promise<Policy>;
  readonly router: Router;
  readonly settings: Settings;
  /** What was lost when a named session was taken up again. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

export async function openSession(options: SessionOptions): Promise<Session> {
  const { env, parent, name = null } = options;
  const roots = await realRoots(options.roots ?? []);
  const first = await resolveRoot(options.root);
  const folder = createSessionFolder(first, env, name);
  const root = roots.length === 0 ? first : await linkRoots(join(await folder.path(), "roots"), roots);
  const allow = options.allow ?? (roots.length === 0 ? undefined : roots.map(({ path }) => path));
  const policy = await createPolicy({ ...options, root, allow, withhold: withheld(env) });
  const artifacts = parent?.artifacts ?? createArtifacts(() => folder.path());
  const local =
    parent?.local ?? once(async () => ownGround(join(await folder.path(), "local"), options.globs));
  const artifactGround = once(async () => ownGround(await artifacts.folder(), options.globs));
  const snapshots = new SnapshotStore();
  const conflicts = new ConflictList();
  const kept = name === null ? null : await takeUp(await folder.path(), snapshots, conflicts);
  return {
    root,
    roots,
    home: homeFolder(env),
    policy,
    snapshots,
    sketches: name === null ? new Sketches() : null,
    artifacts,
    conflicts,
    local,
    router: createRouter([
      docsProtocol(),
      artifactProtocol(artifacts, artifactGround),
      localProtocol(local),
      ...(options.protocols ?? []),
    ]),
    settings: {
      contextBefore: CONTEXT_BEFORE,
      contextAfter: CONTEXT_AFTER,
      maxFileSize: null,
      ...options.settings,
    },
    warnings: kept?.warnings ?? [],
    async close() {
      await kept?.save();
      await folder.remove();
    },
  };
}

interface Kept {
  readonly warnings: readonly string[];
  save(): Promise<void>;
}

/** Locks and loads a named session. Saving lets go of the lock, also when it fails. */
async function takeUp(folder: string, snapshots: SnapshotStore, conflicts: ConflictList): Promise<Kept> {
  const lock = await lockFolder(folder, SESSION_WAIT);
  const files = join(folder, "snapshots");
  let open = true;
  try {
    const warning = await loadSnapshots(snapshots, files);
    await loadConflicts(conflicts, folder);
    return {
      warnings: warning === null ? [] : [warning],
      async save() {
        if (!open) return;
        open = false;
        try {
          await saveSnapshots(snapshots, files);
          await saveConflicts(conflicts, folder);
        } finally {
          await lock.release();
        }
      },
    };
  } catch (cause) {
    await lock.release();
    throw cause;
  }
}

/** The cache is nobody's code, also when the root is the home folder. */
function withheld(env: Environment): string[] {
  try {
    return [cacheFolder(env)];
  } catch (cause) {
    // A cache that cannot be used is told when it is needed.
    if (cause instanceof ToolError) return [];
    throw cause;
  }
}

/** A folder of our own in the cache, as a ground by itself. */
async function ownGround(folder: string, globs: GlobMatcher): Promise<Policy> {
  await preparePrivateFolder(folder);
  return createPolicy({ root: folder, globs });
}

/** The first success is kept. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | null = null;
  return () => {
    made ??= make().catch((cause: unknown) => {
      made = null;
      throw cause;
    });
    return made;
  };
}
