import { read } from "node:fs";
import type { Writable } from "node:stream";
import { promisify } from "node:util";

/**
 * What ripgrep reads when it is given a text and no paths: bytes, or an open file by its descriptor. `child.ts`
 * pours it in. A descriptor is read by position, from the start: handed over itself, it would share its offset with
 * the child, and a second search of it would begin where the first one ended.
 */

export type Stdin = Buffer | number;

/** One chunk of a file: the pipe takes 64 KiB at a time, and larger reads cost fewer turns of the event loop. */
const CHUNK = 1024 * 1024;

const readAt = promisify(read);

/** Settles when everything is written, or when nobody reads any more. Rejects when the descriptor cannot be read. */
export async function pour(input: Stdin, stdin: Writable): Promise<void> {
  // ripgrep may have enough before the end, and goes: writing then fails, and nothing is lost.
  stdin.on("error", () => {});
  if (typeof input !== "number") {
    stdin.end(input);
    return;
  }
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; !stdin.destroyed; ) {
    const { bytesRead } = await readAt(input, chunk, 0, CHUNK, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    // The next chunk takes the place of this one. Called on failure too.
    await new Promise<void>((written) => stdin.write(chunk.subarray(0, bytesRead), () => written()));
  }
  stdin.end();
}
