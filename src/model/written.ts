/** What a write did, as it is told. */

export interface Written {
  /** What was written, as answers call it. */
  readonly label: string;
  /** One sentence that says what was done. */
  readonly message: string;
  /** Files under their new tags. */
  readonly snapshots: readonly { readonly label: string; readonly tag: string }[];
  readonly created: boolean;
  readonly madeExecutable: boolean;
  readonly realPath: string | null;
  /** What somebody else did to it, and is lost. */
  readonly warnings: readonly string[];
}

export interface WritePage extends Written {
  readonly kind: "file" | "archive" | "database" | "conflicts";
  /** What had been pasted along with the content, and was taken off. */
  readonly stripped: "nothing" | "header" | "prefixes" | "both";
}
