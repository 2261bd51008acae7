import { treeText } from "../format/tree-text.ts";
import { ToolError } from "../model/errors.ts";
import { AGENT_TEXT, READ_LINES } from "../model/limits.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import type { LineRange, Selector } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import { readFolderTree } from "./folder-tree.ts";

/** A folder, as a tree; a range of lines is one of its rows. */
export async function readFolderPage(
  session: Session,
  label: string,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const rows = rowsOf(selector, label);
  const tree = await readFolderTree(session, label, session.policy, signal);
  const printed = treeText(tree, Date.now(), { lines: READ_LINES, bytes: AGENT_TEXT }, rows);
  const cut = printed.shownLines < printed.totalLines;
  return {
    page: { kind: "folder", label, text: printed.text, cut, notes: [] },
    resolved: null,
    realPath: null,
  };
}

function rowsOf(selector: Selector | null, label: string): LineRange {
  if (selector === null) return { first: 1, last: null };
  const [range, ...more] = selector.ranges;
  if (
    range === undefined ||
    more.length > 0 ||
    selector.raw ||
    selector.conflicts ||
    selector.tail !== null
  ) {
    throw new ToolError("SELECTOR_INVALID", `${label} is a folder, and of a folder only one range is shown`, {
      hint: `Use ${label}:50- to go on in a long one`,
    });
  }
  return range;
}
