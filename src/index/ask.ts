import type { Where } from "../model/found.ts";
import type { Entry, FilePath } from "../model/match.ts";
import type { Fault } from "../ripgrep/faults.ts";
import type { Order, Pattern, Target } from "../model/query.ts";
import type { Terms } from "../workspace/judge.ts";

/** What an index is asked and what it answers: plain data, since the index lives in a thread of its own. */

/** Of a scope, what is not the same for every question to one index. */
export interface AskedScope {
  /** Folders of the tree. */
  readonly targets: readonly Target[];
  readonly include: readonly string[];
  readonly includeNames: boolean;
  /** Globs of what is left out besides what no index holds. */
  readonly exclude: readonly string[];
  /** Globs on base names, of which one must match if there are any. */
  readonly names: readonly string[];
  readonly maxFileSize: number | null;
  /** The policy by which some of it is withheld; `exclude` has its denied globs. @default nothing is */
  readonly withheld?: Terms | undefined;
}

export interface Ask {
  readonly pattern: Pattern;
  readonly order: Order;
  readonly scope: AskedScope;
  /** Files that will be asked for; null: all. */
  readonly wanted: number | null;
}

/** A question for names. */
export interface AskedFind {
  readonly scope: AskedScope;
  readonly kinds: "all" | "files" | "folders";
  readonly order: "path" | "mtime";
  /** So many are told, the others counted; null: all. */
  readonly limit: number | null;
}

export interface ListedPage {
  readonly entries: readonly Entry[];
  /** Those that are not told too. */
  readonly total: number;
}

/** What a policy withholds is counted as ripgrep's walk would. */
interface Counted {
  readonly denied: number;
}

export type ListedAnswer =
  | { readonly kind: "unable"; readonly why: string }
  | (ListedPage &
      Counted & {
        readonly kind: "able";
        readonly generation: number;
        readonly faults: readonly Fault[];
      });

/** `sure`: it matches. Otherwise it may, and only ripgrep can say. `binary`: it matches before a NUL byte. */
export interface Hit extends FilePath {
  readonly kind: "sure" | "possible" | "binary";
  /** Given where it says much: of a large file of which few blocks may match. */
  readonly where?: Where;
}

export type Answer =
  /** Ask ripgrep. */
  | { readonly kind: "unable"; readonly why: string }
  | (Counted & {
      readonly kind: "able";
      readonly cursor: number;
      readonly generation: number;
      readonly tooLarge: number;
      /** Folders of the tree that could not be read. */
      readonly faults: readonly Fault[];
      /** The first files, so that most questions take one message. */
      readonly first: Page;
    });

export interface Page {
  readonly hits: readonly Hit[];
  /** There are no more. `gave-up`: ripgrep would be quicker, or there is no index any more. */
  readonly end: "no" | "yes" | "gave-up";
}
