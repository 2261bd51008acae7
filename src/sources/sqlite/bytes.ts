/**
 * What SQLite reads and writes, as it sees it: bytes at positions. Called by the VFS, in the worker.
 * A descriptor is only ever read, whatever SQLite wants; memory is written, because it is a copy.
 */
import { fstatSync, readSync } from "node:fs";

export interface Bytes {
  size(): number;
  /** How many bytes were read; fewer than wanted only at the end. */
  read(target: Uint8Array, at: number): number;
  /** Null: this is never written. */
  readonly changes: Changes | null;
}

export interface Changes {
  /** False when there is no room. */
  write(source: Uint8Array, at: number): boolean;
  truncate(size: number): void;
}

export function descriptorBytes(fd: number): Bytes {
  return {
    size: () => fstatSync(fd).size,
    read: (target, at) => {
      let done = 0;
      while (done < target.length) {
        const count = readSync(fd, target, done, target.length - done, at + done);
        if (count === 0) break;
        done += count;
      }
      return done;
    },
    changes: null,
  };
}

export const NO_BYTES: Bytes = { size: () => 0, read: () => 0, changes: null };

/** A copy in memory that grows up to a limit. */
export class MemoryBytes implements Bytes, Changes {
  #bytes: Uint8Array<ArrayBuffer>;
  #size: number;
  readonly #limit: number;
  readonly changes: Changes = this;
  /** Something was written. */
  changed = false;

  constructor(bytes: Uint8Array<ArrayBuffer>, limit: number) {
    this.#bytes = bytes;
    this.#size = bytes.length;
    this.#limit = limit;
  }

  size(): number {
    return this.#size;
  }

  read(target: Uint8Array, at: number): number {
    const part = this.#bytes.subarray(at, Math.min(this.#size, at + target.length));
    target.set(part);
    return part.length;
  }

  write(source: Uint8Array, at: number): boolean {
    const end = at + source.length;
    if (end > this.#limit) return false;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#limit, Math.ceil(end * 1.25)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(source, at);
    this.#size = Math.max(this.#size, end);
    this.changed = true;
    return true;
  }

  truncate(size: number): void {
    if (size < this.#size) this.#bytes.fill(0, size, this.#size);
    this.#size = Math.min(size, this.#size);
    this.changed = true;
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#size);
  }
}
