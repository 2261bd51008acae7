/**
 * The open file that an archive is read from, and the errors its readers raise. It is read by position through
 * the descriptor that the caller opened and checked; nothing here knows a path to open.
 */
import { ToolError } from "../model/errors.ts";
import { type ArchiveLimits, WINDOW } from "./limits.ts";
import type { Member } from "./member.ts";

/** An open file, or bytes in memory: what is read by position. */
export interface Readable {
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

export interface ArchiveFile {
  readonly file: Readable;
  readonly size: number;
  /** How messages call the archive. */
  readonly name: string;
  readonly limits: ArchiveLimits;
  readonly signal: AbortSignal | undefined;
}

export function invalid(archive: ArchiveFile, what: string, cause?: unknown): ToolError {
  return new ToolError("ARCHIVE_INVALID", `${archive.name} cannot be read as an archive: ${what}`, {
    hint: "Check that the file is complete and of the kind its name says",
    cause,
  });
}

export function tooLarge(archive: ArchiveFile, what: string): ToolError {
  return new ToolError("ARCHIVE_TOO_LARGE", `${archive.name} is beyond the limits: ${what}`, {
    hint: "If the archive can be trusted, unpack it with its own tool and search the folder",
  });
}

export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ToolError("ABORTED", "The call was aborted", { cause: signal.reason });
}

/** Exactly these bytes. Nothing is allocated for a range that the file does not have. */
export async function readAt(
  archive: ArchiveFile,
  position: number,
  length: number,
  memory?: Buffer,
): Promise<Buffer> {
  checkAborted(archive.signal);
  const short = "it ends before its contents do";
  if (position < 0 || position + length > archive.size) throw invalid(archive, short);
  const bytes = memory ?? Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await archive.file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw invalid(archive, "it became shorter while it was read");
    done += bytesRead;
  }
  return bytes;
}

/**
 * Reads that mostly go forward: one window is kept, and a byte is fetched twice only by going back. What is
 * handed out is good until the next call, for the window's memory is used again.
 */
export function windowed(
  archive: ArchiveFile,
): (position: number, length: number) => Buffer | Promise<Buffer> {
  const memory = Buffer.allocUnsafe(Math.min(WINDOW, archive.size));
  let start = 0;
  let end = 0;
  return (position, length) =>
    position >= start && position + length <= end
      ? memory.subarray(position - start, position - start + length)
      : fetchWindow(position, length);

  async function fetchWindow(position: number, length: number): Promise<Buffer> {
    if (length > memory.length) return readAt(archive, position, length);
    // Never beyond the file, but always what was asked for: `readAt` has the error for that.
    const wanted = Math.max(length, Math.min(memory.length, archive.size - position));
    end = 0;
    await readAt(archive, position, wanted, memory);
    start = position;
    end = position + wanted;
    return memory.subarray(0, length);
  }
}

/** What a format's reader gives: the members, and the unpacked bytes of those asked for. */
export interface Contents {
  readonly members: readonly Member[];
  /** False when a tar ends without its end mark: it may have been cut off between two members. */
  readonly complete: boolean;
  /** The members at these places, ascending, each once. A damaged one is a fault, not an exception. */
  unpack(wanted: readonly number[]): AsyncIterable<Unpacked>;
}

export type Unpacked =
  | { readonly index: number; readonly bytes: Buffer }
  | { readonly index: number; readonly fault: string };
