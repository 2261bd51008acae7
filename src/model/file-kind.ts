/** What a file is, told by its first bytes. `sources/kind.ts` tells it. */

/** Known, and not read here. */
export interface ForeignKind {
  readonly kind: "image" | "document" | "audio" | "video" | "font" | "executable" | "archive" | "binary";
  /** With its article: `a PNG image`. */
  readonly name: string;
}

export type FileKind =
  | { readonly kind: "text" }
  | { readonly kind: "sqlite" }
  | { readonly kind: "notebook" }
  | ForeignKind;
