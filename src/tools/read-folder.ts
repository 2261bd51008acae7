import { treeText } from "../format/tree-text.ts";
import { AGENT_TEXT, READ_LINES } from "../model/limits.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import type { Selector } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import { readFolderTree } from "./folder-tree.ts";

/** A folder, as a tree. */
export async function readFolderPage(
  session: Session,
  label: string,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const tree = await readFolderTree(session, label, session.policy, signal);
  void selector;
  const printed = treeText(tree, Date.now(), { lines: READ_LINES, bytes: AGENT_TEXT });
  return {
    page: {
      kind: "folder",
      label,
      text: printed.text,
      cut: printed.shownLines < printed.totalLines,
      notes: [],
    },
    resolved: null,
    realPath: null,
  };
}
