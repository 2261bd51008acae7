/**
 * Bytes in one direction: out of a file, where skipping costs nothing, or out of gunzip, where it costs the
 * inflating. `scanTar` is written against this. Gunzip is stopped by the limits, not by the memory's end.
 */
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { ToolError } from "../model/errors.ts";
import { type ArchiveFile, checkAborted, invalid, readAt, tooLarge, windowed } from "./archive-file.ts";
import { WINDOW } from "./limits.ts";

export interface ByteReader {
  readonly position: number;
  /** The next bytes; fewer only at the end. */
  take(length: number): Promise<Buffer>;
  /** Goes forward to a position; false when the end comes first. */
  skipTo(position: number): Promise<boolean>;
}

export function fileReader(archive: ArchiveFile): ByteReader {
  const at = windowed(archive);
  let position = 0;
  return {
    get position() {
      return position;
    },
    async take(length) {
      const bytes = await at(position, Math.min(length, archive.size - position));
      position += bytes.length;
      return bytes;
    },
    async skipTo(target) {
      if (target > archive.size) return false;
      position = target;
      return true;
    },
  };
}

export interface GunzipReader extends ByteReader {
  /** Reads on to the end of the stream. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export function gunzipReader(archive: ArchiveFile): GunzipReader {
  const gunzip = createGunzip({ chunkSize: WINDOW });
  // A fault comes out of the iteration below; the callback is only the pipeline's wish.
  pipeline(packedBytes, gunzip, () => {});
  const chunks = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let chunk: Buffer = Buffer.alloc(0);
  let position = 0;
  let unpacked = 0;
  return {
    get position() {
      return position;
    },
    take,
    skipTo,
    async drain() {
      while (await advance());
    },
    async close() {
      await chunks.return?.();
    },
  };

  async function* packedBytes(): AsyncGenerator<Buffer> {
    for (let at = 0; at < archive.size; at += WINDOW)
      yield await readAt(archive, at, Math.min(WINDOW, archive.size - at));
  }

  async function take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (chunk.length === 0 && !(await advance())) break;
      const part = chunk.subarray(0, missing);
      chunk = chunk.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    position += length - missing;
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  }

  async function skipTo(target: number): Promise<boolean> {
    while (target - position > chunk.length) {
      position += chunk.length;
      if (!(await advance())) return false;
    }
    chunk = chunk.subarray(target - position);
    position = target;
    return true;
  }

  /** The next chunk in place of the last; false at the end. */
  async function advance(): Promise<boolean> {
    checkAborted(archive.signal);
    chunk = Buffer.alloc(0);
    const next = await chunks.next().catch((error: unknown) => {
      throw error instanceof ToolError ? error : invalid(archive, (error as Error).message, error);
    });
    if (next.done === true) return false;
    chunk = next.value;
    unpacked += chunk.length;
    const { total, ratio, ratioFloor } = archive.limits;
    if (unpacked > total) throw tooLarge(archive, `it unpacks to more than ${total} bytes`);
    if (unpacked > ratioFloor && unpacked > ratio * gunzip.bytesWritten)
      throw tooLarge(archive, `it unpacks to more than ${ratio} times its size`);
    return true;
  }
}
