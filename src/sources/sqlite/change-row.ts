/**
 * The bytes of a database with one row inserted, updated or deleted. Called by write, which puts them in the place of
 * the file when nobody else has it open (`in-use.ts`). The bytes given are left as they are.
 */
import { ToolError } from "../../model/errors.ts";
import { DATABASE_CHANGED } from "../../model/limits.ts";
import type { ChangeJob } from "./job.ts";
import { rowValues } from "./row-values.ts";
import { runJob } from "./run-job.ts";

export interface RowChange {
  readonly table: string;
  readonly key: string | null;
  /** A JSON5 object; blank to delete the row of the key. */
  readonly content: string;
}

export interface RowChanged {
  /** Null: nothing changed. */
  readonly bytes: Buffer | null;
  readonly message: string;
}

export async function changeRow(
  bytes: Buffer,
  change: RowChange,
  name: string,
  signal: AbortSignal | undefined,
): Promise<RowChanged> {
  const reply = await runJob(await rowJob(bytes, change, name), signal);
  if (reply.kind !== "changed") throw new Error("The worker answered another question");
  const { bytes: changed, message } = reply.changed;
  const buffer = changed && Buffer.from(changed.buffer, changed.byteOffset, changed.byteLength);
  return { bytes: buffer, message };
}

/** The same as data for the worker, which gets a copy of the bytes to change. */
export async function rowJob(bytes: Buffer, change: RowChange, name: string): Promise<ChangeJob> {
  if (bytes.length > DATABASE_CHANGED)
    throw new ToolError("FILE_TOO_LARGE", `${name} is too large to be changed here`, {
      hint: "Use the program that owns it",
    });
  const { table, key, content } = change;
  const values = content.trim() === "" ? null : await rowValues(content);
  if (values === null && key === null)
    throw new ToolError("ROW_INVALID", "There is no row to insert", {
      hint: "Give a JSON5 object, {} for a row of defaults; to delete a row name its key: db:table:key",
    });
  if (values?.length === 0 && key !== null)
    throw new ToolError("ROW_INVALID", "The row names no column to update", {
      hint: "Give the columns that change; empty content deletes the row",
    });
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return { kind: "change", name, bytes: copy, table, key, values };
}
