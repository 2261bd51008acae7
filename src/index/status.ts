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
