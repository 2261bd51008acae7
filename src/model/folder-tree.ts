/** A folder as read shows it: what is in it, and what is in the folders in it. `format/tree-text.ts` prints it. */

export type EntryKind = "file" | "folder" | "link" | "pipe" | "socket" | "device";

export interface TreeEntry {
  readonly name: string;
  /** The raw bytes in base64, only when `name` could not say them. */
  readonly nameBytes?: string;
  readonly kind: EntryKind;
  /** Bytes of a file; null for what is no file, and where it was not looked at. */
  readonly size: number | null;
  readonly mtimeMs: number | null;
  /** Where a link leads. */
  readonly link?: LinkTarget;
  /** What is in a folder that was entered. */
  readonly listing?: Listing;
}

export type LinkTarget =
  | { readonly kind: "file" | "folder" | "other" | "missing"; readonly target: string }
  /** Not to be seen. */
  | { readonly kind: "outside" };

export type Listing =
  | {
      readonly kind: "listed";
      readonly entries: readonly TreeEntry[];
      /** Newest first; or by name, not looked at one by one, because there are too many. */
      readonly order: "newest" | "name";
      /** Entries that are not here. */
      readonly more: number;
      /** It has still more, which nobody counted. */
      readonly uncounted: boolean;
      /** Entries that the policy withholds. */
      readonly denied: number;
    }
  | { readonly kind: "unreadable" };

export interface FolderTree {
  /** Relative to the root with `/`, `.` for the root itself, absolute outside it. */
  readonly path: string;
  readonly listing: Extract<Listing, { kind: "listed" }>;
  /** Folders that were not entered because there are so many. */
  readonly unentered: number;
}
