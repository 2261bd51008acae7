/** A limit on the size of the files that a tool takes whole, asked before they are read. */
import { grouped } from "../format/count.ts";
import { ToolError } from "../model/errors.ts";
import { openFile } from "../workspace/open.ts";
import type { FileTarget } from "./file-target.ts";

/** @throws what `openFile` throws */
export async function fileSize({ policy, path }: Pick<FileTarget, "policy" | "path">): Promise<number> {
  const { handle, stat } = await openFile(policy, path);
  await handle.close();
  return stat.size;
}

/** `what` is not done with files over the limit, and `hint` is. */
export function largerThan(
  label: string,
  size: number,
  largest: number,
  { what, hint }: { readonly what: string; readonly hint: string },
): ToolError {
  return new ToolError(
    "FILE_TOO_LARGE",
    `${label} has ${grouped(size)} bytes, and ${grouped(largest)} is the most that is ${what}`,
    { hint },
  );
}
