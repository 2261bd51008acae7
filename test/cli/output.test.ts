import { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Output, ReaderGone } from "../../src/cli/output.ts";
import { quarry, Sink } from "./helpers.ts";

const never = new AbortController().signal;

/** A reader that takes nothing until it is told to. */
class Slow extends Writable {
  readonly #waiting: (() => void)[] = [];
  received = 0;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#waiting.push(() => {
      this.received += chunk.length;
      done();
    });
  }

  read(): void {
    this.#waiting.shift()?.();
  }
}

class Broken extends Writable {
  readonly #code: string;

  constructor(code: string) {
    super();
    this.#code = code;
  }

  override _write(_chunk: Buffer, _encoding: string, done: (error: Error) => void): void {
    done(Object.assign(new Error(`write ${this.#code}`), { code: this.#code }));
  }
}

describe("stdout", () => {
  test("gets small texts without waiting for more", async () => {
    const sink = new Sink();
    await new Output(sink, never).write("first\n");
    await pause(5);
    expect(sink.text).toBe("first\n");
  });

  test("gets everything in order by the end", async () => {
    const sink = new Sink();
    const out = new Output(sink, never);
    const texts = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`);
    for (const text of texts) await out.write(text);
    await out.flush();
    expect(sink.text).toBe(texts.join(""));
  });

  test("makes whoever writes wait for a slow reader", async () => {
    const slow = new Slow();
    const out = new Output(slow, never);
    let written = 0;
    const writing = (async (): Promise<void> => {
      for (; written < 100; written++) await out.write("x".repeat(10_000));
      await out.flush();
    })();
    await pause(20);
    expect(written).toBeLessThan(10);
    expect(slow.writableLength).toBeLessThan(100_000);
    while (slow.received < 1_000_000) {
      slow.read();
      await pause(0);
    }
    slow.read();
    await writing;
    expect(written).toBe(100);
  });

  test("does not make it wait any longer when the run is aborted", async () => {
    const ending = new AbortController();
    const out = new Output(new Slow(), ending.signal);
    const writing = (async (): Promise<void> => {
      for (;;) await out.write("x".repeat(10_000));
    })();
    setTimeout(() => ending.abort(new Error("over")), 10);
    await expect(writing).rejects.toThrow("over");
  });

  test("tells whoever writes that the reader is gone, and fires for whoever is only searching", async () => {
    const out = new Output(new Broken("EPIPE"), never);
    await out.write("x");
    await pause(5);
    expect(out.ended.aborted).toBe(true);
    await expect(out.write("y")).rejects.toBeInstanceOf(ReaderGone);
    await expect(out.flush()).rejects.toBeInstanceOf(ReaderGone);
  });
});

describe("a run", () => {
  test("whose reader is gone ends quietly", async () => {
    expect(await quarry("/", ["help"], { stdout: new Broken("EPIPE") })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  test("whose output cannot be written says so", async () => {
    expect(await quarry("/", ["help"], { stdout: new Broken("ENOSPC") })).toMatchObject({
      code: 2,
      stderr: "quarry: [ENOSPC] write ENOSPC.\n",
    });
  });
});
