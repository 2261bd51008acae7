/** How far the index of a tree is, as `keeper.ts` tells it and `quarry index status` shows it. */

/** `unable`: something about the tree or the system stands against an index. */
export type Phase = "starting" | "building" | "ready" | "unable" | "closed";

export interface IndexStatus {
  readonly phase: Phase;
  /** Why it cannot answer; "" when it can. */
  readonly why: string;
  readonly files: number;
  /** Of all files of the tree. */
  readonly textBytes: number;
  /** Files that changed since they were indexed. */
  readonly unindexed: number;
  /** Of the build that is going on: files that are in a segment by now, and those that will be. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly segments: number;
  /** On disk. */
  readonly bytes: number;
  readonly watchedFolders: number;
  readonly generation: number;
  /** Another process saves the index of this tree, and this one reads it and keeps its own changes to itself. */
  readonly savedByAnother: boolean;
}

/** That of an index that has ended by itself. */
export function endedStatus(why: string): IndexStatus {
  return {
    phase: "unable",
    why,
    files: 0,
    textBytes: 0,
    unindexed: 0,
    progress: null,
    segments: 0,
    bytes: 0,
    watchedFolders: 0,
    generation: 0,
    savedByAnother: false,
  };
}

/** How often ripgrep answered in place of the index, by reason. */
export interface Fallback {
  readonly why: string;
  readonly count: number;
}

/** The index of a workspace's root: its own sessions' fallbacks too, the most frequent first. */
export type WorkspaceIndexStatus = IndexStatus & { readonly fallbacks: readonly Fallback[] };
