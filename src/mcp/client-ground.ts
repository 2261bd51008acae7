/**
 * What belongs to one client: its roots, and the workspace that stands on them. A session of the older revisions has
 * one, a token has one in the newest, and over stdio the process has one. The workspace is opened with the first call,
 * and anew when the roots change; calls that run go on in the one they began in, and calls that bring roots along have
 * the one of these.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type AnyTools, createWorkspace, type Workspace } from "../quarry.ts";
import {
  MCP_CALLS,
  MCP_CALLS_KEPT,
  MCP_CALLS_WAITING,
  MCP_END_TIME,
  MCP_ROOT_SETS,
} from "../model/limits.ts";
import { broadness } from "./broad-folder.ts";
import { ClientRoots } from "./client-roots.ts";
import { withoutDisabled } from "./alike-tools.ts";
import { groundOptions } from "./ground-options.ts";
import { News } from "./news.ts";
import { broadNotice, refusedNotice, refusedWarning, silentNotice } from "./notices.ts";
import type { McpOptions } from "./options.ts";
import type { Root } from "./roots.ts";
import { fairTurns, type Owner, type Turns } from "./turns.ts";

/** Of whoever is alone with its server. */
const ALONE = {
  count: MCP_CALLS,
  kept: MCP_CALLS_KEPT,
  share: MCP_CALLS + MCP_CALLS_KEPT,
  waiting: MCP_CALLS_WAITING,
};

/** The turns that a client shares with others. */
export interface SharedTurns {
  readonly turns: Turns;
  /** Whose share it is; null: the client's own. */
  readonly owner: string | null;
}

interface Open {
  readonly workspace: Promise<Workspace<AnyTools>>;
  users: number;
  /** Closed when its last user is gone. */
  left: boolean;
  readonly close: () => void;
  readonly closed: Promise<void>;
}

export interface CallKind {
  /** Those that the call brought along; null: those that the client has when its turn comes. */
  readonly roots?: readonly Root[] | null;
  /** It may take long, and leaves turns to those that do not. */
  readonly isSearch?: boolean;
}

export class ClientGround {
  readonly options: McpOptions;
  readonly roots: ClientRoots;
  readonly news: News = new News();
  /** The level from which on the client wants log messages; null: it did not ask. */
  logLevel: string | null = null;
  readonly #onWarning: (text: string) => void;
  readonly #turns: Turns;
  readonly #owner: Owner;
  /** By their roots, those that were used last at the end. */
  readonly #open = new Map<string, Open>();
  #closed = false;

  /** `shared`: with other clients. */
  constructor(options: McpOptions, onWarning: (text: string) => void, shared: SharedTurns | null = null) {
    this.options = options;
    this.#onWarning = onWarning;
    this.#turns = shared?.turns ?? fairTurns(ALONE);
    this.#owner = shared?.owner ?? this;
    this.roots = new ClientRoots(options, {
      onChange: () => this.#leave(0),
      onRefused: (refused, roots) => {
        this.#warn(refusedWarning(refused));
        this.news.notice(refusedNotice(refused, this.#places(roots)));
      },
      onSilence: () => {
        const text = silentNotice(this.#places(this.roots.current));
        this.#warn(text);
        this.news.notice(text);
      },
    });
  }

  /** Work in the workspace, when its turn has come. */
  async use<T>(
    signal: AbortSignal | undefined,
    work: (workspace: Workspace<AnyTools>) => Promise<T>,
    { roots = null, isSearch = false }: CallKind = {},
  ): Promise<T> {
    const done = await this.#turns(this.#owner, signal, isSearch ? "search" : "other");
    try {
      return await this.look(work, roots);
    } finally {
      done();
    }
  }

  /** The same at once, for what is done in no time: it waits for no search. */
  async look<T>(
    work: (workspace: Workspace<AnyTools>) => Promise<T>,
    roots: readonly Root[] | null = null,
  ): Promise<T> {
    const open = this.#enter(roots ?? this.roots.current);
    try {
      return await work(await open.workspace);
    } finally {
      open.users -= 1;
      if (open.users === 0 && open.left) open.close();
    }
  }

  /** Ends what is open; calls that run end by their signals, and are not waited for any longer than a moment. */
  async close(): Promise<void> {
    this.#closed = true;
    const open = [...this.#open.values()].map(({ closed }) => closed);
    this.#leave(0);
    if (open.length === 0) return;
    await Promise.race([Promise.all(open), pause(MCP_END_TIME, undefined, { ref: false })]);
  }

  #enter(roots: readonly Root[]): Open {
    const key = JSON.stringify(roots);
    const open = this.#open.get(key) ?? this.#begin(key, roots);
    open.users += 1;
    this.#open.delete(key);
    // What comes after the end stands by itself, and ends with its call.
    if (this.#closed) open.left = true;
    else this.#open.set(key, open);
    this.#leave(MCP_ROOT_SETS);
    return open;
  }

  #begin(key: string, roots: readonly Root[]): Open {
    const open = opened(this.#create(roots));
    // What stood in its way may be gone by the next call.
    open.workspace.catch(() => {
      if (this.#open.get(key) === open) this.#open.delete(key);
    });
    return open;
  }

  /** All but so many. */
  #leave(kept: number): void {
    for (const [key, open] of [...this.#open].slice(0, Math.max(0, this.#open.size - kept))) {
      this.#open.delete(key);
      open.left = true;
      if (open.users === 0) open.close();
    }
  }

  async #create(roots: readonly Root[]): Promise<Workspace<AnyTools>> {
    const { workspace: given, disabledTools } = await groundOptions(this.options, roots);
    const workspace = await createWorkspace(given);
    for (const warning of workspace.warnings) this.#warn(warning);
    for (const place of this.#places(roots)) {
      const what = broadness(place, this.options.env);
      if (what !== null) this.news.notice(broadNotice(place, what));
    }
    return { ...workspace, tools: withoutDisabled(workspace.tools, disabledTools) };
  }

  /** The folders that the client works in. */
  #places(roots: readonly Root[]): readonly string[] {
    const places = roots.map(({ path }) => path);
    return places.length > 0 ? places : [this.options.root];
  }

  #warn(text: string): void {
    this.#onWarning(text);
    this.news.warn(text);
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
