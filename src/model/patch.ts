/**
 * What an edit asks for, as `edit/patch/parse.ts` reads it from text and the applier carries it out.
 * Lines are those of the version that the tag stands for, counted from 1; rows are those of the patch, likewise.
 */

/** An operation without its body and its place in the patch: what one operation row says. */
export type OperationHead =
  | { readonly kind: "replace" | "delete"; readonly first: number; readonly last: number }
  | { readonly kind: "replace block" | "delete block" | "insert after block"; readonly line: number }
  | { readonly kind: "insert before" | "insert after"; readonly line: number }
  | { readonly kind: "insert head" | "insert tail" };

export type Operation =
  | {
      readonly kind: "replace";
      readonly first: number;
      readonly last: number;
      readonly body: readonly string[];
      readonly row: number;
    }
  | { readonly kind: "delete"; readonly first: number; readonly last: number; readonly row: number }
  | { readonly kind: "delete block"; readonly line: number; readonly row: number }
  | {
      readonly kind: "replace block" | "insert before" | "insert after" | "insert after block";
      readonly line: number;
      readonly body: readonly string[];
      readonly row: number;
    }
  | {
      readonly kind: "insert head" | "insert tail";
      readonly body: readonly string[];
      readonly row: number;
    };

/** One file of a patch, however many headers named it. `row` is that of the first. */
export interface Section {
  readonly path: string;
  /** Four hex digits in upper case. */
  readonly tag: string;
  readonly row: number;
  /** In the order of the patch, at least one. */
  readonly operations: readonly Operation[];
}

export interface Patch {
  readonly sections: readonly Section[];
  /** What was understood though it was not written as it should be. */
  readonly warnings: readonly string[];
}
