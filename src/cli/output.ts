/**
 * stdout, written at the reader's pace: small texts are gathered into larger writes, and whoever writes waits
 * until the stream has room. When the reader goes away (`| head -1`) or the run is aborted, the next write
 * throws, which ends the work below. Owned by `run`, one for each run.
 */
import type { Writable } from "node:stream";

/** Characters gathered before they are written at once; less goes out as soon as nothing else is to do. */
const GATHER = 16 * 1024;

/** The reader went away. No fault: it had enough. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone";
}

export class Output {
  /** Fires when there is no use in going on: the run was aborted, or the stream is broken. */
  readonly ended: AbortSignal;
  readonly #stream: Writable;
  readonly #broken = new AbortController();
  #gathered = "";
  #used = false;
  #soon: NodeJS.Immediate | undefined;
  #room: Promise<void> | undefined;

  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream;
    this.ended = AbortSignal.any([signal, this.#broken.signal]);
    stream.on("error", (error) => this.#break(error));
  }

  async write(text: string): Promise<void> {
    this.#used = true;
    this.#gathered += text;
    if (this.#gathered.length >= GATHER) this.#send();
    else this.#soon ??= setImmediate(() => this.#send());
    if (this.#room !== undefined) await this.#room;
    this.ended.throwIfAborted();
  }

  /** Returns when everything written so far is out; throws when it cannot be. A server writes nothing here. */
  async flush(): Promise<void> {
    if (!this.#used) return;
    this.#send();
    await this.#unlessEnded((done) => this.#stream.write("", done));
    this.ended.throwIfAborted();
  }

  #send(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    const text = this.#gathered;
    this.#gathered = "";
    if (text === "" || this.ended.aborted) return;
    if (this.#stream.write(text, (error) => this.#break(error))) return;
    this.#room ??= this.#unlessEnded((done) =>
      this.#stream.once("drain", () => {
        this.#room = undefined;
        done();
      }),
    );
  }

  #break(error: NodeJS.ErrnoException | null | undefined): void {
    if (error === null || error === undefined) return;
    const gone = error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED";
    this.#broken.abort(gone ? new ReaderGone() : error);
  }

  /** Waits for something about the stream, and no longer than there is a use in it. */
  #unlessEnded(start: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve) => {
      const done = (error?: Error | null): void => {
        this.#break(error);
        this.ended.removeEventListener("abort", onEnd);
        resolve();
      };
      const onEnd = (): void => done();
      this.ended.addEventListener("abort", onEnd, { once: true });
      if (this.ended.aborted) done();
      else start(done);
    });
  }
}
