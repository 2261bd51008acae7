/**
 * What belongs to one client: its roots, and the workspace that stands on them. A session of the older revisions has
 * one, a token has one in the newest, and over stdio the process has one. The workspace is opened with the first call,
 * and anew when the roots change; calls that run go on in the one they began in.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type AnyTools, createWorkspace, type Workspace } from "../quarry.ts";
import { MCP_CALLS, MCP_END_TIME, MCP_ROOTS_KEPT } from "../model/limits.ts";
import type { McpOptions } from "./options.ts";
import { type ClientRoot, permittedRoots, type Root } from "./roots.ts";
import { semaphore } from "./semaphore.ts";

/** Bounds what runs at once in the process, whoever asks for it. */
const turns = semaphore(MCP_CALLS);

interface Open {
  readonly workspace: Promise<Workspace<AnyTools>>;
  users: number;
  /** Closed when its last user is gone. */
  left: boolean;
  readonly close: () => void;
  readonly closed: Promise<void>;
}

export class ClientGround {
  readonly options: McpOptions;
  /** The level from which on the client wants log messages; null: it did not ask. */
  logLevel: string | null = null;
  readonly #onWarning: (text: string) => void;
  #roots: readonly Root[] | null = null;
  /** They, as the client named them. */
  #named = "";
  /** Until when they are believed. */
  #rootsUntil = 0;
  /** Counts what was heard of them: an answer that took longer than the next one came too late. */
  #heard = 0;
  #open: Open | null = null;
  #closed = false;

  constructor(options: McpOptions, onWarning: (text: string) => void) {
    this.options = options;
    this.#onWarning = onWarning;
  }

  /** Whether the client's roots must be asked for before the next call. */
  get needsRoots(): boolean {
    return performance.now() >= this.#rootsUntil;
  }

  /**
   * The client's roots as it names them; what is not permitted is left out, and said. Whether it will tell when they
   * change: if not, they are asked for again after a while.
   */
  async takeRoots(given: readonly ClientRoot[], tellsChanges: boolean): Promise<readonly string[]> {
    const named = JSON.stringify(given);
    // Some clients name them with every call.
    if (named === this.#named && !this.needsRoots) return [];
    if (named !== this.#named) this.#heard += 1;
    this.#named = named;
    const heard = this.#heard;
    const { roots, refused } = await permittedRoots(given, this.options);
    if (heard !== this.#heard) return [];
    const warnings = refused.map(({ uri, why }) => `The root ${uri} is not used: ${why}`);
    for (const warning of warnings) this.#onWarning(warning);
    this.#rootsUntil = tellsChanges ? Number.POSITIVE_INFINITY : performance.now() + MCP_ROOTS_KEPT;
    const before = JSON.stringify(this.#roots ?? []);
    this.#roots = roots;
    if (before !== JSON.stringify(roots)) this.#leave();
    return warnings;
  }

  /** They changed, and are asked for again. */
  forgetRoots(): void {
    this.#heard += 1;
    this.#named = "";
    this.#rootsUntil = 0;
  }

  /** It has none to name. */
  goWithoutRoots(): void {
    this.#rootsUntil = performance.now() + MCP_ROOTS_KEPT;
  }

  /** Work in the workspace, when its turn has come. */
  async use<T>(
    signal: AbortSignal | undefined,
    work: (workspace: Workspace<AnyTools>) => Promise<T>,
  ): Promise<T> {
    const done = await turns(signal);
    const open = this.#enter();
    try {
      return await work(await open.workspace);
    } finally {
      open.users -= 1;
      if (open.users === 0 && open.left) open.close();
      done();
    }
  }

  /** Ends what is open; calls that run end by their signals, and are not waited for any longer than a moment. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = this.#open;
    this.#leave();
    if (open !== null) await Promise.race([open.closed, pause(MCP_END_TIME, undefined, { ref: false })]);
  }

  #enter(): Open {
    const open = this.#open ?? this.#begin();
    // What comes after the end stands by itself, and ends with its call.
    if (this.#closed) open.left = true;
    else this.#open = open;
    open.users += 1;
    return open;
  }

  #begin(): Open {
    const open = opened(this.#create());
    // What stood in its way may be gone by the next call.
    open.workspace.catch(() => {
      if (this.#open === open) this.#open = null;
    });
    return open;
  }

  #leave(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    open.left = true;
    if (open.users === 0) open.close();
  }

  async #create(): Promise<Workspace<AnyTools>> {
    const { root, allow, deny, dialect, anthropicCompat, readOnly, maxFileSize, env } = this.options;
    const roots = this.#roots ?? [];
    const places = roots.map(({ path }) => path);
    const [only] = roots;
    const workspace = await createWorkspace({
      root: roots.length === 1 && only !== undefined ? only.path : root,
      ...(roots.length > 1 ? { roots } : {}),
      // The client's roots are inside what is allowed, and are what it works in.
      allow: places.length > 0 ? places : (allow ?? undefined),
      deny,
      // What was denied was said of these, wherever the client's roots are.
      denyFrom: [root, ...(allow ?? [])],
      dialect,
      anthropicCompat,
      readOnly,
      settings: maxFileSize === null ? {} : { maxFileSize },
      env,
    });
    for (const warning of workspace.warnings) this.#onWarning(warning);
    return workspace;
  }
}

function opened(workspace: Promise<Workspace<AnyTools>>): Open {
  let close = (): void => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  })
    .then(() => workspace)
    .then((open) => open.close())
    // One that could not be opened is none to close.
    .catch(() => {});
  return { workspace, users: 0, left: false, close, closed };
}
