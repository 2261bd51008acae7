import { quoteListed } from "../format/escape.ts";
import { treeText } from "../format/tree-text.ts";
import { AGENT_TEXT, READ_LINES } from "../model/limits.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import type { Selector } from "../model/selector.ts";
import type { Session } from "../workspace/session.ts";
import { readFolderTree } from "./folder-tree.ts";
import { listedRows } from "./listed-rows.ts";

/** A folder, as a tree; a range of lines is one of its rows. */
export async function readFolderPage(
  session: Session,
  label: string,
  selector: Selector | null,
  signal: AbortSignal | undefined,
): Promise<ReadAnswer> {
  const rows = listedRows(selector, label, "a folder");
  if (label === "." && session.roots.length > 0) return rootsPage(session);
  const tree = await readFolderTree(session, label, session.policy, signal);
  const printed = treeText(tree, Date.now(), { lines: READ_LINES, bytes: AGENT_TEXT }, rows);
  const cut = printed.shownLines < printed.totalLines;
  return {
    page: { kind: "folder", label, text: printed.text, cut, notes: [] },
    resolved: null,
    realPath: null,
  };
}

/** Above several roots there is nothing but their names. */
function rootsPage({ roots }: Session): ReadAnswer {
  const text = roots.map(({ name }) => `${quoteListed(name)}/`).join("\n");
  return {
    page: { kind: "folder", label: ".", text, cut: false, notes: [] },
    resolved: null,
    realPath: null,
  };
}
