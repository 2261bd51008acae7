/**
 * Reads an open file from one position to another, a chunk at a time in the same memory. Called by `line-stream.ts`.
 * A file that was read before is in the system's memory, where waiting for another thread takes several times as
 * long as the reading. So it reads without waiting, except after a read that took long; the event loop has its turns.
 */
import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { ToolError } from "../model/errors.ts";
import { TURN } from "../model/limits.ts";
import { fillNow } from "./read-now.ts";

export interface ChunkOptions {
  /** Bytes of a chunk; only the last one has fewer. */
  readonly chunk: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Until `feed` says false, and then the answer is false; the bytes it gets are good until it returns. A file that
 * became shorter ends where it ends; what was appended behind `to` is not read.
 */
export async function eachChunk(
  file: FileHandle,
  { from, to }: { readonly from: number; readonly to: number },
  { chunk, signal }: ChunkOptions,
  feed: (bytes: Buffer) => boolean,
): Promise<boolean> {
  const memory = Buffer.allocUnsafeSlow(chunk);
  let turn = performance.now();
  let slow = false;
  for (let position = from; position < to; ) {
    if (signal?.aborted) throw new ToolError("ABORTED", "The call was aborted", { cause: signal.reason });
    const wanted = Math.min(chunk, to - position);
    const started = performance.now();
    const length = slow
      ? await fillLater(file, memory, wanted, position)
      : fillNow(file.fd, memory.subarray(0, wanted), position);
    slow = performance.now() - started > TURN;
    if (length === 0) return true;
    if (!feed(memory.subarray(0, length))) return false;
    position += length;
    if (performance.now() - turn < TURN) continue;
    await setImmediate();
    turn = performance.now();
  }
  return true;
}

async function fillLater(
  file: FileHandle,
  memory: Buffer,
  wanted: number,
  position: number,
): Promise<number> {
  let length = 0;
  while (length < wanted) {
    const { bytesRead } = await file.read(memory, length, wanted - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}
