/**
 * How the content of a file is shown, and how a change to what is shown becomes a change to the file. Most files are
 * shown as they are; a notebook is shown as its cells. The name of the view is kept with a snapshot.
 */
import { ToolError } from "../model/errors.ts";
import { notebookText, rewriteNotebook } from "../sources/notebook.ts";

export interface FileView {
  readonly name: string;
  /** What is shown, as the bytes of a text. @throws NOTEBOOK_INVALID */
  readonly show: (bytes: Buffer, label: string) => Buffer;
  /** The file's bytes when what is shown has become this text. */
  readonly write: (bytes: Buffer, text: Buffer, label: string) => Buffer;
}

export const TEXT_VIEW: FileView = { name: "text", show: (bytes) => bytes, write: (_, text) => text };
export const NOTEBOOK_VIEW: FileView = { name: "notebook", show: notebookText, write: rewriteNotebook };

/** How a file is shown that nobody has shown yet: as its cells if it is a notebook by its name and its content. */
export function viewOf(bytes: Buffer, label: string): FileView {
  if (!label.toLowerCase().endsWith(".ipynb")) return TEXT_VIEW;
  try {
    NOTEBOOK_VIEW.show(bytes, label);
    return NOTEBOOK_VIEW;
  } catch (cause) {
    if (cause instanceof ToolError) return TEXT_VIEW;
    throw cause;
  }
}

export function viewNamed(name: string): FileView {
  return name === NOTEBOOK_VIEW.name ? NOTEBOOK_VIEW : TEXT_VIEW;
}
